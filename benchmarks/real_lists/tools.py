"""Other people's programs, unpacked into a folder without installing anything.

Debian's aspell, flite and fortunes by `apt-get download`; `aspell create` makes the
dictionary that the package's installation would have made.
"""

import gzip
import os
import subprocess
from pathlib import Path

PACKAGES = (
    *("aspell", "aspell-en", "libaspell15", "fortunes", "fortunes-min"),
    *("flite", "libflite1"),
)


class Tools:
    """Programs below a folder, which are fetched when it is empty."""

    def __init__(self, folder):
        self.root = Path(folder).absolute() / "root"
        self.environment = {
            **os.environ,
            "LD_LIBRARY_PATH": str(self.root / "usr/lib/x86_64-linux-gnu"),
        }
        if not self.root.exists():
            self._unpack()
        self.words = self.root / "words"
        if not self.words.exists():
            self._make_words()

    def _unpack(self):
        downloads = self.root.parent / "packages"
        downloads.mkdir(parents=True, exist_ok=True)
        subprocess.run(["apt-get", "download", *PACKAGES], cwd=downloads, check=True)
        for package in sorted(downloads.glob("*.deb")):
            subprocess.run(["dpkg", "-x", package, self.root], check=True)

    def _make_words(self):
        """Make aspell's American dictionary of its compressed word lists."""
        self.words.mkdir()
        for name in ("en-common", "en_US-wo_accents-only"):
            packed = (self.root / f"usr/share/aspell/{name}.cwl.gz").read_bytes()
            listed = self.run("prezip-bin", "-d", given=gzip.decompress(packed))
            master = self.words / f"{name}.rws"
            self.run("aspell", *self._language, "create", "master", str(master), given=listed)
        adds = [f"add {name.name}" for name in sorted(self.words.glob("*.rws"))]
        (self.words / "en.multi").write_text("\n".join([*adds, ""]))

    @property
    def _language(self):
        return ("--lang=en", f"--data-dir={self.root / 'usr/lib/aspell'}")

    @property
    def aspell(self):
        """The options with which aspell finds its dictionary."""
        return (*self._language, f"--dict-dir={self.words}", f"--master={self.words / 'en.multi'}")

    def run(self, program, *arguments, given=None):
        """What a program prints, as bytes."""
        command = [self.root / "usr/bin" / program, *arguments]
        done = subprocess.run(
            command, input=given, env=self.environment, check=True, capture_output=True
        )
        return done.stdout
