//! Laws of the family, over many seeds. `picture.rs` beside this plays the printed pictures by itself.

use super::picture::Picture;
use super::room::Twist;
use super::*;
use crate::puzzles::generate;
use crate::rng::Key;
use proptest::prelude::*;
use std::collections::BTreeSet;

const SEEDS: u64 = 30;

fn draw(level: Level, seed: u64) -> Option<Games> {
    Games::draw(level, &Seeds::new(Seeds::task_key(seed, "test", 2, NAME, level), 0))
}

/// The first draw of each seed that met the family's conditions.
fn draws(level: Level, seeds: u64) -> impl Iterator<Item = Games> {
    (0..seeds).filter_map(move |seed| draw(level, seed))
}

/// The five starts as the prompt shows them.
fn pictures(games: &Games) -> Vec<Picture> {
    let prompt = prompt::prompt(&games.room, &games.starts);
    (1..=TARGETS).map(|number| Picture::of(&prompt, number)).collect()
}

fn optimum_is_exact(level: Level, seeds: u64) {
    for games in draws(level, seeds) {
        let slack = Dial::of(level).slack;
        for (start, picture) in games.starts.iter().zip(pictures(&games)) {
            let fewest = u32::from(start.limit - slack);
            assert_eq!(picture.fewest(), Some(fewest), "level {level}: {start:?}");
            assert_eq!(picture.limit, u32::from(start.limit));
            assert_eq!(picture.play(&text::write(&start.plan)), Some(fewest), "{start:?}");
        }
    }
}

#[test]
fn a_search_forwards_finds_the_same_optimum() {
    for level in Level::all() {
        optimum_is_exact(level, if level.get() < 6 { SEEDS } else { 2 });
    }
}

#[test]
#[ignore = "many seeds a level"]
fn a_search_forwards_finds_the_same_optimum_of_many() {
    for level in Level::all() {
        optimum_is_exact(level, if level.get() < 6 { 60 } else { 6 });
    }
}

