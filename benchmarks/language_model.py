"""KenLM as a peer: 5-grams of the same text, and the word that fits a gap best.

`lmplz` is built from the source of KenLM (`pip download --no-binary :all: kenlm`, `lm/builder`);
`pip install kenlm` asks the model.
"""

import subprocess
import tempfile
from pathlib import Path

import numpy as np

ORDER = 5
REACH = ORDER - 1  # words on either side whose probability the word in a gap has a part in


def language_model(program, lines):
    """The model that `lmplz -o 5` makes of lines of tokens."""
    import kenlm

    with tempfile.TemporaryDirectory() as folder:
        text, arpa = Path(folder) / "text", Path(folder) / "arpa"
        with text.open("w") as stream:
            stream.writelines(f"{line}\n" for line in lines)
        command = [program, "-o", str(ORDER), "-S", "2G", "-T", folder]
        with text.open() as given, arpa.open("w") as made:
            subprocess.run(command, stdin=given, stdout=made, check=True, stderr=subprocess.DEVNULL)
        text.unlink()
        return kenlm.Model(str(arpa))


def fill_gap(lm, words, place, candidates):
    """Which of the candidates makes the words around a place most probable."""
    from kenlm import State

    before, behind = words[max(place - REACH, 0) : place], words[place + 1 : place + 1 + REACH]
    state, other = State(), State()
    lm.NullContextWrite(state)
    for word in before:
        lm.BaseScore(state, word, other)
        state, other = other, state
    scores = []
    for candidate in candidates:
        own, spare = State(), State()
        score = lm.BaseScore(state, candidate, own)
        for word in behind:
            score += lm.BaseScore(own, word, spare)
            own, spare = spare, own
        scores.append(score)
    return int(np.argmax(scores))
