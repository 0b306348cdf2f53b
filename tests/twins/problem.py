"""A slow, obvious twin of `build_problem`: dictionaries instead of arrays."""

from fractions import Fraction

import numpy as np


def encode(all_features, min_lists, thresholds, bins):
    """Names kept, and per candidate {name: value}.

    `all_features` has one list of dictionaries per n-best list.
    """
    real = {
        name
        for features in all_features
        for own in features
        for name, value in own.items()
        if value < 0 or value != int(value)
    }

    cuts = {name: cut_points(all_features, name, bins) for name in real} if bins else {}

    def split(own):
        result = {}
        for name, value in own.items():
            if value == 0:
                continue
            if bins and name in real:
                for cut in cuts[name]:
                    if value >= cut > 0:
                        result[f"{name}>={cut:.6g}"] = 1.0
                    if value <= cut < 0:
                        result[f"{name}<={cut:.6g}"] = 1.0
            elif not thresholds or name in real:
                result[name] = value
            else:
                for threshold in thresholds:
                    if value >= threshold:
                        result[name if threshold == 1 else f"{name}>={threshold}"] = 1.0
        return result

    rows = [[split(own) for own in features] for features in all_features]
    telling = [without_shared(features) for features in rows]
    counts = {}
    for features, told in zip(rows, telling, strict=True):
        for name in set().union(*features):
            binned = bins and name.replace("<", ">").partition(">")[0] in real
            if not binned or any(name in own for own in told):
                counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if count >= min_lists)
    encoded = [
        {name: value for name, value in own.items() if name in names}
        for features in telling
        for own in features
    ]
    return names, encoded


def without_shared(features):
    """The features of a list without those that have one value in all of its candidates."""
    names = set().union(*features)
    shared = {name for name in names if len({own.get(name, 0) for own in features}) == 1}
    return [{name: own[name] for name in own if name not in shared} for own in features]


def cut_points(all_features, name, bins):
    """Quantiles of the values of a feature that are not 0, where it tells candidates apart."""
    values = sorted(
        own[name]
        for features in all_features
        for own in without_shared(features)
        if own.get(name, 0) != 0
    )
    places = [k * len(values) // (bins + 1) for k in range(1, bins + 1)]
    return sorted({towards_zero(values[place]) for place in places}) if values else []


def towards_zero(value):
    """The value with six digits, the rest cut off."""
    exact, exponent = Fraction(value), 0
    while abs(exact) >= Fraction(10) ** (exponent + 1):
        exponent += 1
    while abs(exact) < Fraction(10) ** exponent:
        exponent -= 1
    unit = Fraction(10) ** (exponent - 5)
    return float(int(exact / unit) * unit)


def decoded(problem, space):
    """Per candidate {name: value}, of a problem."""
    values = problem.feature_values
    if values is None:
        values = np.ones(len(problem.feature_ids))
    return [
        {space.names[problem.feature_ids[at]]: values[at] for at in range(first, last)}
        for first, last in zip(problem.feature_offsets, problem.feature_offsets[1:], strict=False)
    ]
