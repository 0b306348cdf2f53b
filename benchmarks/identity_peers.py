"""Peers of record identity, each with its best known preparation; `identity.py` runs this file.

    PEERS/bin/python benchmarks/identity_peers.py < task.json

It needs an environment of its own: `pip install splink==5.0 recordlinkage==0.16 dedupe==3.0.3
BTrees==6.1 rapidfuzz scikit-learn`. A task names a system, a file of training records (with
`cluster`) and a file of test records, JSON Lines. The answer has, for training and test records,
the clusters at every threshold; the caller chooses the threshold. Seconds are CPU seconds of all
threads and children, without the other thresholds.

- splink: m from the labels of the training records, u from random pairs, connected components.
  Made-up people, of which there are no labels: u from random pairs, m by EM on two blocking rules.
- recordlinkage: all pairs, its string comparisons (Jaro-Winkler, q-grams, cosine of q-grams), its
  logistic regression, average link.
- dedupe: trained on pairs of the training records, its blocking and its own clustering.
- logistic: scikit-learn's logistic regression on similarities of pairs, average link; for authors.
"""

import json
import random
import resource
import sys
from itertools import combinations
from pathlib import Path

WEIGHTS = [weight / 2 for weight in range(-10, 91)]  # log2 of odds
CUTS = [cut / 40 for cut in range(1, 40)]
SHARES = "len(list_intersect({0}_l, {0}_r)) / greatest(1, len(list_distinct({0}_l || {0}_r)))"
CITATIONS = ("title", "author", "venue", "year", "pages")


def read(path):
    return [json.loads(line) for line in Path(path).read_text().splitlines()]


def spent():
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def components(ids, edges):
    """Cluster of each id, by links."""
    parent = {one: one for one in ids}

    def root(one):
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    for a, b in edges:
        a, b = root(a), root(b)
        if a != b:
            parent[max(a, b)] = min(a, b)
    return [root(one) for one in ids]


# splink


def token_levels(name):
    """A comparison by the share of tokens that two texts have in common."""
    import splink.comparison_level_library as cll
    import splink.comparison_library as cl

    share = SHARES.format(f"{name}_tokens")
    levels = [cll.NullLevel(name), cll.ExactMatchLevel(name)]
    levels += [
        {"sql_condition": f"{share} >= {least}", "label_for_charts": f"{name} {least}"}
        for least in (0.8, 0.6, 0.4, 0.2)
    ]
    return cl.CustomComparison([*levels, cll.ElseLevel()], output_column_name=name)


def citation_settings(matching):
    import splink.comparison_level_library as cll
    import splink.comparison_library as cl
    from splink import SettingsCreator, block_on

    years = [
        cll.NullLevel("year"),
        cll.ExactMatchLevel("year"),
        {
            "sql_condition": "abs(try_cast(year_l as int) - try_cast(year_r as int)) = 1",
            "label_for_charts": "one year apart",
        },
        cll.ElseLevel(),
    ]
    return SettingsCreator(
        link_type="dedupe_only",
        comparisons=[
            *map(token_levels, ("title", "author", "venue")),
            cl.CustomComparison(years, output_column_name="year"),
            cl.ExactMatch("pages"),
        ],
        blocking_rules_to_generate_predictions=[block_on("section")],
        unique_id_column_name="id",
        probability_two_random_records_match=matching,
        retain_intermediate_calculation_columns=False,
    )


def tokenised(records):
    import pandas

    rows = []
    for record in records:
        row = {"section": "test", **{name: record.get(name) for name in ("id", *CITATIONS)}}
        row |= {name: record[name] for name in ("section", "cluster") if name in record}
        for name in ("title", "author", "venue"):
            row[f"{name}_tokens"] = (row[name] or "").split()
        rows.append(row)
    return pandas.DataFrame(rows)


def splink_predictions(linker, least):
    predicted = linker.inference.predict(threshold_match_weight=least)
    start = spent()
    columns = "id_l, id_r, match_weight"
    edges = linker.misc.query_sql(f"select {columns} from {predicted.physical_name}", "pandas")
    return predicted, edges, spent() - start


def at_weights(ids, edges):
    """Clusters at every threshold of the match weight."""
    found = []
    for weight in WEIGHTS:
        taken = edges[edges.match_weight >= weight]
        found.append([weight, components(ids, zip(taken.id_l, taken.id_r, strict=True))])
    return found


