"""A slow, obvious twin of `build_problem`: dictionaries instead of arrays."""


def encode(all_features, min_lists, thresholds):
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

    def split(own):
        result = {}
        for name, value in own.items():
            if value == 0:
                continue
            if not thresholds or name in real:
                result[name] = value
            else:
                for threshold in thresholds:
                    if value >= threshold:
                        result[name if threshold == 1 else f"{name}>={threshold}"] = 1.0
        return result

    rows = [[split(own) for own in features] for features in all_features]
    counts = {}
    for features in rows:
        for name in set().union(*features) if features else ():
            counts[name] = counts.get(name, 0) + 1
    names = sorted(name for name, count in counts.items() if count >= min_lists)
    encoded = []
    for raw, features in zip(all_features, rows, strict=True):
        shared = (
            {name for name in set().union(*raw) if len({own.get(name, 0) for own in raw}) == 1}
            if raw
            else set()
        )
        for own in features:
            encoded.append(
                {
                    name: value
                    for name, value in own.items()
                    if name in names and name.partition(">=")[0] not in shared
                }
            )
    return names, encoded
