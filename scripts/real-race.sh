#!/usr/bin/env bash
# Races real small models on a real llama.cpp server and verifies the races: lanes/real-qwen-1.5b.toml, lanes/real-gemma.toml.
#   scripts/real-race.sh [--if-possible] [GAUNTLET] [OUT]
# GAUNTLET is the program (default: cargo run --release --), OUT the folder for the races (default: races). With --if-possible
# a machine that cannot have the server's packages is told so and is no failure.
set -euo pipefail
if_possible=
[ "${1:-}" != --if-possible ] || { if_possible=1; shift; }
cd "$(dirname "$0")/.."
out=${2:-races}
if [ -n "${1:-}" ]; then gauntlet=("$1"); else gauntlet=(cargo run --release --quiet --); fi

pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null || true' EXIT
for model in qwen-1.5b gemma; do
  if ! started=$(scripts/real-server.sh "$model" 18080); then
    echo "no real race with $model: its server or packages cannot be had here" >&2
    [ -n "$if_possible" ] && continue
    exit 1
  fi
  echo "$started"
  pid=$(sed -n 's/^pid=\([0-9]*\).*/\1/p' <<<"$started")
  "${gauntlet[@]}" race --plain --lane "lanes/real-$model.toml" --out "$out"
  kill "$pid"
  pid=
  "${gauntlet[@]}" verify "$out"
done
