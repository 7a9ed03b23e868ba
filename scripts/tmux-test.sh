#!/usr/bin/env bash
# The views in a real terminal: races and replays inside tmux, with keys, resizing and Ctrl-C, and looks at what stands on the
# screen, in the scrollback and in the exit code afterwards.
#
#   scripts/tmux-test.sh GAUNTLET_BINARY
#
# Installs tmux from Debian's packages where it is missing; without it nothing is tested, and that is said.
set -uo pipefail
cd "$(dirname "$0")/.."
gauntlet=$(realpath "${1:-target/release/gauntlet}")
repository=$PWD
if ! command -v tmux >/dev/null; then
    (apt-get update -q && apt-get install -y -q tmux) >/dev/null 2>&1
fi
if ! command -v tmux >/dev/null; then
    echo "no tmux, and it cannot be installed: the views were not tried in a real terminal"
    exit 0
fi
work=$(mktemp -d)
server=gauntlet-test-$$-0
opened=0
failed=0
trap 'tmux -L "$server" kill-server 2>/dev/null; rm -rf "$work"' EXIT
# Found as `gauntlet`, whatever the file is called.
mkdir "$work/bin" && ln -s "$gauntlet" "$work/bin/gauntlet"
"$gauntlet" judge --prepare >/dev/null || exit 1

t() { tmux -L "$server" "$@"; }

# A shell of its own, of that many columns and rows; nothing of the user's settings is in it.
open() {
    t kill-server 2>/dev/null
    # A name of its own: a server that is still ending would take the new session with it.
    opened=$((opened + 1))
    server=gauntlet-test-$$-$opened
    t -f /dev/null new-session -d -s s -x "$1" -y "$2" \
        "cd '$work' && env -i PATH='$work/bin:$PATH' HOME='$HOME' LANG='${3:-C.UTF-8}' TERM='${4:-screen-256color}' ${5:-} bash --norc --noprofile"
    t set-option -g history-limit 5000 2>/dev/null
    type_line "PS1='\$ '; clear; echo above the view"
    await '^above the view'
}
type_line() { t send-keys -t s -l "$1"; t send-keys -t s Enter; }
keys() { t send-keys -t s "$@"; }
screen() { t capture-pane -p -t s; }
all() { t capture-pane -p -t s -S -; }

# Waits until the screen shows a pattern.
await() {
    for _ in $(seq 1 300); do
        if screen | grep -qE -- "$1"; then return 0; fi
        sleep 0.1
    done
    fault "the screen never showed: $1"
    return 1
}
fault() {
    failed=1
    printf 'FAILED in "%s": %s\n' "$case" "$1"
    screen | sed 's/^/    | /'
}
shows() { all | grep -qE -- "$1" || fault "nowhere is: $1"; }
never() { all | grep -qE -- "$1" && fault "there is: $1"; return 0; }
case_() { case=$1; printf -- '- %s\n' "$1"; }

for columns in 80 120 200; do
    case_ "a race at $columns columns ends with the card, and leaves nothing of the view behind"
    open "$columns" 40
    type_line "gauntlet race --realtime=8 --out races-$columns; echo code \$?"
    await 'thinking [0-9.]+ s'
    await 'buzzer in [0-9.]+ s of 20.0'
    screen | grep -qE '^▶ 1 River ferry' || fault "no mark at the current range"
    [ "$(screen | LC_ALL=C.UTF-8 wc -L)" -le "$columns" ] || fault "wider than the screen"
    await '^code 0'
    shows '^above the view'
    shows '17 of 20 targets'
    shows 'Next: gauntlet replay races-'
    never 'buzzer in'
    never 'Ctrl-C stops'
    [ "$(all | grep -c '17 of 20 targets, 3 loops, no buzzer')" = 1 ] || fault "not one card"
done

case_ "a race is resized while it is on"
open 120 30
type_line "gauntlet race --realtime=4 --out resized; echo code \$?"
await 'buzzer in'
t resize-window -t s -x 80 -y 24
sleep 0.5
await 'buzzer in'
[ "$(screen | grep -c 'gauntlet race  ')" = 1 ] || fault "old frames are left on the screen"
t resize-window -t s -x 100 -y 30
await '^code 0'
shows '^above the view'
[ "$(all | grep -c '17 of 20 targets, 3 loops, no buzzer')" = 1 ] || fault "not one card"

