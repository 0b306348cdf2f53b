"""The weight of the log-probability before any feature has one: a0 of Collins & Koo 2005.

Both losses are convex in a0, so the sign of their slope leads to the minimum by bisection. The
paper steps through (0, 10] by 0.001 instead; the range is the same here. Kudo, Suzuki & Isozaki
2005 use a rule of Freund et al. 2003 instead, which is a step towards that minimum.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from runoff.problem.problem import Floats, Integers

LEAST, MOST = 0.001, 10.0


def exp_loss_weight(gaps: Floats, log_s: Floats) -> float:
    """The a that minimises the sum of S exp(-a gap), equation 12.

    Parameters
    ----------
    gaps : L(best) - L(worse) of every pair.
    log_s : logarithm of every pair's weight S.

    Examples
    --------
    Two pairs the base system has right and one it has wrong, by the same gap:
    2 exp(-a) + exp(a) is lowest at a = log(2) / 2.

    >>> round(exp_loss_weight(np.array([1.0, 1.0, -1.0]), np.zeros(3)), 6)
    0.346574
    """

    def slope(a: float) -> int:
        terms = gaps * -a  # in place from here on: there may be a million pairs
        terms += log_s
        terms -= terms.max(initial=0.0)
        np.exp(terms, out=terms)
        terms *= gaps
        return -exact_sum(terms)

    return _root(slope)


def freund_weight(gaps: Floats) -> float:
    """The weight that one step of the rule for real-valued features gives.

    The third method of Freund et al. (2003), section 3.2: a = 1/2 log((1 + r) / (1 - r)), r being
    the mean difference over pairs of a feature whose differences lie between -1 and 1. The unit of
    log-probabilities that makes them so is the largest gap.

    Parameters
    ----------
    gaps : L(best) - L(worse) of every pair.

    Examples
    --------
    Gaps of one size make the rule exact, see `exp_loss_weight`.

    >>> round(freund_weight(np.array([1.0, 1.0, -1.0])), 6)
    0.346574
    """
    unit = float(np.abs(gaps).max(initial=0.0))
    if unit == 0.0:
        return 1.0
    r = math.fsum(gaps / unit) / len(gaps)  # correctly rounded: the order of pairs does not matter
    if abs(r) >= 1.0:
        return math.copysign(MOST, r)
    return math.atanh(r) / unit  # 1/2 log((1 + r) / (1 - r))


def log_loss_weight(gaps: Floats, starts: Integers) -> float:
    """The a that minimises the sum over lists of log(1 + sum of exp(-a gap)).

    Parameters
    ----------
    gaps : L(best) - L(worse) of every pair, list by list.
    starts : the first pair of each list.
    """

    def slope(a: float) -> int:
        exponents = -a * gaps
        sizes = np.diff(starts, append=len(gaps))
        most = np.maximum(np.maximum.reduceat(exponents, starts), 0.0)
        q = np.exp(exponents - np.repeat(most, sizes))
        q /= np.repeat(np.exp(-most) + np.add.reduceat(q, starts), sizes)
        return exact_sum(np.add.reduceat(-gaps * q, starts))

    return _root(slope) if len(gaps) else 1.0


def _root(slope: Callable[[float], int]) -> float:
    """Where a rising slope changes its sign, within the range; the middle of it if it is flat."""
    low, high = LEAST, MOST
    if slope(low) >= 0 and slope(high) > 0:
        return low
    if slope(high) <= 0 and slope(low) < 0:
        return high
    if slope(low) == slope(high) == 0:
        return 1.0
    while high - low > 1e-13 * high:
        middle = (low + high) / 2
        if slope(middle) > 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def exact_sum(numbers: Floats) -> int:
    """The sum in units of a power of two, rounded term by term: its order does not matter.

    Examples
    --------
    >>> exact_sum(np.array([0.1, 0.2, -0.3])) == exact_sum(np.array([-0.3, 0.2, 0.1]))
    True
    """
    largest = float(max(numbers.max(initial=0.0), -numbers.min(initial=0.0))) * len(numbers)
    if largest == 0.0:
        return 0
    scale = math.ldexp(1.0, 61 - max(math.frexp(largest)[1], -900))
    return int(np.rint(numbers * scale).astype(np.int64).sum())
