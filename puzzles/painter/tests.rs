//! Laws of the family, over many seeds.

use super::ops::Dir;
use super::*;
use crate::puzzles::generate;
use crate::rng::Key;
use proptest::prelude::*;

const SEEDS: u32 = 120;

/// The characters of a complete right answer that a lane of 20 tokens a second writes 1.5 times before the buzzer of
/// levels 1 to 4, at 4 characters a token.
const ANSWER: [usize; 4] = [1066, 1600, 2133, 3200];

/// The draws of a level that met the family's conditions.
fn draws(level: Level) -> Vec<Draw> {
    let key = Key::of(&[b"painter laws", &[level.get()]]);
    (0..SEEDS).filter_map(|sub| Draw::new(level, &Seeds::new(key, sub))).collect()
}

/// Tasks of a level as a season gets them.
fn tasks(level: Level, seeds: u64) -> impl Iterator<Item = Task> {
    (0..seeds).map(move |seed| {
        let key = Seeds::task_key(seed, "test", 2, "painter", level);
        generate(&Painter, level, key).expect("a task")
    })
}

fn code(task: &Task) -> &CodeTask {
    match &task.body {
        Body::Code(code) => code,
        Body::Puzzle(_) => panic!("painter makes code tasks"),
    }
}

#[test]
fn most_draws_meet_the_conditions() {
    for level in Level::all() {
        let drawn = draws(level).len();
        assert!(drawn * 100 >= SEEDS as usize * 95, "level {level}: {drawn} of {SEEDS}");
    }
}

#[test]
fn every_rung_shows_its_rules_and_none_above() {
    for level in Level::all() {
        for draw in draws(level) {
            let shows = |target: usize, rule: Rule| {
                let truth = draw.run(target, draw.rules);
                !draw.run(target, draw.rules.without(rule)).shows_same(&truth)
            };
            for (target, (at, rule)) in (0..TARGETS)
                .flat_map(|target| draw.order.iter().enumerate().map(move |r| (target, r)))
            {
                let may = at < rung(draw.order.len(), target);
                assert_eq!(shows(target, *rule), may, "level {level} target {target} {rule:?}");
            }
        }
    }
}

#[test]
fn levels_have_their_number_of_rules_and_bases_come_first() {
    let counts = [2, 3, 3, 4, 5, 6, 7, 8, 9];
    for level in Level::all() {
        for draw in draws(level) {
            assert_eq!(draw.order.len(), counts[level.index()]);
            assert_eq!(draw.rules.active().count(), draw.order.len());
            for (at, rule) in draw.order.iter().enumerate() {
                assert!(rule.base().is_none_or(|base| draw.order[..at].contains(&base)));
                assert!(draw.contract.commands.contains(&rule.command()));
            }
        }
    }
}

#[test]
fn every_rule_is_drawn_at_its_levels() {
    for level in [Level::MIN, Level::MAX] {
        let seen: Vec<Rule> = draws(level).into_iter().flat_map(|draw| draw.order).collect();
        let commands = Params::of(level).commands;
        for rule in Rule::ALL.iter().filter(|rule| commands.contains(&rule.command())) {
            assert!(seen.contains(rule), "level {level}: {rule:?} never drawn");
        }
    }
}

#[test]
fn inputs_keep_to_the_contract() {
    for level in Level::all() {
        for draw in draws(level) {
            for Input { h, w, ops } in &draw.inputs {
                assert!(draw.contract.admits(*h, *w, ops), "level {level}: {h} {w} {ops:?}");
                assert_ne!(h, w);
            }
        }
    }
}

#[test]
fn every_command_of_a_level_is_met() {
    for level in Level::all() {
        let draws = draws(level);
        for command in Params::of(level).commands {
            let meets = |input: &Input| input.ops.iter().any(|op| op.command() == *command);
            let met = draws.iter().filter(|draw| draw.inputs.iter().any(meets)).count();
            let of_100 = met * 100 / draws.len();

            assert!(of_100 >= 95, "level {level}: {command:?} in {of_100} of 100 tasks");
        }
    }
}

#[test]
fn missing_a_rule_costs_a_tail_and_default_readings_hit_nothing() {
    for level in Level::all() {
        let mut default_hits = 0;
        for draw in draws(level) {
            default_hits += (0..TARGETS)
                .filter(|target| {
                    draw.run(*target, Rules::none()).shows_same(&draw.run(*target, draw.rules))
                })
                .count();
        }
        // Below 0.3 of 5 targets a task.
        assert!(default_hits * 10 < draws(level).len() * 3, "level {level}: {default_hits}");
        for task in tasks(level, 20) {
            assert_eq!(code(&task).slips.len(), Params::of(level).rules);
            for slip in &code(&task).slips {
                let hits = slip.hits.iter().take_while(|hit| **hit).count();
                assert!(hits < TARGETS);
                assert!(slip.hits[hits..].iter().all(|hit| !hit), "{slip:?}");
            }
        }
    }
}

