#!/usr/bin/env bash
# Runs the fuzz targets of tests/fuzz/ under libFuzzer, on the stable toolchain.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]      10 seconds of each target unless said otherwise
#
# What is new goes to a folder outside the checkout (FUZZ_CORPUS); a crash is written there too, and named. To keep an input, copy it
# into tests/fuzz/corpus/TARGET/. The pure core alone is built, with coverage counters and checked arithmetic, in a build folder of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-10}
shift || true
export CARGO_TARGET_DIR=${FUZZ_TARGET_DIR:-${CARGO_TARGET_DIR:-target}/fuzz}
found=${FUZZ_CORPUS:-$CARGO_TARGET_DIR/corpus}
host=$(rustc -vV | sed -n 's/^host: //p')

# What cargo-fuzz passes, without a sanitizer: those need a nightly compiler. With --target the flags reach no build script.
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 -Coverflow-checks=on -Cdebug-assertions=on"
cargo build --release --locked --quiet --no-default-features --features fuzz --bin gauntlet-fuzz --target "$host"
program=$CARGO_TARGET_DIR/$host/release/gauntlet-fuzz

targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
    mapfile -t targets < <(ls tests/fuzz/corpus)
fi
failed=0
for target in "${targets[@]}"; do
    mkdir -p "$found/$target"
    log=$found/$target.log
    if GAUNTLET_FUZZ=$target "$program" "$found/$target" "tests/fuzz/corpus/$target" \
        -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 \
        -artifact_prefix="$found/$target-" -print_final_stats=1 >"$log" 2>&1; then
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        cover=$(grep -o 'cov: [0-9]*' "$log" | tail -1)
        begun=$(grep 'INITED' "$log" | grep -o 'cov: [0-9]*' | head -1)
        echo "$target: $runs runs, $cover (corpus alone $begun)"
    else
        failed=1
        echo "$target: FAILED, see $log" >&2
        tail -30 "$log" >&2
    fi
done
exit $failed
