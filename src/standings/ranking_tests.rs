//! Tests of the ranking: ties, attempts, what goes apart, and that the order of the races never matters.

use super::*;
use crate::race::fold::Lane;
use crate::standings::published;
use proptest::prelude::*;

const SHA: &str = "5ea5";

fn season(status: SeasonStatus) -> Season {
    let mut season = crate::season::read("21.toml", include_str!("../../seasons/21.toml")).unwrap();
    season.status = status;
    season
}

/// A finished race of the 128 GB class; tests change what they are about.
fn race(lane: &str, attempt: u32, finish_ms: u64) -> RaceResult {
    RaceResult {
        format: crate::format::RESULT.first(),
        race: format!("21-{lane}-attempt{attempt}"),
        season: String::from("21"),
        season_status: SeasonStatus::Ranked,
        seed: 21,
        prompt_version: String::from("gauntlet-4"),
        lane: Lane { name: lane.to_owned(), model: String::from("m"), memory_gb: 120 },
        memory_class_gb: 128,
        attempt,
        status: Status::Finished,
        notes: Vec::new(),
        ranges: Vec::new(),
        course_ms: 52_000,
        hits: 10,
        targets: 20,
        loops: 10,
        loops_ms: 135_000,
        thinking_ms: 40_000,
        buzzers: 0,
        cut_off: 0,
        finish_ms: Some(finish_ms),
        speed: None,
        overhead_us: None,
        season_sha256: SHA.to_owned(),
        lane_sha256: String::new(),
        log_sha256: String::new(),
        io_sha256: String::new(),
    }
}

fn ended(mut race: RaceResult, status: Status) -> RaceResult {
    race.status = status;
    if status == Status::Unfinished {
        race.finish_ms = None;
    }
    race
}

fn of(status: SeasonStatus, races: &[RaceResult], held: &[Held]) -> Standings {
    let season = season(status);
    standings(&Given { season: &season, season_sha256: SHA, races, published: &[], held })
}

fn ranked(races: &[RaceResult]) -> Standings {
    of(SeasonStatus::Ranked, races, &[])
}

/// `rank lane behind` of every row, class by class.
fn lines(made: &Standings) -> Vec<String> {
    let row = |row: &Row| {
        let rank = row.rank.map_or(String::from("-"), |rank| rank.to_string());
        let behind = row.behind_ms.map_or(String::from("-"), |ms| ms.to_string());
        format!("{rank} {} {behind}", row.entry.lane)
    };
    let class = |class: &Class| {
        let rows: Vec<String> = class.rows.iter().map(row).collect();
        format!("{}: {}", class.memory_gb, rows.join(", "))
    };
    made.classes.iter().map(class).collect()
}

#[test]
fn equal_times_share_a_rank_and_the_next_is_left_out() {
    let races = [race("c", 1, 101_000), race("b", 1, 100_000), race("a", 1, 100_000)];
    assert_eq!(lines(&ranked(&races)), ["128: 1 a 0, 1 b 0, 3 c 1000"]);
}

#[test]
fn ties_go_to_hits_then_to_thinking() {
    let mut more_hits = race("z", 1, 100_000);
    more_hits.hits = 11;
    let mut less_thinking = race("y", 1, 100_000);
    less_thinking.thinking_ms = 39_999;
    let races = [race("a", 1, 100_000), less_thinking, more_hits];
    assert_eq!(lines(&ranked(&races)), ["128: 1 z 0, 2 y 0, 3 a 0"]);
}

#[test]
fn a_tenth_is_no_tie() {
    let races = [race("a", 1, 100_001), race("b", 1, 100_000)];
    assert_eq!(lines(&ranked(&races)), ["128: 1 b 0, 2 a 1"]);
}

#[test]
fn unfinished_and_disturbed_stand_last_without_rank() {
    let races = [
        ended(race("u", 1, 0), Status::Unfinished),
        ended(race("d", 1, 50_000), Status::Disturbed),
        race("a", 1, 100_000),
    ];
    assert_eq!(lines(&ranked(&races)), ["128: 1 a 0, - d -, - u -"]);
}

#[test]
fn classes_ascend_and_rank_by_themselves() {
    let mut small = race("s", 1, 300_000);
    (small.lane.memory_gb, small.memory_class_gb) = (8, 8);
    let races = [race("a", 1, 100_000), small];
    assert_eq!(lines(&ranked(&races)), ["8: 1 s 0", "128: 1 a 0"]);
}

#[test]
fn the_first_attempt_counts_and_a_void_one_is_not_used_up() {
    let races = [
        race("a", 3, 80_000),
        race("a", 2, 90_000),
        ended(race("a", 1, 0), Status::Void),
        ended(race("b", 1, 0), Status::Unfinished),
        race("b", 2, 70_000),
    ];
    let made = ranked(&races);
    assert_eq!(lines(&made), ["128: 1 a 0, - b -"]);
    let names = |asides: &[Aside]| asides.iter().map(|it| it.race.clone()).collect::<Vec<_>>();
    assert_eq!(names(&made.void), ["21-a-attempt1"]);
    assert_eq!(names(&made.attempts), ["21-a-attempt3", "21-b-attempt2"]);
    assert_eq!(made.attempts[0].why, "attempt 2 counts");
    assert!(made.notes.is_empty(), "{:?}", made.notes);
}

#[test]
fn a_spoilt_first_attempt_is_used_up() {
    let held = [Held { lane: String::from("a"), attempt: 1 }];
    let races = [race("a", 2, 90_000), race("b", 1, 99_000)];
    let made = of(SeasonStatus::Ranked, &races, &held);
    assert_eq!(lines(&made), ["128: 1 b 0"]);
    assert_eq!(made.attempts[0].why, "attempt 1 came first, and its files disagree");
}

