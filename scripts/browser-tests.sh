#!/usr/bin/env bash
# The pages of `gauntlet site` in a real browser: scripts/browser-tests.sh GAUNTLET [FOLDER FOR SCREENSHOTS]
# Needs chromium, node and npm; as root on Debian it installs what is missing. Where there is no way to get them it says so and
# exits with 0, since the pages' own tests ran without a browser; a check that fails exits with 1.
set -euo pipefail
gauntlet=$(realpath "${1:?name the gauntlet binary}")
shots=${2:+$(realpath "$2")}
root=$(cd "$(dirname "$0")/.." && pwd)

find_browser() { command -v chromium || command -v chromium-browser || command -v google-chrome || true; }
install() {
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq >/dev/null && apt-get install -y -qq --no-install-recommends "$@" >/dev/null || true
    fi
}
skip() { echo "browser tests skipped: $1"; exit 0; }

[ -n "$(find_browser)" ] || install chromium
command -v npm >/dev/null || install nodejs npm
browser=$(find_browser)
[ -n "$browser" ] || skip "no chromium here, and it cannot be installed"
command -v npm >/dev/null || skip "no node and npm here, and they cannot be installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root"/tests/browser/*.mjs "$work"
cd "$work"
echo '{"private": true, "type": "module"}' >package.json
npm install --no-audit --no-fund --silent playwright-core@1.65.1 axe-core@4 || skip "npm cannot fetch playwright-core and axe-core"
node check.mjs "$gauntlet" "$root/replays" "$browser" ${shots:+"$shots"}
