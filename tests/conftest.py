"""Settings for all tests: never live, never flaky."""

import os

import pytest
from hypothesis import settings

# A test must not spend money or depend on the shell it was started from.
for variable in ("DOCENT_LIVE", "ANTHROPIC_API_KEY", "NBGRADER_EXECUTION"):
    os.environ.pop(variable, None)

settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config):
    """Share the whole suite between two processes; files named on the command line run in one, sooner.

    A file stays whole, since the cells of a notebook need one kernel.
    """
    options = config.option
    alone = hasattr(config, "workerinput") or options.usepdb or options.collectonly
    if (
        config.args == config.getini("testpaths")
        and not alone
        and getattr(options, "numprocesses", 0) is None
    ):
        options.numprocesses, options.dist = 2, "loadfile"
