"""What breaks careless code: texts by kind, values that are no text, and an unfriendly environment.

A test that is about *any* text draws from here, so that a trap found once is tried everywhere.
"""

from hypothesis import strategies as st

TEXTS = {
    "spaces": ("", " ", "\n", "\t", "\r\n", "\n\n", "\x1c", "\x1f", "\x85", "\u2028", "\xa0", "\u3000"),
    "unseen": ("\x00", "\x1b", "\x7f", "\ufeff", "\u200b", "a\u200b", "\u200bthe", "a\x00an", "\xad"),
    "halves": ("\ud800", "\udfff", "\ud83d", "an\ud800"),  # surrogates: in Python's strings, not in UTF-8
    "accents": ("the\u0301", "a\u0308", "re\u0301sume\u0301", "caf\xe9", "\u0345", "\uff21", "\ufb01le"),
    "case": ("\u0130", "\u0131", "STRASSE", "straße", "ß", "\u212aelvin", "\u03a3\u03a3", "ς", "The", "AN"),
    "scripts": ("今天下雨", "下雨了。", "नमस्ते", "спасибо", "всем", "\u0430", "\u4eca", "\U0001f600", "👍🏽"),
    "articles": ("A.", "the-a", "a,an,the", "an\u2019", "the\u2014cat", "_the_", "-the-", "the the the"),
    "punctuation": ("...", "., ,.", ",.", "- -", "#", "`x`", "a_b", "\xbfa?", "\xb7", "\\n", "C++", "$_$"),
    "quotes": ("don't", "don\u2019t", "\u201ccat\u201d", "\u00abcat\u00bb", "'tis", '"', "'"),
    "numbers": ("24-hour", "-5", "5-", "1,200.50", "3.5", ".5", "5.", "$25", "50%", "1999\u20132003", "1e9"),
    "figures": ("\xb2", "\xbd", "1\u20442", "\u0660", "\u22125", "10\u2076", "3万", "1\u202f234,56 €"),
    "abbreviations": ("U.S.", "e.g.,", "No. 5", "9 a.m."),
    "markup": ("<skipped>", "<skip", "&quot;", "&amp;lt;", "&lt;b&gt;", "&", "&amp", "<b>x</b>", "__init__"),
    "breaks": ("well-\n", "well-\nknown", "-\n"),
    "repeats": ("no no no no", "cat cat", "x" * 40),
    "json": ("{", "}", "[", "]", ":", "```", "~~~", "```json\n", "NaN", '{"a": 1}', "[1]", "\\u00", "true"),
    "cells": (
        "=1+1",
        "+1",
        "@x",
        "|",
        "a,b",
        ";",
    ),  # a spreadsheet or a Markdown table takes them for its own
}
ALL_TEXTS = tuple(text for kind in TEXTS.values() for text in kind)
joined = st.lists(st.sampled_from(ALL_TEXTS), max_size=8).map("".join)
any_text = joined | st.text(st.characters(), max_size=30)

NO_TEXT = (None, 7, 2.5, True, b"red", ["red"], ("red",), {"red"})

# Nothing that a lesson or the command line prints may depend on these; nbval's run is the friendly one. In a
# folder named "kürs" Python itself does not start under ASCII (it reads there where an editable install is).
ASCII_ONLY = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
if not __file__.isascii():
    ASCII_ONLY = {"LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
ENVIRONMENT = {**ASCII_ONLY, "PYTHONHASHSEED": "4242", "TZ": "Pacific/Kiritimati", "COLUMNS": "17"}
