"""One generator for every test that needs luck, and no progress bars."""

import os

import numpy as np
import pytest
from hypothesis import settings

os.environ["TQDM_DISABLE"] = "1"  # notebook kernels inherit it
settings.register_profile("book", derandomize=True, deadline=None, database=None)
settings.load_profile("book")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20250225)