def run_splink(train, test):
    from splink import DuckDBAPI, Linker

    start = spent()
    frame = tokenised(train)
    sizes, clusters = frame.groupby("section").size(), frame.groupby(["section", "cluster"]).size()
    matching = (clusters * (clusters - 1)).sum() / (sizes * (sizes - 1)).sum()
    linker = Linker(DuckDBAPI().register(frame), citation_settings(matching), log_level="ERROR")
    linker.training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    linker.training.estimate_m_from_label_column("cluster")
    settings = linker.misc.save_model_to_json()
    fit = spent() - start
    _, train_edges, _ = splink_predictions(linker, WEIGHTS[0])
    start = spent()
    linker = Linker(DuckDBAPI().register(tokenised(test)), settings, log_level="ERROR")
    predicted, edges, waste = splink_predictions(linker, WEIGHTS[0])
    linker.clustering.cluster_pairwise_predictions_at_threshold(predicted, 0.9)
    resolve = spent() - start - waste
    ids = [[record["id"] for record in records] for records in (train, test)]
    return at_weights(ids[0], train_edges), at_weights(ids[1], edges), fit, resolve


def name_levels():
    """First names: equal, swapped with the last name, alike, or one the other's initial."""
    import splink.comparison_level_library as cll
    import splink.comparison_library as cl

    swapped = "first_name_l = last_name_r and last_name_l = first_name_r"
    short = "least(length(first_name_l), length(first_name_r)) <= 2"
    initials = f"{short} and substr(first_name_l, 1, 1) = substr(first_name_r, 1, 1)"
    levels = [
        cll.NullLevel("first_name"),
        cll.ExactMatchLevel("first_name", term_frequency_adjustments=True),
        {"sql_condition": swapped, "label_for_charts": "swapped"},
        cll.JaroWinklerLevel("first_name", 0.9),
        {"sql_condition": initials, "label_for_charts": "initials"},
        cll.JaroWinklerLevel("first_name", 0.8),
        cll.ElseLevel(),
    ]
    return cl.CustomComparison(levels, output_column_name="first_name")


def people_settings():
    import splink.comparison_library as cl
    from splink import SettingsCreator, block_on

    initial = "substr(first_name, 1, 1)"
    rules = [
        block_on("street"),
        block_on("first_name", "last_name"),
        *(block_on("last_name", name) for name in ("city", "postcode", "born")),
        *(block_on("born", name) for name in ("city", "postcode", initial)),
        block_on("postcode", initial),
    ]
    tuned = {"term_frequency_adjustments": True}
    return SettingsCreator(
        link_type="dedupe_only",
        comparisons=[
            name_levels(),
            cl.JaroWinklerAtThresholds("last_name", [0.9, 0.8]).configure(**tuned),
            cl.JaroWinklerAtThresholds("middle_name", [0.9]),
            cl.DamerauLevenshteinAtThresholds("born", [1, 2]),
            cl.JaroWinklerAtThresholds("street", [0.95, 0.88]),
            cl.JaroWinklerAtThresholds("city", [0.9]).configure(**tuned),
            cl.DamerauLevenshteinAtThresholds("postcode", [1]),
        ],
        blocking_rules_to_generate_predictions=rules,
        unique_id_column_name="id",
        retain_intermediate_calculation_columns=False,
    )


STREETS = {"St.": "Street", "Rd.": "Road", "Ln.": "Lane", "Ave.": "Avenue", "Sq.": "Square"}


def people_linker(path, table="people"):
    import duckdb
    from splink import DuckDBAPI, Linker, block_on

    connection = duckdb.connect()
    connection.execute("set memory_limit = '8GB'")
    street = "street"
    for short, full in STREETS.items():
        street = f"replace({street}, '{short}', '{full}')"
    connection.execute(
        f"create table {table} as select * replace ({street} as street) "
        f"from read_csv('{path}', all_varchar=true)"
    )
    linker = Linker(DuckDBAPI(connection).register(table), people_settings(), log_level="ERROR")
    training = linker.training
    same = [block_on("first_name", "last_name", "born"), block_on("last_name", "street", "born")]
    training.estimate_probability_two_random_records_match(same, recall=0.7)
    training.estimate_u_using_random_sampling(max_pairs=2e6, seed=1)
    for rule in (block_on("first_name", "last_name"), block_on("born", "postcode")):
        training.estimate_parameters_using_expectation_maximisation(rule)
    return linker


