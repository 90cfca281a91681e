"""Whatever is given: a float, a whole number, an array of floats, or a ValueError."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pmeanlib import _checks

NO_NUMBERS = (
    None, "1", b"1", True, np.True_, 1j, [], {}, object(), Decimal(1), 10**400,
    -(10**400), Fraction(10**400), math.nan, np.timedelta64(5, "D"),
    np.datetime64("2025-02-25"), np.ma.masked, np.array([1.0, 2.0]),
)  # fmt: skip
NO_ARRAYS = (
    None, "1", b"1", ["1", "2"], np.array(["1"]), np.array(["1"], object), [None, 1],
    [1, 1j], np.array([1 + 0j]), [[1, 2], [1]], [10**400], {1: 2}, {1, 2}, object(),
    np.array(["2025-02-25"], "datetime64[D]"), np.array([5], "timedelta64[D]"),
    [np.timedelta64(5, "D")], np.ma.array([1.0, 2.0], mask=[False, True]),
    np.ma.array([1.0]), np.zeros(1, [("a", float)]), (x for x in (1, 2)),
)  # fmt: skip


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_no_number(value):
    with pytest.raises(ValueError, match=r"^x must be a number, got"):
        _checks.real("x", value)
    with pytest.raises(
        ValueError, match=r"^x must be a whole number in \[2, 1e\+06\], got"
    ):
        _checks.integer("x", value, 2, 1e6)


@pytest.mark.parametrize("value", NO_ARRAYS)
@pytest.mark.filterwarnings("error")
def test_what_is_no_array_of_numbers(value):
    with pytest.raises(ValueError, match=r"^x must be an array of numbers, got"):
        _checks.array("x", value)


@pytest.mark.parametrize("value", [[math.nan], [math.inf], [-1], [1, -2], -0.5])
def test_numbers_outside(value):
    with pytest.raises(
        ValueError, match=r"^x must be finite numbers of at least 0, got"
    ):
        _checks.array("x", value)


def test_an_empty_array():
    for value in ([], np.empty((0, 3)), np.array([], object)):
        with pytest.raises(ValueError, match="x must hold at least one number, got no"):
            _checks.array("x", value)


@given(st.lists(st.integers(0, 10**40) | st.floats(0, 1e300) | st.fractions(0, 9)))
def test_numbers_of_every_kind_become_the_nearest_floats(values):
    values.append(1)
    for given_as in (values, np.array(values, object), tuple(values)):
        x = _checks.array("x", given_as)
        assert x.dtype == float
        assert x.tolist() == [float(value) for value in values]


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "longdouble"])
def test_every_real_dtype(dtype):
    x = np.array([[0, 1]], dtype)
    assert _checks.array("x", x).tolist() == [[0.0, 1.0]]


def test_an_array_of_floats_is_not_copied():
    x = np.ones(3)
    assert _checks.array("x", x) is x


@given(st.integers(-(10**40), 10**40))
def test_whole_numbers_stay_exact(value):
    assert _checks.integer("x", value, -(10**40)) == value
    assert _checks.real("x", value) == float(value)
    if abs(value) > 9:
        with pytest.raises(ValueError, match=rf"in \[-9, 9\], got {value}$"):
            _checks.integer("x", value, -9, 9)
