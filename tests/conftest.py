"""Settings for all tests: never live, never flaky."""

import os
from pathlib import Path

from hypothesis import settings

# A test must not spend money or depend on the shell it was started from.
for variable in ("DOCENT_LIVE", "ANTHROPIC_API_KEY", "NBGRADER_EXECUTION"):
    os.environ.pop(variable, None)

# In a folder named "kürs", a child that is held to ASCII cannot read where an editable install is.
os.environ["PYTHONPATH"] = str(Path(__file__).resolve().parents[1])

settings.register_profile("course", deadline=None, derandomize=True)
settings.load_profile("course")