def run_splink_people(path, train, threshold):
    """Fit to the records themselves and resolve them; clusters at all thresholds if it is None."""
    start = spent()
    linker = people_linker(path)
    fit = spent() - start
    start = spent()
    predicted = linker.inference.predict(threshold_match_weight=-2 if train else threshold)
    pairs = linker.misc.query_sql(f"select count(*) n from {predicted.physical_name}", "pandas")
    if train:
        columns = "id_l, id_r, match_weight"
        edges = linker.misc.query_sql(f"select {columns} from {predicted.physical_name}", "pandas")
        ids = linker.misc.query_sql("select id from people", "pandas").id.tolist()
        return {"ids": ids, "train": at_weights(ids, edges), "pairs": int(pairs.n[0])}
    clusters = linker.clustering.cluster_pairwise_predictions_at_threshold(
        predicted, threshold_match_weight=threshold
    )
    found = linker.misc.query_sql(f"select id, cluster_id from {clusters.physical_name}", "pandas")
    resolve = spent() - start
    return {
        "ids": found.id.tolist(), "test": found.cluster_id.tolist(),
        "fit": fit, "resolve": resolve, "pairs": int(pairs.n[0]),
    }  # fmt: skip


# recordlinkage, and a plain logistic regression


def average_link(ids, scores):
    """Clusters at every cut of average link; scores are those of all pairs of the ids, in order."""
    import numpy as np
    from scipy.cluster.hierarchy import fcluster, linkage

    if len(ids) == 1:
        return [[cut, [0]] for cut in CUTS]
    merges = linkage(1 - np.clip(scores, 0, 1), "average")
    return [[cut, fcluster(merges, 1 - cut, "distance").tolist()] for cut in CUTS]


def joined(parts):
    """Clusterings of blocks as one, with their ids."""
    found = []
    for k, cut in enumerate(CUTS):
        labels = [f"{i}:{label}" for i, part in enumerate(parts) for label in part[k][1]]
        found.append([cut, labels])
    return found


def blocks_of(records, column):
    blocks = {}
    for record in records:
        blocks.setdefault(record.get(column), []).append(record)
    return list(blocks.values())


def compared(records):
    """All pairs of records, compared by recordlinkage; missing values are 0, and are a feature."""
    import pandas
    import recordlinkage

    columns = {name: [record.get(name) for record in records] for name in CITATIONS}
    frame = pandas.DataFrame(columns, dtype=object)
    compare = recordlinkage.Compare()
    for name in ("title", "author", "venue"):
        compare.string(name, name, method="jarowinkler", label=f"{name} jw")
        compare.string(name, name, method="cosine", label=f"{name} cosine")
        compare.string(name, name, method="qgram", label=f"{name} q-grams")
    compare.exact("year", "year", label="year")
    compare.exact("pages", "pages", label="pages")
    pairs = pandas.MultiIndex.from_tuples(combinations(range(len(records)), 2))
    features = compare.compute(pairs, frame).fillna(0.0)
    for name in CITATIONS:
        absent = frame[name].isna().to_numpy()
        features[f"no {name}"] = [float(absent[i] or absent[j]) for i, j in pairs]
    return features


def run_recordlinkage(train, test):
    import pandas
    import recordlinkage

    start = spent()
    parts, matches = [], []
    blocks = blocks_of(train, "section")
    for number, block in enumerate(blocks):
        features = compared(block)
        same = [block[i]["cluster"] == block[j]["cluster"] for i, j in features.index]
        names = [(f"{number}:{i}", f"{number}:{j}") for i, j in features.index]
        features.index = pandas.MultiIndex.from_tuples(names)
        parts.append(features)
        matches.append(features.index[same])
    learner = recordlinkage.LogisticRegressionClassifier()
    links = matches[0].append(matches[1:]) if len(matches) > 1 else matches[0]
    learner.fit(pandas.concat(parts), links)
    fit = spent() - start
    own = [average_link(b, learner.prob(p).to_numpy()) for b, p in zip(blocks, parts, strict=True)]
    start = spent()
    scores = learner.prob(compared(test)).to_numpy()
    found = average_link(test, scores)
    return joined(own), found, fit, spent() - start, ids_of(blocks)


