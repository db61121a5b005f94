#!/usr/bin/env bash
# Writes requirements.lock: the newest versions of everything that pyproject.toml and its extras ask for.
# usage: tools/lock.sh [PIP-COMPILE]
set -euo pipefail
cd "$(dirname "$0")/.."

"${1:-.venv/bin/pip-compile}" --quiet --upgrade --all-extras --allow-unsafe --strip-extras --no-annotate --no-header \
  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file requirements.lock pyproject.toml
# A version of one kind of machine (+cpu) means the same version on another; Belie itself is not locked.
sed -i.bak -E 's/\+[a-z0-9.]+$//; /^(-e|belie|file:)/d' requirements.lock
rm requirements.lock.bak
