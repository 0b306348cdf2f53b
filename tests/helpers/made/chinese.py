"""Small Chinese documents of our own, with the names of persons and places."""

from runoff.data.sentence import Sentence

TEXT = [
    ("王 小明 住 在 天津 。", "B-PER I-PER O O B-LOC O"),
    ("李 红 来到 天津 。", "B-PER I-PER O B-LOC O"),
    ("天津 很 大 。", "B-LOC O O O"),
    ("我们 住 在 上海 。", "O O O B-LOC O"),
    ("李 小明 来到 上海 。", "B-PER I-PER O B-LOC O"),
    ("上海 也 很 大 。", "B-LOC O O O O"),
]


def sentences():
    """Two sentences per document."""
    return [
        Sentence(tuple(words.split()), gold=tuple(tags.split()), document=f"d{i // 2}")
        for i, (words, tags) in enumerate(TEXT)
    ]
