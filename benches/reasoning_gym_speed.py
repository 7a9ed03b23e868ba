"""Items per CPU second that reasoning-gym 0.1.25 generates, for the sets nearest to our families.

Prints the lines of side_by_side.sh: set, setting, items per CPU second (median, least and most of the repeats). A repeat is a new
dataset with a seed of its own, asked for items until the CPU time is spent; one item is always finished.
"""

import argparse
import statistics
import time

import reasoning_gym

# set, setting, options. Our nearest family and level stand in side_by_side.sh.
CASES = [
    ("jugs", "easy", dict(num_jugs=3, difficulty=5)),
    ("jugs", "default", dict()),
    ("sokoban", "6x6-2-boxes", dict(min_w=6, min_h=6, max_w=6, max_h=6, min_boxes=2, max_boxes=2)),
    ("sokoban", "7x7-3-boxes", dict(min_w=7, min_h=7, max_w=7, max_h=7, min_boxes=3, max_boxes=3)),
    ("zebra_puzzles", "3x3", dict(num_people=3, num_characteristics=3)),
    ("zebra_puzzles", "default", dict()),
    ("futoshiki", "4x4-d0", dict(min_board_size=4, max_board_size=4, min_difficulty=0, max_difficulty=0)),
    ("futoshiki", "5x5-d1", dict(min_board_size=5, max_board_size=5, min_difficulty=1, max_difficulty=1)),
    ("futoshiki", "6x6-d2", dict(min_board_size=6, max_board_size=6, min_difficulty=2, max_difficulty=2)),
    ("bf", "d1", dict(difficulty=1)),
    ("bf", "d3", dict(difficulty=3)),
    ("color_cube_rotation", "1-3", dict()),
    ("color_cube_rotation", "20", dict(min_rotations=20, max_rotations=20)),
]


def rate(name, options, seed, seconds):
    """Items per CPU second of one repeat."""
    size = 10_000_000
    data = reasoning_gym.create_dataset(name, size=size, seed=seed, **options)
    started = time.process_time()
    for index in range(size):
        data[index]
        spent = time.process_time() - started
        if spent >= seconds:
            return (index + 1) / spent
    return size / spent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("cases", nargs="*", metavar="SET/SETTING", help="which cases; all of them when none is named")
    args = parser.parse_args()
    for name, setting, options in CASES:
        if args.cases and f"{name}/{setting}" not in args.cases:
            continue
        rates = [rate(name, options, 1 + repeat, args.seconds) for repeat in range(args.repeats)]
        middle = statistics.median(rates)
        print(f"{name} {setting} {middle:.1f} [{min(rates):.1f}..{max(rates):.1f}]", flush=True)


if __name__ == "__main__":
    main()
