"""The version of the package: the one place that needs nothing else, so that every module can say it."""

__version__ = "0.1.0"
