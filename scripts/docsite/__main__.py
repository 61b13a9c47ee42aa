"""`python -m scripts.docsite FOLDER PYTHON`: build the site in FOLDER/html, with the Sphinx of another environment."""

import subprocess
import sys
from pathlib import Path

from scripts.docsite.gather import gather

CONFIGURATION = Path(__file__).parent
STRICT = ("--fail-on-warning", "--keep-going", "--nitpicky")


def sphinx(source: Path, into: Path, python: str) -> subprocess.CompletedProcess[str]:
    """Build the site of gathered pages. Each warning is an error, such as that of a link to a missing anchor."""
    trees = into.with_name(f"{into.name}-trees")
    options = ["--quiet", "--jobs=auto", *STRICT, f"--conf-dir={CONFIGURATION}", f"--doctree-dir={trees}"]
    command = [python, "-m", "sphinx", *options, "--builder=html", str(source), str(into)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def main(folder: Path, python: str) -> int:
    """Build the site, print where it is or what is wrong, and return the exit status."""
    gather(folder / "source")
    done = sphinx(folder / "source", folder / "html", python)
    print(done.stderr or f"built: {folder / 'html' / 'index.html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
