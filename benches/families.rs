//! How long it takes to generate a task and to grade its right answers, for every family at levels 1, 5 and 9.

use criterion::{Criterion, criterion_group, criterion_main};
use gauntlet::puzzles::{Body, FAMILIES, Level, Seeds, TARGETS, generate};
use std::hint::black_box;

fn families(criterion: &mut Criterion) {
    for family in FAMILIES {
        for level in [1, 5, 9].into_iter().filter_map(Level::new) {
            let key = |seed| Seeds::task_key(seed, "gauntlet-4", 0, family.name(), level);
            let mut seed = 0;
            criterion.bench_function(&format!("{}/{level}/generate", family.name()), |bencher| {
                bencher.iter(|| {
                    seed += 1;
                    generate(*family, level, key(seed))
                });
            });
            let Ok(task) = generate(*family, level, key(0)) else { continue };
            let name = format!("{}/{level}/grade", family.name());
            match &task.body {
                Body::Puzzle(puzzle) => {
                    let answers: Vec<String> = (0..TARGETS).map(|k| puzzle.solution(k)).collect();
                    criterion.bench_function(&name, |bencher| {
                        bencher.iter(|| {
                            for (target, answer) in answers.iter().enumerate() {
                                black_box(puzzle.check(target, black_box(answer)));
                            }
                        });
                    });
                }
                // What the referee does with a code answer; the sandbox that runs it is not timed here.
                Body::Code(code) => {
                    let returned = code.expected.clone();
                    criterion.bench_function(&name, |bencher| {
                        bencher.iter(|| black_box(&returned) == black_box(&code.expected));
                    });
                }
            }
        }
    }
}

criterion_group!(benches, families);
criterion_main!(benches);
