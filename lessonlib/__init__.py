"""The package behind five lessons on reference metrics for LLM answers."""

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
from .version import __version__

__all__ = [
    "METRICS",
    "__version__",
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
