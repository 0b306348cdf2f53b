"""Damage to files."""


def flipped(data, at=None):
    """The bytes with one of them changed, that in the middle unless another is named."""
    at = len(data) // 2 if at is None else at
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]
