"""Places and stacked features, candidate by candidate."""

from twins.ranking import candidates_of


def stacked(problem, scores, ranks, with_scores):
    """Per candidate {feature id: value}."""
    result = []
    for number in range(problem.n_lists):
        first = int(problem.list_offsets[number])
        candidates = candidates_of(problem, number)
        keys = [(scores[first + j], logprob) for j, (_, logprob) in enumerate(candidates)]
        for j, (features, _) in enumerate(candidates):
            place = sum(key > keys[j] for key in keys)
            new = [float(place < rank) for rank in ranks]
            if with_scores:
                new.append(scores[first + j] - max(key[0] for key in keys))
            added = {problem.n_features + k: value for k, value in enumerate(new) if value}
            result.append({**features, **added})
    return result
