"""The instrument for a student's own texts: live boxes where somebody studies, one plain result elsewhere."""

from types import SimpleNamespace

import pytest

from lessonlib import plots
from lessonlib.exercises import instrument, play
from lessonlib.explain import explain
from lessonlib.metrics import token_overlap


@pytest.fixture
def displayed(monkeypatch):
    """Collect what is displayed in place of showing it."""
    seen = []
    monkeypatch.setattr("IPython.display.display", seen.append)
    return seen


def test_under_test_the_plain_result_is_shown(displayed):
    play(token_overlap, prediction="HTTP 429", reference="429")
    assert displayed == [token_overlap("HTTP 429", "429")]


def live(monkeypatch, displayed, view, **texts):
    monkeypatch.setattr(instrument, "studies", lambda: True)
    play(view, **texts)
    (box,) = displayed
    *inputs, page = box.children
    return inputs, page


def test_what_is_typed_is_seen(monkeypatch, displayed):
    (prediction, reference), page = live(
        monkeypatch, displayed, token_overlap, prediction="HTTP 429", reference="429"
    )
    assert (prediction.description, reference.value) == ("prediction", "429")
    assert "precision 1/2 = 0.50" in page.value
    prediction.value = "429"
    assert "precision 1/1 = 1.00" in page.value


def test_an_error_is_shown_and_the_next_text_mends_it(monkeypatch, displayed):
    (text,), page = live(monkeypatch, displayed, lambda text: f"<{int(text)}>", text="1")
    assert "&lt;1&gt;" in page.value
    text.value = "x"
    assert "ValueError" in page.value
    text.value = "2"
    assert "&lt;2&gt;" in page.value


def test_pictures_carry_their_description(monkeypatch, displayed):
    picture = SimpleNamespace(png=bytes(18) + b"\x02\x00")  # 512 pixels wide
    _, page = live(monkeypatch, displayed, lambda text: picture, text="")
    assert 'width="256" src="data:image/png;base64,AAAA' in page.value
    assert plots.SHARP == instrument.SHARP
    assert "alt=" in page.value


def test_a_result_with_html_of_its_own(monkeypatch, displayed):
    _, page = live(monkeypatch, displayed, lambda text: explain(text, text), text="429")
    assert page.value.startswith("<table>")
