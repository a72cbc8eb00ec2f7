"""The package behind five lessons on reference metrics for LLM answers."""

__version__ = "0.1.0"

from .metrics import (
    METRICS,
    accuracy,
    exact_match,
    rouge_l,
    rouge_lsum,
    rouge_n,
    score,
    signature,
    token_f1,
    token_overlap,
)

__all__ = [
    "METRICS",
    "accuracy",
    "exact_match",
    "rouge_l",
    "rouge_lsum",
    "rouge_n",
    "score",
    "signature",
    "token_f1",
    "token_overlap",
]
