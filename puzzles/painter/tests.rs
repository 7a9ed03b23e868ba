//! Laws of the family, over many seeds.

use super::*;
use crate::puzzles::emit::gate;
use crate::rng::Key;

const SEEDS: u32 = 120;

fn draws(level: Level) -> impl Iterator<Item = (Seeds, Draw)> {
    let key = Key::of(&[b"painter laws", &[level.get()]]);
    (0..SEEDS).filter_map(move |sub| {
        let seeds = Seeds::new(key, sub);
        Draw::new(level, &seeds).map(|draw| (seeds, draw))
    })
}

#[test]
fn show() {
    for level in Level::all() {
        let n = draws(level).count();
        println!("level {level}: {n} of {SEEDS}");
    }
    for level in [1, 2, 5, 9] {
        let level = Level::new(level).unwrap();
        let (seeds, _) = draws(level).next().unwrap();
        let task = Painter.draw(level, &seeds).unwrap();
        println!("{:?}\n{}\n{}", gate(&task), task.prompt, task.solution());
    }
}