#[test]
fn an_earlier_attempt_that_is_not_there_is_said() {
    assert_eq!(ranked(&[race("a", 2, 90_000)]).notes.len(), 1);
}

#[test]
fn a_preview_has_no_ranks_and_stands_in_order_of_finish() {
    let preview = |mut race: RaceResult| {
        race.season_status = SeasonStatus::Preview;
        race
    };
    let races = [
        preview(race("b", 1, 200_000)),
        preview(ended(race("u", 1, 0), Status::Unfinished)),
        preview(race("a", 1, 100_000)),
    ];
    let made = of(SeasonStatus::Preview, &races, &[]);
    assert_eq!(lines(&made), ["128: - a -, - b -, - u -"]);
}

#[test]
fn races_of_another_season_go_apart_with_the_reason() {
    let changed = |change: fn(&mut RaceResult)| {
        let mut race = race("a", 1, 100_000);
        change(&mut race);
        let mut apart = ranked(&[race]).apart;
        assert_eq!(apart.len(), 1);
        let apart = apart.remove(0);
        format!("{} {}", apart.fault, apart.reason)
    };
    assert_eq!(changed(|it| it.season = "22".into()), "false a race of season 22, not 21");
    assert_eq!(changed(|it| it.seed = 7), "false raced with seed 7, not 21");
    assert_eq!(
        changed(|it| it.prompt_version = "x".into()),
        "false raced with prompt version x, not gauntlet-4"
    );
    assert_eq!(
        changed(|it| it.season_sha256 = "00".into()),
        "false raced on a season file with other bytes than this one"
    );
    assert_eq!(
        changed(|it| it.memory_class_gb = 8),
        "true log.jsonl says 8 GB class, and a rig of 120 GB is in the 128 GB class"
    );
    assert_eq!(
        changed(|it| it.lane.memory_gb = 5_000),
        "true a rig of 5000 GB is in no class of the season"
    );
}

#[test]
fn copies_count_once_and_two_races_of_one_id_not_at_all() {
    let copy = race("a", 1, 100_000);
    let made = ranked(&[copy.clone(), copy.clone()]);
    assert_eq!(lines(&made), ["128: 1 a 0"]);
    assert_eq!((made.apart.len(), made.apart[0].fault), (1, false));

    let made = ranked(&[copy, race("a", 1, 90_000), race("a", 2, 80_000)]);
    assert!(made.classes.is_empty(), "the second attempt must not take the place of the first");
    assert_eq!((made.apart.len(), made.apart[0].fault), (2, true));
    assert_eq!(made.attempts.len(), 1);
}

#[test]
fn published_lanes_rank_beside_raced_ones() {
    let season = season(SeasonStatus::Ranked);
    let text = include_str!("../../seasons/21/published.toml");
    let published = published::read("published.toml", text, &season).unwrap();
    let races = [race("mine", 1, 300_000)];
    let given = Given {
        season: &season,
        season_sha256: SHA,
        races: &races,
        published: &published,
        held: &[],
    };
    assert_eq!(
        lines(&standings(&given)),
        [
            "128: 1 gemma-4-31b-dgx-spark 0, 2 mine 25700, 3 nemotron-3.5-lightning-dgx-spark 67700",
            "256: 1 gemma-4-31b-mac-m5-ultra 0",
        ]
    );
}

prop_compose! {
    /// Races from so few values that ties, second attempts and twice used ids are common.
    fn any_race()(
        lane in 0..4_u8,
        attempt in 1..4_u32,
        finish_ms in 0..3_u64,
        hits in 0..2_u32,
        thinking_ms in 0..2_u64,
        status in 0..8_usize,
        class in 0..2_usize,
        seed in 0..12_u64,
    ) -> RaceResult {
        let other = [Status::Unfinished, Status::Void, Status::Disturbed];
        let ends = *other.get(status).unwrap_or(&Status::Finished);
        let mut it = ended(race(&format!("lane{lane}"), attempt, 100_000 + finish_ms), ends);
        (it.hits, it.thinking_ms) = (hits, thinking_ms);
        (it.lane.memory_gb, it.memory_class_gb) = [(8, 8), (100, 128)][class];
        it.seed = if seed == 0 { 7 } else { 21 };
        it
    }
}

proptest! {
    #[test]
    fn the_order_of_the_races_never_matters(
        (races, shuffled) in prop::collection::vec(any_race(), 0..12)
            .prop_flat_map(|races| (Just(races.clone()), Just(races).prop_shuffle())),
    ) {
        prop_assert_eq!(ranked(&races), ranked(&shuffled));
    }

    #[test]
    fn ranks_ascend_and_only_equals_share_one(races in prop::collection::vec(any_race(), 0..12)) {
        let made = ranked(&races);
        for class in &made.classes {
            let ranked: Vec<&Row> = class.rows.iter().take_while(|row| row.rank.is_some()).collect();
            prop_assert!(class.rows[ranked.len()..].iter().all(|row| row.rank.is_none()));
            for row in &ranked {
                let better = |it: &&&Row| merit(&it.entry) < merit(&row.entry);
                let rank = ranked.iter().filter(better).count() + 1;
                prop_assert_eq!(row.rank.map(u64::from), Some(rank as u64));
            }
        }
    }

    #[test]
    fn every_race_is_listed_exactly_once(races in prop::collection::vec(any_race(), 0..12)) {
        let made = ranked(&races);
        let rows: usize = made.classes.iter().map(|class| class.rows.len()).sum();
        let listed = rows + made.apart.len() + made.attempts.len() + made.void.len();
        prop_assert_eq!(listed, races.len());
    }
}
