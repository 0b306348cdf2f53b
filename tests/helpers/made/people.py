"""Made-up people, each of them in several records with small errors."""

import random

GIVEN = "Ada Grace Alan Edsger Barbara Donald Frances John Jean Ken Margaret Niklaus".split()
LAST = (
    "Byron Hopper Turing Dijkstra Liskov Knuth Allen Backus Sammet Thompson Hamilton Wirth".split()
)
TOWNS = "London Arlington Manchester Nuenen Boston Stanford".split()
WORKS = [
    "notes on the analytical engine",
    "a compiler for business words",
    "computable numbers and their limits",
    "structured programs without jumps",
    "abstract types for programs",
    "the art of programming in volumes",
]


def made_records(people, *, seed):
    """Three records of each of some people, as dictionaries, shuffled."""
    draw = random.Random(seed)
    rows = []
    for person in range(people):
        given, last = GIVEN[person % len(GIVEN)], LAST[person * 5 % len(LAST)]
        work = WORKS[(person * 7 + person // 6) % len(WORKS)]
        for copy in range(3):
            name = (f"{given} {last}", f"{given[0]}. {last}", f"{last}, {given}")[copy]
            spot = draw.randrange(1, len(work) - 1)
            title = work if copy == 0 else work[:spot] + draw.choice("aeiou") + work[spot + 1 :]
            rows.append(
                {
                    "id": f"{seed}-{person}-{copy}",
                    "name": name,
                    "title": title,
                    "town": TOWNS[person % len(TOWNS)] if draw.random() < 0.9 else None,
                    "year": str(1940 + person * 3),
                    "cluster": f"{seed}-{person}",
                }
            )
    draw.shuffle(rows)
    return rows