#[test]
fn expected_pictures_differ_and_are_not_bare() {
    for level in Level::all() {
        for task in tasks(level, 100) {
            let expected = &code(&task).expected;
            for (at, picture) in expected.iter().enumerate() {
                assert!(!expected[..at].contains(picture));
                let painted =
                    |row: &Value| row.as_str().is_some_and(|row| row.contains(|c| c != '.'));
                assert!(picture.as_array().is_some_and(|rows| rows.iter().any(painted)));
            }
            assert_eq!(task.drawn.level, level);
        }
    }
}

#[test]
fn answers_are_small_enough_and_prompts_are_tidy() {
    for level in Level::all() {
        for task in tasks(level, 150) {
            let size = task.solution().len();
            if let Some(most) = ANSWER.get(level.index()) {
                assert!(size <= *most, "level {level}: {size} characters\n{}", task.solution());
            }
            assert!(task.prompt.lines().all(|line| line.len() <= 100), "{}", task.prompt);
            assert!(!task.prompt.contains("  \n") && task.prompt.ends_with('\n'));
        }
    }
}

#[test]
fn effort_grows_with_the_level() {
    let mean = |level: Level| {
        let total: u64 = tasks(level, 60).map(|task| code(&task).effort.iter().sum::<u64>()).sum();
        total / 60
    };
    let efforts: Vec<u64> = Level::all().map(mean).collect();
    assert!(efforts.is_sorted(), "{efforts:?}");
}

#[test]
fn the_example_is_the_same_under_every_reading() {
    for level in Level::all() {
        for draw in draws(level) {
            let texts = |rules: &Rules| prompt::example(rules, &mut Key::of(&[b"x"]).stream(1));
            assert_eq!(texts(&draw.rules), texts(&Rules::none()));
            for rule in &draw.order {
                assert_eq!(texts(&draw.rules), texts(&draw.rules.without(*rule)));
            }
        }
    }
}

#[test]
fn prompts_are_pinned() {
    for level in [1, 2, 5, 9].into_iter().filter_map(Level::new) {
        let key = Seeds::task_key(21, "gauntlet-4", 2, "painter", level);
        let task = generate(&Painter, level, key).expect("a task");
        insta::assert_snapshot!(
            format!("level_{level}"),
            format!("{}\n----\n{}", task.prompt, task.solution())
        );
    }
}

/// What a list paints on a canvas of 3 by 4, in one line, with the default and with the printed reading of a rule.
fn readings(rule: Rule, ops: &[Op]) -> [String; 2] {
    let bases = rule.base().into_iter().fold(Rules::none(), Rules::with);
    [bases, bases.with(rule)].map(|rules| paint(3, 4, ops, rules).rows().join(" "))
}

#[test]
fn each_rule_has_its_two_readings() {
    let line = |n| Op::Line { r: 1, c: 0, dir: Dir::Right, n, col: b'Y' };
    let tape = Op::Tape { r: 0, c: 0 };
    let all = Op::rect(0, 0, 3, 4, b'W');
    let cases: [(Rule, &[Op], [&str; 2]); 13] = [
        (Rule::Wrap, &[Op::rect(2, 3, 2, 2, b'R')], [".... .... ...R", "R..R .... R..R"]),
        (Rule::Back, &[Op::rect(1, 2, -2, 1, b'R')], [".... .... ....", "..R. ..R. ...."]),
        (Rule::Zero, &[Op::rect(1, 2, 1, 0, b'R')], [".... .... ....", ".... ..RR ...."]),
        (Rule::Hollow, &[Op::rect(0, 0, 3, 4, b'R')], ["RRRR RRRR RRRR", "RRRR R..R RRRR"]),
        (Rule::Steps, &[line(2)], [".... YY.. ....", ".... YYY. ...."]),
        (
            Rule::Corners,
            &[
                Op::rect(0, 0, 1, 1, b'R'),
                Op::rect(1, 1, 1, 1, b'R'),
                Op::Fill { r: 0, c: 0, col: b'B' },
            ],
            ["B... .R.. ....", "B... .B.. ...."],
        ),
        (Rule::Mix, &[line(2), Op::rect(1, 1, 1, 2, b'R')], [".... YRR. ....", ".... YOR. ...."]),
        (Rule::Mud, &[line(2), Op::rect(1, 1, 1, 2, b'W')], [".... YWW. ....", ".... YYW. ...."]),
        (
            Rule::Dry,
            &[line(2), line(1), Op::rect(1, 0, 1, 2, b'R')],
            [".... OO.. ....", ".... OR.. ...."],
        ),
        (Rule::Tank, &[line(2), Op::rect(0, 1, 1, 1, b'R')], [".R.. YY.. ....", ".R.. Y... ...."]),
        (Rule::Toggle, &[tape, tape, all], [".WWW WWWW WWWW", "WWWW WWWW WWWW"]),
        (Rule::TapeMoves, &[tape, Op::Mirror, all], [".WWW WWWW WWWW", "WWW. WWWW WWWW"]),
        (Rule::UndoPaint, &[line(2), Op::Mirror, Op::Undo], [".... YY.. ....", ".... .... ...."]),
    ];
    for (rule, ops, [default, printed]) in cases {
        assert_eq!(readings(rule, ops), [default, printed], "{rule:?}");
    }
    assert!(Rule::ALL.iter().all(|rule| cases.iter().any(|(other, ..)| other == rule)));
}

