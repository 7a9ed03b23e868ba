#!/usr/bin/env bash
# Generation speed beside PyPI reasoning-gym 0.1.25: nearest kin pair by pair, one core, CPU time, a Markdown table on stdout.
# Usage: benches/side_by_side.sh [SECONDS A REPEAT, default 2]. Core: CORE=1. Needs python3 with venv, network on the first run.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-2}
core=${CORE:-1}
version=0.1.25
venv=${XDG_CACHE_HOME:-$HOME/.cache}/gauntlet-benches/reasoning-gym-$version
if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet "reasoning-gym==$version"
fi
items=$(cargo build --release --locked --bench items --message-format=json-render-diagnostics |
  sed -n '/"name":"items"/s/.*"executable":"\([^"]*\)".*/\1/p')
[ -x "$items" ] || { echo "no bench executable" >&2; exit 1; }

# set/setting family/level
pairs=(
  "jugs/easy river-ferry/1" "jugs/default river-ferry/5"
  "sokoban/6x6-2-boxes sokoban/1" "sokoban/7x7-3-boxes sokoban/3"
  "zebra_puzzles/3x3 bench-seating/1" "zebra_puzzles/default bench-seating/5"
  "futoshiki/4x4-d0 skyscrapers/2" "futoshiki/5x5-d1 skyscrapers/4" "futoshiki/6x6-d2 skyscrapers/5"
  "bf/d1 trace/1" "bf/d3 trace/5"
  "color_cube_rotation/1-3 cups/1" "color_cube_rotation/20 cups/7"
)
echo "load before: $(cut -d' ' -f1-3 /proc/loadavg)" >&2
echo "| reasoning-gym | items/CPU-s | gauntlet | targets/CPU-s | ratio | tasks/CPU-s | ratio |"
echo "|---|--:|---|--:|--:|--:|--:|"
for pair in "${pairs[@]}"; do
  theirs=${pair% *} ours=${pair#* }
  them=$(taskset -c "$core" "$venv/bin/python" benches/reasoning_gym_speed.py --seconds "$seconds" "$theirs")
  us=$(taskset -c "$core" "$items" --seconds "$seconds" --seeds 1 "$ours" | tail -n 1)
  awk -v them="$them" -v us="$us" 'BEGIN {
    split(them, t, " "); split(us, u, " ");
    printf "| %s %s | %s %s | %s %s | %.0f | %.0f | %.0f %s | %.0f |\n",
      t[1], t[2], t[3], t[4], u[1], u[2], u[5], u[5] / t[3], u[3], u[4], u[3] / t[3] }'
done
echo "load after: $(cut -d' ' -f1-3 /proc/loadavg)" >&2
