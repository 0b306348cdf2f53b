"""Examples at the end of the help of every verb; `tests/unit/cli/test_help.py` checks them."""

from __future__ import annotations

EXAMPLES = {
    "demo": ["runoff demo", "runoff demo --write ."],
    "check": ["runoff check train.jsonl", "runoff check trees.mrg --clean"],
    "inspect": ["runoff inspect train.jsonl --metric wer", "runoff inspect speech.runoff --top 20"],
    "convert": [
        "runoff convert heard.csv heard.jsonl --merge sum",
        "runoff convert ranked.jsonl best.txt",
    ],
    "score": [
        "runoff score test.jsonl --lm words.runoff -o scored.jsonl",
        "runoff score test.jsonl --cmd 'python verify.py' --name verified",
    ],
    "features": ["runoff features train.jsonl --metric wer -o train.npz"],
    "fit": [
        "runoff fit train.jsonl --metric wer -o speech.runoff",
        "runoff fit train.jsonl --dev dev.jsonl --metric wer --budget 60s -o speech.runoff",
        "runoff fit answers.json --map input=prompt,output=completions,quality=rewards -o m.runoff",
    ],
    "rerank": [
        "runoff rerank speech.runoff test.jsonl -o ranked.jsonl",
        "runoff rerank speech.runoff test.jsonl --best > best.txt",
    ],
    "evaluate": ["runoff evaluate ranked.jsonl --metric wer"],
    "why": [
        "runoff why speech.runoff test.jsonl --id u221 --top 5",
        "runoff why speech.runoff test.jsonl --worse --metric wer",
    ],
    "serve": ["runoff serve speech.runoff test.jsonl"],
    "report": ["runoff report test.jsonl --model speech.runoff --metric wer -o report.html"],
    "propose chunking": [
        "runoff propose chunking --crfsuite chunks.crfsuite --n 20 items.txt -o lists.jsonl"
    ],
    "propose linkages": ["runoff propose linkages train.conllu --n 100 -o train.jsonl"],
    "gather": ["runoff gather parts -o trees.mrg"],
    "tag": ["echo 'The votes were counted twice.' | runoff tag"],
    "chunk": ["echo 'The votes were counted twice.' | runoff chunk --inline"],
    "names": ["echo 'The vote was held in Rome.' | runoff names names.runoff"],
    "parse": ["echo 'The votes were counted twice.' | runoff parse --draw"],
    "predict": ["echo 'The votes were ___ twice.' | runoff predict"],
    "proof": ["runoff proof letter.txt"],
    "translate": ["runoff translate german.runoff text.txt --why"],
    "resolve": ["runoff resolve people.runoff people.csv"],
    "align": ["runoff align text.de text.en"],
    "train tagging": ["runoff train tagging train.tsv --dev dev.tsv -o votes.tagger"],
    "train chunking": ["runoff train chunking train.txt --dev dev.txt -o chunks.runoff"],
    "train names": ["runoff train names train.txt --dev dev.txt -o names.runoff"],
    "train parsing": ["runoff train parsing train.mrg --dev dev.mrg -o votes.parser"],
    "train words": ["runoff train words plain.txt -o words.runoff"],
    "train lm": ["runoff train lm text.txt --order 3 -o news.runoff"],
    "train proofing": ["runoff train proofing text.txt -o confusables.runoff"],
    "train translation": [
        "runoff train translation --source train.de --target train.en --dev-source dev.de "
        "--dev-target dev.en -o german.runoff"
    ],
    "train identity": ["runoff train identity people.csv --cluster person -o people.runoff"],
    "reproduce": ["runoff reproduce collins-koo-2005"],
}
"""Commands that a newcomer types first, by verb."""