case_ "a race that begins on the first row leaves nothing of its view in the scrollback"
open 100 24
type_line "clear; gauntlet race --realtime=20 --out top; echo code \$?"
await 'buzzer in'
await '^code 0'
never 'Ctrl-C stops'

case_ "a second race runs against the first"
open 100 30
type_line "gauntlet race --realtime=10 --lane '$repository/lanes/pacer-club.toml' --out resized; echo code \$?"
await 'ghost +pacer-club'
await '^code 0'

case_ "the files are the bytes of a race that nobody watched"
"$gauntlet" race --quiet --out "$work/unseen" >/dev/null || fault "a race fails"
diff -r "$work/unseen/21-pacer-club-attempt1" "$work/races-80/21-pacer-club-attempt1" || fault "other bytes"

case_ "Ctrl-C ends a race as unfinished, with code 4, and the terminal still works"
open 80 30
type_line "gauntlet race --realtime --out stopped; echo code \$?"
await 'buzzer in'
keys C-c
await '^code 4'
shows 'unfinished: the race ends'
type_line "stty -a | grep -o -w -- '-\?echo'; gauntlet verify stopped"
await '^echo'
await 'verified +unfinished'

case_ "a replay with ghosts takes its keys"
open 120 30
replays=$repository/replays
type_line "gauntlet replay $replays/21-pacer-club-attempt1 $replays/21-pacer-elite-attempt1 published --speed 5; echo code \$?"
await '▶ 5×'
keys Space
await '‖ 5×'
first=$(screen | grep -oE '[0-9.]+ / [0-9.]+ s')
sleep 0.4
[ "$first" = "$(screen | grep -oE '[0-9.]+ / [0-9.]+ s')" ] || fault "it goes on in its pause"
keys Right Right Right Right
await ' (2[0-9]|3[0-9])\.[0-9] / '
keys .
sleep 0.2
keys 5
await '‖ 100×'
keys g
sleep 0.3
screen | grep -q "^pacer-elite" && fault "g does not hide the ghosts"
keys g
await "^pacer-elite"
keys Home
await ' 0\.0 / '
t resize-window -t s -x 80 -y 24
sleep 0.3
await '‖ 100×'
keys q
await '^code 0'
shows '^above the view'

case_ "a replay to its end prints splits and card"
open 80 40
type_line "gauntlet replay $replays/21-pacer-club-attempt1 $replays/21-pacer-elite-attempt1 --speed 100; echo code \$?"
await '^code 0'
shows '^splits'
shows '17 of 20 targets'
shows 'Next: gauntlet answers'

case_ "Ctrl-C ends a replay with code 4"
open 80 30
type_line "gauntlet replay $replays/21-pacer-club-attempt1; echo code \$?"
await '▶ 10×'
keys C-c
await '^code 4'
type_line "stty -a | grep -o -w -- '-\?echo'"
await '^echo'

case_ "no colour where NO_COLOR asks for none, colour where nobody does"
for colour in "" "NO_COLOR=1"; do
    open 80 30 C.UTF-8 screen-256color "$colour"
    type_line "gauntlet race --realtime=10 --out colour; echo code \$?"
    await 'buzzer in'
    found=$(t capture-pane -e -p -t s | grep -c $'\033\[38;5;\|\033\[3[0-9]m')
    if [ -n "$colour" ] && [ "$found" != 0 ]; then fault "NO_COLOR shows colours"; fi
    if [ -z "$colour" ] && [ "$found" = 0 ]; then fault "no colours at all"; fi
    await '^code 0'
done

case_ "ASCII alone where the locale has no UTF-8"
open 80 30 C
type_line "gauntlet race --realtime=10 --out ascii; echo code \$?"
await 'buzzer in'
screen | LC_ALL=C grep -q '[^ -~]' && fault "the view has more than ASCII"
await '^code 0'
all | LC_ALL=C grep -q '[^ -~]' && fault "the card has more than ASCII"

case_ "one event a line where the terminal is dumb, and none with -q"
open 100 50 C.UTF-8 dumb
type_line "gauntlet race --out dumb; echo code \$?"
await '^code 0'
shows '\[ +10\.4\] range 1/4 River ferry'
type_line "clear; gauntlet -q race --out dumb >card.txt; wc -l <card.txt; echo code \$?"
await '^code 0'
never 'range 1/4 River ferry \(puzzle L1\): thinking$'

if [ "$failed" = 0 ]; then echo "the views hold in tmux"; fi
exit "$failed"
