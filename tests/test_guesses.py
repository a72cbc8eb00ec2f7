"""Guesses, their truth, and what is kept of them."""

import pytest

from lessonlib.exercises import guesses as room
from lessonlib.exercises.guesses import guess, keep_check, progress, recall, truth
from lessonlib.exercises.values import TODO


@pytest.fixture(autouse=True)
def notes(monkeypatch, tmp_path):
    """Study in an empty folder of one's own."""
    monkeypatch.chdir(tmp_path)
    for name in room.NO_FILE:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(room, "studies", lambda: True)
    return fresh(monkeypatch)


def fresh(monkeypatch):
    """Begin a new session, as another notebook does."""
    monkeypatch.setattr(room, "NOTES", room.Notes())
    return room.NOTES


def test_untouched_shows_the_value_and_no_more():
    assert guess("1.1", TODO) is None
    assert repr(truth("1.1", 0.25)) == "1.1  0.25"
    assert not room.FILE.exists()


def test_untouched_with_something_shown_adds_nothing(capsys):
    guess("1.1", TODO)
    assert truth("1.1", 0, "0 of 8") is None
    assert capsys.readouterr().out == "the answer:\n0 of 8\n"


@pytest.mark.parametrize(
    ("said", "value", "verdict"),
    [
        (6, 0, "you said 6: it is 0"),
        (2 / 3, 2 / 3, "you said 0.6667: right"),
        (0.6, 0.625, "you said 0.6: it is 0.625"),
        ("near 0", "near 0", 'you said "near 0": right'),
        ("near 1", "near 0", 'you said "near 1": it is "near 0"'),
        ([2, 3], (2, 3), "you said [2, 3]: right"),
        ([2, 4], [2, 3], "you said [2, 4]: it is [2, 3]"),
        ("six", 6, 'you said "six": it is 6'),
    ],
)
def test_guess_beside_truth(said, value, verdict):
    assert repr(guess("1.1", said)).startswith("1.1  noted: ")
    assert repr(truth("1.1", value)) == f"1.1  {verdict}"


def test_within():
    guess("1.1", 0.6)
    assert repr(truth("1.1", 0.625, within=0.05)) == "1.1  you said 0.6: right"


@pytest.mark.parametrize(
    ("said", "choices", "sentence"),
    [
        (None, (), "a guess is a number, a text or a list of them, not None."),
        ({"a": 1}, (), "a guess is a number, a text or a list of them, not {'a': 1}."),
        ("up", ("rises", "falls"), 'choose one of "rises", "falls", not "up".'),
    ],
)
def test_what_is_no_guess_is_a_sentence(said, choices, sentence):
    assert repr(guess("1.1", said, choices)) == f"1.1  {sentence}"
    assert repr(truth("1.1", 0)) == "1.1  0"


def test_a_guess_can_be_taken_back():
    guess("1.1", 3)
    guess("1.1", TODO)
    assert repr(truth("1.1", 0)) == "1.1  0"


def test_prices_are_no_formulas():
    guess("1.1", "$25")
    data = truth("1.1", "$30")._repr_mimebundle_()
    assert 'class="mathjax_ignore tex2jax_ignore"' in data["text/html"]
    assert data[room.MIME] == {"guess": "1.1", "said": "$25", "truth": "$30", "right": False}


def test_the_next_lesson_recalls_the_worst(monkeypatch):
    for number, said, value in (("1.1", 6, 0), ("1.2", 4, 5), ("1.3", 7, 7), ("2.1", 9, 0), ("12.1", 9, 0)):
        guess(number, said)
        truth(number, value)
    fresh(monkeypatch)
    assert repr(recall(1)) == "1.1: you said 6, it is 0\n1.2: you said 4, it is 5"
    assert repr(recall(1, most=1)) == "1.1: you said 6, it is 0"
    assert repr(recall(3)) == "no guess of Lesson 3 is kept beside this notebook"


def test_recall_of_right_guesses():
    guess("1.3", 7)
    truth("1.3", 7)
    assert repr(recall(1)) == "all 1 guesses of Lesson 1 that are kept here were right"


def test_progress_counts_checks_and_guesses(monkeypatch):
    keep_check("1.1", "failed")
    keep_check("1.1", "passed")
    keep_check("1a", "passed")
    keep_check("Q1.1", "failed")
    keep_check("1.2", "not attempted")
    keep_check("2.1", "passed")
    guess("1.1", 3)
    truth("1.1", 3)
    guess("1.2", 3)  # its truth is not known yet
    fresh(monkeypatch)
    expected = "Lesson 1: 2 checks passed; 1 of 1 guesses right\npassed: 1.1, 1a\nopen: Q1.1"
    assert repr(progress(1)) == expected
    assert room.NOTES.tries == {"1.1": 1, "Q1.1": 1}


def test_no_file_where_nobodystudies(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(room, "NOTES", room.Notes())
    guess("1.1", 3)  # under pytest, as under nbval
    truth("1.1", 3)
    assert not room.FILE.exists()


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"guesses": {}}', '{"guesses": 1, "tries": {}, "passed": {}}']
)
def test_a_damaged_file_is_left_alone_and_named(content):
    room.FILE.write_text(content)
    assert "my_progress.json cannot be read" in repr(guess("1.1", 3))
    truth("1.1", 3)
    assert room.FILE.read_text() == content


def test_a_folder_that_cannot_be_written_is_named(monkeypatch):
    monkeypatch.setattr(room, "FILE", room.FILE.absolute() / "no" / "such.json")
    guess("1.1", 3)
    assert "cannot be written" in repr(truth("1.1", 4))