#[test]
fn the_pictures_agree_with_the_judge() {
    let mut rng = Key::of(&[b"sokoban test"]).stream(0);
    for level in Level::all() {
        for games in draws(level, SEEDS) {
            for (target, picture) in pictures(&games).iter().enumerate() {
                for _ in 0..20 {
                    for answer in [games.slip(target, &mut rng), games.guess(target, &mut rng)] {
                        let hit = games.check(target, &answer) == Reading::Hit;
                        let won = picture.play(&answer).is_some_and(|n| n <= picture.limit);
                        assert_eq!(hit, won, "level {level}: {answer} at\n{picture:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn most_draws_meet_the_conditions() {
    for level in Level::all() {
        let drawn = draws(level, SEEDS).count() as u64;
        assert!(drawn * 100 >= SEEDS * 90, "level {level}: {drawn} of {SEEDS}");
    }
}

#[test]
fn every_special_rule_is_drawn_and_matters() {
    for level in Level::all() {
        let mut seen = BTreeSet::new();
        for games in draws(level, 2 * SEEDS) {
            seen.extend(games.room.twist);
            for (target, start) in games.starts.iter().enumerate() {
                for misread in &start.misread {
                    assert!(games.judge(target, misread).is_err(), "level {level}: {start:?}");
                }
            }
        }
        let wanted = if level.get() < 3 { 0 } else { Twist::ALL.len() };
        assert_eq!(seen.len(), wanted, "level {level}: {seen:?}");
    }
}

#[test]
fn efforts_grow_from_level_to_level_and_from_target_to_target() {
    let mut before = 0;
    for level in Level::all() {
        let mut efforts = draws(level, SEEDS).map(|games| {
            let efforts: Vec<u64> = (0..TARGETS).map(|target| games.effort(target)).collect();
            assert!(efforts.is_sorted() && efforts[0] < efforts[4], "level {level}: {efforts:?}");
            efforts.iter().sum::<u64>()
        });
        let sum = efforts.next().expect("a draw");
        assert!(efforts.all(|other| other == sum), "level {level}");
        assert!(sum > before, "level {level}: {sum} after {before}");
        before = sum;
    }
}

#[test]
fn slips_miss_and_guesses_are_read() {
    let mut rng = Key::of(&[b"sokoban test"]).stream(1);
    for level in Level::all() {
        let mut hits = 0;
        for games in draws(level, 10) {
            for target in (0..TARGETS).cycle().take(200) {
                let slip = games.slip(target, &mut rng);
                assert!(matches!(games.check(target, &slip), Reading::Wrong(_)), "{slip}");
                match games.check(target, &games.guess(target, &mut rng)) {
                    Reading::Hit => hits += 1,
                    Reading::Wrong(_) => {}
                    Reading::Unreadable(why) => panic!("{why}"),
                }
            }
        }
        assert!(hits <= 10, "level {level}: {hits} of 2000 guesses");
    }
}

#[test]
fn a_random_player_who_pushes_as_allowed_rarely_wins() {
    let mut rng = Key::of(&[b"sokoban test"]).stream(2);
    let (mut won, mut played) = (0, 0);
    for games in draws(Level::MIN, SEEDS) {
        let depths = search::Depths::of(&games.room, 0).expect("one layer");
        for start in &games.starts {
            for _ in 0..100 {
                let mut boxes = search::Boxes::new(&games.room, &start.boxes);
                let mut player = start.player;
                let mut left = start.limit;
                while left > 0 && boxes.set() != games.room.goal_cells() {
                    let shifts: Vec<_> = depths.shifts(&boxes, player).collect();
                    let Some(shift) = rng.pick(&shifts) else { break };
                    boxes = boxes.moved(&games.room, shift.from, shift.to);
                    player = shift.player;
                    left -= 1;
                }
                won += u32::from(boxes.set() == games.room.goal_cells());
                played += 1;
            }
        }
    }
    assert!(won * 20 < played, "{won} of {played}");
}

/// A room from its picture without an outer wall, under a special rule.
fn room_of(rows: &[&str], twist: Option<Twist>) -> (Room, Vec<u8>, u8) {
    let cell = |row: usize, column: usize| (row * room::SIDE + column) as u8;
    let mut room = Room::new(rows[0].len(), rows.len(), twist);
    let (mut boxes, mut player) = (Vec::new(), 0);
    for (at, char) in rows.iter().enumerate().flat_map(|(row, line)| {
        line.chars().enumerate().map(move |(column, char)| (cell(row, column), char))
    }) {
        let bit = room::bit(at);
        room.floor |= if char == '#' { 0 } else { bit };
        match char {
            '.' => room.goals.push(at),
            '$' => boxes.push(at),
            '@' => player = at,
            '~' => room.sticky |= bit,
            '>' => room.one_way[Dir::Right as usize] |= bit,
            _ => {}
        }
    }
    (room, boxes, player)
}

fn verdict(rows: &[&str], twist: Option<Twist>, limit: u16, answer: &str) -> String {
    let (room, boxes, player) = room_of(rows, twist);
    let steps = text::read(answer).expect("a plan");
    let verdict = play::judge(&room, &boxes, player, limit, &steps);
    verdict.map_or_else(|fault| fault.to_string(), |()| "hit".to_owned())
}

#[test]
fn pushing() {
    let rows = ["@$-.", "--#-"];
    assert_eq!(verdict(&rows, None, 2, "RR"), "hit");
    assert_eq!(verdict(&rows, None, 1, "RR"), "letter 2 is over the limit of 1 pushes");
    assert_eq!(verdict(&rows, None, 2, "R"), "1 box does not end where it must");
    assert_eq!(verdict(&rows, None, 3, "RRR"), "letter 3 pushes a box that is blocked");
    assert_eq!(verdict(&rows, None, 2, "U"), "letter 1 steps into a wall");
    assert_eq!(verdict(&rows, None, 2, "DRR"), "letter 3 steps into a wall");
    assert_eq!(verdict(&["@$$.."], None, 2, "R"), "letter 1 pushes a box that is blocked");
}

#[test]
fn labels_keep_boxes_apart() {
    // Boxes and goals get their letters in reading order here: the left box belongs on the left goal.
    let rows = ["@--", "$.-", ".$-", "---"];
    assert_eq!(verdict(&rows, None, 9, "D"), "1 box does not end where it must");
    assert_eq!(verdict(&rows, None, 9, "DRRDDLU"), "hit");
    let labels = Some(Twist::Labels);
    assert_eq!(verdict(&rows, labels, 9, "DRRDDLU"), "2 boxes do not end where they must");
}

#[test]
fn arrows_are_entered_one_way() {
    let one_way = Some(Twist::OneWay);
    assert_eq!(verdict(&["@$>."], one_way, 2, "RR"), "hit");
    assert_eq!(verdict(&[".>$@"], one_way, 2, "LL"), "letter 1 pushes a box that is blocked");
    assert_eq!(verdict(&["$.>@"], one_way, 2, "L"), "letter 1 enters an arrow the wrong way");
}

#[test]
fn edges_are_joined() {
    assert_eq!(verdict(&["$-@."], Some(Twist::Torus), 9, "LL"), "hit");
    assert_eq!(verdict(&["$-@."], None, 9, "LL"), "letter 2 pushes a box that is blocked");
    assert_eq!(verdict(&["@", "-", ".", "$"], Some(Twist::Torus), 9, "U"), "hit");
}

#[test]
fn pulling() {
    let pull = Some(Twist::Pull);
    assert_eq!(verdict(&["$@.-", "----"], pull, 2, "RR"), "hit");
    assert_eq!(verdict(&["$@.-", "----"], pull, 2, "RRR"), "letter 3 steps into a wall");
    assert_eq!(verdict(&["$@.-", "----"], pull, 2, "L"), "letter 1 steps into a box");
    assert_eq!(verdict(&["$@.-", "----"], pull, 1, "RR"), "letter 2 is over the limit of 1 pulls");
}

#[test]
fn sticky_floor_holds_boxes() {
    let sticky = Some(Twist::Sticky);
    assert_eq!(verdict(&["@$~."], sticky, 2, "RR"), "letter 2 pushes a box on sticky floor");
    assert_eq!(verdict(&["~@$."], sticky, 2, "LRR"), "hit");
}

#[test]
fn too_many_letters_miss() {
    let games = draw(Level::MIN, 1).expect("a draw");
    let long = "UD".repeat(101);
    assert_eq!(games.check(0, &long), Reading::Wrong("202 letters, at most 200".to_owned()));
}

proptest! {
    #[test]
    fn any_plan_is_judged(answer in "[UDLRudlr ,]{0,220}", seed in 0_u64..20) {
        if let Some(games) = draw(Level::MIN, seed) {
            for target in 0..TARGETS {
                let _ = games.check(target, &answer);
            }
        }
    }
}

#[test]
fn prompts() {
    for level in [1, 5, 9].into_iter().filter_map(Level::new) {
        let key = Seeds::task_key(21, "test", 2, NAME, level);
        let task = generate(&Sokoban, level, key).expect("a task");
        assert!(task.prompt.len() <= 6_000);
        insta::assert_snapshot!(format!("prompt-{level}"), task.prompt);
    }
}

#[test]
fn prompts_of_special_rules() {
    let level = Level::new(3).expect("a level");
    for twist in Twist::ALL {
        let games = draws(level, 200).find(|games| games.room.has(twist)).expect("a room");
        let prompt = prompt::prompt(&games.room, &games.starts);
        insta::assert_snapshot!(format!("prompt-{twist:?}").to_lowercase(), prompt);
    }
}

#[test]
fn the_legend_has_the_characters_of_the_pictures() {
    for level in Level::all() {
        for games in draws(level, SEEDS) {
            let prompt = prompt::prompt(&games.room, &games.starts);
            let part = |from: &str, to: &str| {
                let rest = prompt.split_once(from).expect("a heading").1;
                rest.split_once(to).expect("the next heading").0.to_owned()
            };
            let legend: BTreeSet<char> = part("Legend\n", "\nThe room")
                .lines()
                .filter_map(|line| line.split_once(" = ")?.0.chars().next())
                .collect();
            let drawn: BTreeSet<char> = pictures(&games)
                .iter()
                .flat_map(|picture| picture.rows.iter().flatten().copied().collect::<Vec<_>>())
                .collect();
            assert_eq!(legend, drawn, "{prompt}");
        }
    }
}
