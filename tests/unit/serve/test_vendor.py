"""What is vendored is what its list says, and has its licences."""

import hashlib
import re
from pathlib import Path

import runoff

VENDOR = Path(runoff.__file__).parent / "serve" / "page" / "vendor"


def test_vendored_files_are_unchanged_and_licensed():
    text = (VENDOR / "README.md").read_text()
    listed = re.findall(r"^\| `([^`]+)` .* \| ([0-9a-f]{64}) \|$", text, re.MULTILINE)
    assert [name for name, _ in listed] == [p.name for p in sorted(VENDOR.glob("*.js"))]
    for name, digest in listed:
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest
    assert {path.name for path in VENDOR.glob("LICENSE*")} == {"LICENSE-htm", "LICENSE-preact"}
