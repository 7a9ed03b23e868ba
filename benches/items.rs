//! Items per CPU second of generation, as `side_by_side.sh` compares them, and the largest CPU time of a task over many seeds.
//!
//! `cargo bench --bench items -- [--seconds S] [--repeats R] [--seeds N] [FAMILY|FAMILY/LEVEL...]`; by default all at levels 1, 5 and 9. CPU time of this thread, so that another
//! process that takes the core away changes less than it would on the wall clock.

use cpu_time::ThreadTime;
use gauntlet::puzzles::{Body, FAMILIES, Family, Level, Reading, Seeds, TARGETS, generate};
use std::hint::black_box;
use std::time::Duration;

struct Args {
    seconds: f64,
    repeats: usize,
    seeds: u64,
    wanted: Vec<String>,
}

impl Args {
    fn wants(&self, family: &dyn Family, level: Level) -> bool {
        let name = family.name();
        let usual = [1, 5, 9].contains(&level.get());
        let exact = format!("{name}/{level}");
        self.wanted.iter().any(|word| *word == exact || usual && word == name)
            || usual && self.wanted.is_empty()
    }
}

fn args() -> Args {
    let mut args = Args { seconds: 1.0, repeats: 3, seeds: 500, wanted: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|it| it.parse::<f64>().ok()).expect("a number");
        match word.as_str() {
            "--seconds" => args.seconds = number(),
            "--repeats" => args.repeats = number() as usize,
            "--seeds" => args.seeds = number() as u64,
            // Cargo's own.
            "--bench" | "--test" => {}
            _ => args.wanted.push(word),
        }
    }
    args
}

fn draw(family: &dyn Family, level: Level, seed: u64) -> Duration {
    let key = Seeds::task_key(seed, "gauntlet-4", 0, family.name(), level);
    let started = ThreadTime::now();
    drop(black_box(generate(family, level, key)));
    started.elapsed()
}

/// Does something with 0, 1, 2, ... for some CPU seconds; how often it was done in one.
fn a_second(seconds: f64, mut work: impl FnMut(u64)) -> f64 {
    let started = ThreadTime::now();
    let mut count = 0;
    loop {
        work(count);
        count += 1;
        let spent = started.elapsed().as_secs_f64();
        if spent >= seconds {
            return count as f64 / spent;
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

/// Tasks graded in a second: all five right answers of a task; of code, its values compared, without the sandbox.
fn graded(family: &dyn Family, level: Level, seconds: f64) -> f64 {
    let key = Seeds::task_key(0, "gauntlet-4", 0, family.name(), level);
    let task = generate(family, level, key).expect("seed 0 is drawn");
    match &task.body {
        Body::Puzzle(puzzle) => {
            let answers: Vec<String> = (0..TARGETS).map(|target| puzzle.solution(target)).collect();
            a_second(seconds, |_| {
                for (target, answer) in answers.iter().enumerate() {
                    assert_eq!(puzzle.check(target, black_box(answer)), Reading::Hit);
                }
            })
        }
        Body::Code(code) => {
            let returned = code.expected.clone();
            a_second(seconds, |_| assert_eq!(black_box(&returned), &code.expected))
        }
    }
}

fn main() {
    let args = args();
    println!(
        "family level tasks/CPU-s [min..max] items/CPU-s graded/CPU-s median-ms p95-ms max-ms"
    );
    for family in FAMILIES {
        for level in Level::all().filter(|level| args.wants(*family, *level)) {
            // Every repeat draws tasks of its own, from seeds that the largest time does not use.
            let mut rates: Vec<f64> = (1..=args.repeats as u64)
                .map(|repeat| {
                    a_second(args.seconds, |seed| {
                        draw(*family, level, repeat * 1_000_000_000 + seed);
                    })
                })
                .collect();
            rates.sort_by(f64::total_cmp);
            let rate = median(rates.clone());
            let mut ms: Vec<f64> = (0..args.seeds)
                .map(|seed| draw(*family, level, seed).as_secs_f64() * 1000.0)
                .collect();
            ms.sort_by(f64::total_cmp);
            println!(
                "{} {level} {rate:.1} [{:.1}..{:.1}] {:.1} {:.0} {:.3} {:.3} {:.3}",
                family.name(),
                rates.first().copied().unwrap_or(0.0),
                rates.last().copied().unwrap_or(0.0),
                rate * TARGETS as f64,
                graded(*family, level, args.seconds.min(0.2)),
                median(ms.clone()),
                ms.get(ms.len() * 95 / 100).copied().unwrap_or(0.0),
                ms.last().copied().unwrap_or(0.0),
            );
        }
    }
}
