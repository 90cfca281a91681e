"""One generator for every test that needs luck, and one profile for hypothesis."""

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("book", derandomize=True, deadline=None, database=None)
settings.load_profile("book")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20250225)