#[test]
fn undo_goes_back_as_if_it_had_never_been() {
    let ops = [
        Op::rect(0, 0, 1, 1, b'R'),
        Op::Mirror,
        Op::Undo,
        Op::Undo,
        Op::Undo,
        Op::rect(1, 1, 1, 1, b'W'),
    ];
    assert_eq!(paint(2, 3, &ops, Rules::none()).rows(), ["...", ".W."]);
    // What is struck out gives its paint back.
    let rules = Rules::none().with(Rule::Tank);
    let ops = [Op::rect(0, 0, 1, 1, b'R'), Op::Undo, Op::rect(1, 1, 1, 1, b'R')];
    assert_eq!(paint(2, 3, &ops, rules).rows(), ["...", ".R."]);
}

#[test]
fn the_contract_admits_what_the_prompt_promises_and_nothing_else() {
    let plain = Contract::new(&COMMANDS, (3, 6), 2, &Rules::none());
    let wild = [Rule::Wrap, Rule::Back, Rule::Zero].into_iter().fold(Rules::none(), Rules::with);
    let wild = Contract::new(&COMMANDS, (3, 6), 2, &wild);
    let line = |dir, n| Op::Line { r: 0, c: 0, dir, n, col: b'Y' };
    let off_canvas = [Op::rect(0, 4, 1, 2, b'R'), line(Dir::Up, 2)];
    let odd_sizes = [Op::rect(0, 0, 0, 1, b'R'), Op::rect(2, 2, -2, -3, b'R')];
    let never = [
        Op::rect(3, 0, 1, 1, b'R'),
        Op::rect(0, 0, 4, 1, b'R'),
        Op::rect(0, 0, 1, 1, b'O'),
        line(Dir::Down, 4),
        line(Dir::Right, 0),
        Op::Fill { r: 0, c: 5, col: b'R' },
        Op::Tape { r: -1, c: 0 },
    ];
    for op in off_canvas.into_iter().chain(odd_sizes) {
        assert!(!plain.admits_op(3, 5, op) && wild.admits_op(3, 5, op), "{op:?}");
    }
    for op in never {
        assert!(!plain.admits_op(3, 5, op) && !wild.admits_op(3, 5, op), "{op:?}");
    }
    assert!(plain.admits(3, 5, &[line(Dir::Right, 5), Op::Mirror]));
    assert!(!plain.admits(3, 5, &[]) && !plain.admits(3, 5, &[Op::Undo; 3]));
    assert!(!plain.admits(2, 5, &[Op::Undo]) && !plain.admits(3, 7, &[Op::Undo]));
    let rects = Contract::new(&COMMANDS[..1], (3, 6), 2, &Rules::none());
    assert!(COMMANDS[1..].iter().all(|command| !rects.commands.contains(command)));
    assert!(!rects.admits_op(3, 5, line(Dir::Right, 1)));
    let steps = Contract::new(&COMMANDS, (3, 6), 2, &Rules::none().with(Rule::Steps));
    assert!(
        steps.admits_op(3, 5, line(Dir::Right, 4)) && !steps.admits_op(3, 5, line(Dir::Right, 5))
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_reference_takes_every_list_of_the_contract(level in 1_u8..=9, seed: u64, len in 1_usize..=50) {
        let params = Params::of(Level::new(level).expect("a level"));
        let mut rng = Key::of(&[b"painter contract", &seed.to_le_bytes()]).stream(0);
        let (rules, _) = Rules::draw(params.commands, params.rules, params.tank, &mut rng);
        let contract = Contract::new(params.commands, params.side, params.max_ops, &rules);
        let (h, w) = contract.draw_sides(&mut rng);
        let ops: Vec<Op> =
            (0..len.min(params.max_ops)).map(|_| contract.draw_op(h, w, &mut rng)).collect();
        prop_assert!(contract.admits(h, w, &ops), "{ops:?}");
        let rows = paint(h, w, &ops, rules).rows();
        prop_assert_eq!(rows.len() as i32, h);
        prop_assert!(rows.iter().all(|row| row.len() as i32 == w));
    }
}
