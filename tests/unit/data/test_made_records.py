"""Made-up records: as many as asked for, the same by seed, with the errors they should have."""

from __future__ import annotations

from collections import Counter

import pytest

from runoff.data.demo.records import FIELDS, SIZES, corrupted_records
from runoff.errors import UsageError


def test_the_same_seed_gives_the_same_records_and_another_others():
    assert corrupted_records(300, seed=3) == corrupted_records(300, seed=3)
    assert corrupted_records(300, seed=3) != corrupted_records(300, seed=4)


@pytest.mark.parametrize("count", [1, 2, 777])
def test_records_are_as_many_as_asked_for_with_ids_of_their_own(count):
    records = corrupted_records(count)
    assert len(records) == len(set(records.ids)) == count
    assert records.fields == ["cluster", *FIELDS]
    assert all(len(column) == count for column in records.columns.values())


def test_clusters_have_the_sizes_asked_for():
    records = corrupted_records(20_000)
    sizes = Counter(Counter(records.columns["cluster"]).values())
    people = sum(sizes.values())
    for size, share in SIZES.items():
        assert sizes[size] / people == pytest.approx(share, abs=0.02)
    pairs = corrupted_records(100, sizes={2: 1})
    assert set(Counter(pairs.columns["cluster"]).values()) == {2}


def test_without_noise_records_of_a_person_are_copies():
    records = corrupted_records(2000, noise=0)
    rows = zip(*(records.columns[name] for name in records.fields), strict=True)
    people = {}
    for cluster, *values in rows:
        assert people.setdefault(cluster, values) == values
    homes = Counter((street, city) for *_, street, city, _ in people.values())
    assert 0.1 < sum(size for size in homes.values() if size > 1) / len(people) < 0.6


def test_errors_are_of_every_kind():
    count = 5000
    clean, dirty = (corrupted_records(count, seed=1, noise=noise) for noise in (0, 1))
    assert clean.columns["cluster"] == dirty.columns["cluster"]
    rows = range(count)

    def share(name, test):
        pairs = ((clean.columns[name][i], dirty.columns[name][i]) for i in rows)
        return sum(bool(a) and test(a, b, i) for i, (a, b) in enumerate(pairs)) / count

    assert 0.04 < share("city", lambda a, b, _: b is None) < 0.08
    assert 0.07 < share("city", lambda a, b, _: b is not None and a != b) < 0.14
    assert 0.1 < share("first_name", lambda a, b, _: b == a[0] + ".") < 0.17
    lasts = clean.columns["last_name"]
    assert 0.015 < share("first_name", lambda a, b, i: b == lasts[i]) < 0.035
    assert share("street", lambda a, b, _: bool(b) and b.endswith(".")) > 0.2


def test_settings_that_make_no_sense_are_errors():
    with pytest.raises(UsageError, match="count must be at least 1, not 0"):
        corrupted_records(0)
    with pytest.raises(UsageError, match="sizes must map numbers of records to shares"):
        corrupted_records(5, sizes={0: 1})
