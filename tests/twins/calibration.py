"""Isotonic regression by the max-min formula, with a made-up list at either end."""


def isotonic(margins, correct):
    """The fitted share of each list: max over starts of min over ends of the mean between."""
    rows = sorted(
        [*zip(margins, correct, strict=True), (min(margins), True), (max(margins), False)]
    )
    values = sorted({margin for margin, _ in rows})

    def mean(low, high):
        own = [hit for margin, hit in rows if low <= margin <= high]
        return sum(own) / len(own)

    return {
        at: max(
            min(mean(low, high) for high in values if high >= at) for low in values if low <= at
        )
        for at in values
    }