def ids_of(blocks):
    return [record["id"] for block in blocks for record in block]


def author_features(block):
    """Similarities of all pairs of references in a block: co-authors, title, venue, year."""
    from rapidfuzz import fuzz

    def shared(a, b):
        return len(a & b), len(a & b) / max(1, min(len(a), len(b)))

    rows = []
    for a, b in combinations(block, 2):
        authors = shared(set(a.get("coauthors") or ()), set(b.get("coauthors") or ()))
        words = shared(*(set((r.get("title") or "").lower().split()) for r in (a, b)))
        venues = [(r.get("venue") or "").lower() for r in (a, b)]
        apart = abs(int(a.get("year") or 0) - int(b.get("year") or 0))
        rows.append(
            [
                *(*authors, min(authors[0], 1), *words, fuzz.token_sort_ratio(*venues) / 100),
                *(venues[0] == venues[1], min(apart, 10) / 10, apart == 0, len(block) / 100),
            ]
        )
    return rows


def run_logistic(train, test):
    import numpy as np
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    start = spent()
    blocks, tests = blocks_of(train, "block"), blocks_of(test, "block")
    parts = [author_features(block) for block in blocks]
    same = [a["cluster"] == b["cluster"] for block in blocks for a, b in combinations(block, 2)]
    learner = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    learner.fit(np.array([row for part in parts for row in part]), same)
    fit = spent() - start

    def link(block, part):
        if len(block) == 1:
            return average_link(block, [])
        return average_link(block, learner.predict_proba(np.array(part))[:, 1])

    own = [link(block, part) for block, part in zip(blocks, parts, strict=True)]
    start = spent()
    found = [link(block, author_features(block)) for block in tests]
    resolve = spent() - start
    return joined(own), joined(found), fit, resolve, ids_of(blocks), ids_of(tests)


# dedupe


def run_dedupe(train, test, pairs=1000):
    import dedupe
    import numpy as np

    random.seed(1)
    np.random.seed(1)
    fields = ("title", "author", "venue", "year", "pages")
    kinds = [dedupe.variables.String(name, has_missing=True) for name in fields]
    kinds += [dedupe.variables.Text(name, has_missing=True) for name in fields[:3]]
    data = [
        {record["id"]: {name: record.get(name) for name in fields} for record in records}
        for records in (train, test)
    ]
    start = spent()
    matches, distinct = [], []
    for block in blocks_of(train, "section"):
        for a, b in combinations(block, 2):
            same = a["cluster"] == b["cluster"]
            (matches if same else distinct).append((data[0][a["id"]], data[0][b["id"]]))
    deduper = dedupe.Dedupe(kinds, num_cores=0, in_memory=True)
    deduper.prepare_training(data[0], sample_size=5000)
    marked = {
        "match": random.sample(matches, min(pairs, len(matches))),
        "distinct": random.sample(distinct, min(pairs, len(distinct))),
    }
    deduper.mark_pairs(marked)
    deduper.train(recall=0.95)
    fit = spent() - start

    def resolved(records):
        scores = deduper.score(deduper.pairs(records))
        found = []
        for cut in CUTS:
            labels = {}
            for number, (members, _) in enumerate(deduper.cluster(scores, cut)):
                labels |= dict.fromkeys(members, number)
            found.append([cut, [labels.get(one, one) for one in records]])
        return found

    start = spent()
    found = resolved(data[1])
    resolve = spent() - start
    return resolved(data[0]), found, fit, resolve


RUNS = {
    "splink": run_splink, "recordlinkage": run_recordlinkage,
    "dedupe": run_dedupe, "logistic": run_logistic,
}  # fmt: skip


def peak():
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))


def main():
    task = json.load(sys.stdin)
    if task["system"] == "splink-people":
        answer = run_splink_people(task["path"], task["train"], task["threshold"])
    else:
        train, test = read(task["train"]), read(task["test"])
        own, found, fit, resolve, *ids = RUNS[task["system"]](train, test)
        answer = {
            "train_ids": ids[0] if ids else [record["id"] for record in train],
            "test_ids": ids[1] if len(ids) > 1 else [record["id"] for record in test],
            "train": own, "test": found, "fit": fit, "resolve": resolve,
        }  # fmt: skip
    Path(task["answer"]).write_text(json.dumps({**answer, "memory": peak()}, default=str))


if __name__ == "__main__":
    main()
