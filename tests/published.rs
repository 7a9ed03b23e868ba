//! Published results: every range time and finish time must follow from thinking, hits and the season's figures by the
//! engine's own scoring, and reading must refuse what does not.

use gauntlet::race::scoring;
use gauntlet::season::{RangeFigures, Season, SeasonStatus, read};
use gauntlet::standings::{Finish, Given, PublishedRace, Standings, Switch, published, standings};

const SEASON: &str = include_str!("../seasons/21.toml");
const PUBLISHED: &str = include_str!("../seasons/21/published.toml");
const PUBLISHED_HARD: &str = include_str!("../seasons/21-hard/published.toml");

fn season() -> Season {
    read("21.toml", SEASON).expect("season 21 is right")
}

/// The hard preview: the course of season 21, four other families, loops of 45 s, no buzzer.
fn hard() -> Season {
    let mut season = season();
    season.name = String::from("21-hard");
    season.title = String::from("Season 21, hard preview");
    season.prompt_version = String::from("gauntlet-4-hard-2");
    season.status = SeasonStatus::Preview;
    for (range, family) in season.ranges.iter_mut().zip(["trace", "cups", "skyscrapers", "sokoban"])
    {
        let level = range.level;
        *range = RangeFigures { family: family.into(), level, loop_ms: 45_000, buzzer_ms: None };
    }
    season
}

fn races(text: &str, season: &Season) -> Vec<PublishedRace> {
    published::read("published.toml", text, season).expect("the published results are right")
}

fn alone(season: &Season, published: &[PublishedRace]) -> Standings {
    standings(&Given { season, season_sha256: "", races: &[], published, held: &[] })
}

#[test]
fn every_published_time_follows_from_thinking_hits_and_the_seasons_figures() {
    let season = season();
    let races = races(PUBLISHED, &season);
    assert_eq!(races.len(), 3);
    for race in &races {
        let mut finish_ms: u64 = season.course.legs_ms.iter().sum();
        assert_eq!((finish_ms, race.ranges.len()), (52_000, 4));
        for (range, figures) in race.ranges.iter().zip(&season.ranges) {
            let place = format!("{} {}", race.lane, range.family);
            let misses = 5 - range.hits;
            let loops_ms = scoring::loops_ms(misses, figures.loop_ms);
            let overhead_ms = season.course.range_overhead_ms;
            let due_ms = scoring::range_ms(range.thinking_ms, overhead_ms, misses, figures.loop_ms);
            assert_eq!((range.loops, range.loops_ms), (misses, loops_ms), "{place}");
            assert_eq!(range.range_ms, due_ms, "{place}");
            finish_ms += due_ms;
        }
        assert_eq!(race.finish_ms, finish_ms, "{}", race.lane);
    }
}

/// The figures of RULES.md written out once more, so that a slip in the file cannot hide behind a slip in the season.
#[test]
fn the_published_figures_themselves() {
    let races = races(PUBLISHED, &season());
    let ranges_ms = |race: &PublishedRace| -> Vec<u64> {
        race.ranges.iter().map(|range| range.range_ms).collect()
    };
    assert_eq!(ranges_ms(&races[0]), [102_200, 40_000, 21_000, 59_100]);
    assert_eq!(ranges_ms(&races[1]), [56_000, 46_600, 11_000, 44_900]);
    assert_eq!(ranges_ms(&races[2]), [69_400, 67_700, 67_600, 85_300]);
    let finish: Vec<_> = races.iter().map(|race| (race.finish_ms, race.finish)).collect();
    assert_eq!(
        finish,
        [(274_300, Finish::Computed), (210_500, Finish::Computed), (342_000, Finish::Published)]
    );
    let nemotron = &races[2];
    assert_eq!((nemotron.hits, nemotron.targets, nemotron.loops), (1, 20, 19));
    assert_eq!((nemotron.loops_ms, nemotron.thinking_ms), (255_000, Some(6_200)));
    assert_eq!((nemotron.buzzers, nemotron.rank), (Some(0), Some((7, 8))));
    let buzzers: Vec<_> = races.iter().map(|race| race.buzzers).collect();
    assert_eq!(buzzers, [Some(1), Some(1), Some(0)]);
}

#[test]
fn published_lanes_rank_by_class() {
    let season = season();
    let made = alone(&season, &races(PUBLISHED, &season));
    let rows: Vec<_> = made
        .classes
        .iter()
        .flat_map(|class| class.rows.iter().map(|row| (class.memory_gb, row)))
        .map(|(class, row)| (class, row.rank, row.entry.lane.as_str(), row.behind_ms))
        .collect();
    assert_eq!(
        rows,
        [
            (128, Some(1), "gemma-4-31b-dgx-spark", Some(0)),
            (128, Some(2), "nemotron-3.5-lightning-dgx-spark", Some(67_700)),
            (256, Some(1), "gemma-4-31b-mac-m5-ultra", Some(0)),
        ]
    );
}

#[test]
fn the_hard_preview_has_totals_only_and_no_ranks() {
    let season = hard();
    let races = races(PUBLISHED_HARD, &season);
    let course_ms: u64 = season.course.legs_ms.iter().sum::<u64>() + 4 * 7_200;
    for (race, (thinking, hits, loops, cut_off)) in
        races.iter().zip([(Switch::On, 16, 4, 0), (Switch::Off, 7, 13, 3)])
    {
        assert_eq!((race.hits, race.targets, race.loops), (hits, 20, loops));
        assert_eq!(race.loops_ms, scoring::loops_ms(loops, 45_000));
        assert_eq!((race.thinking, race.cut_off), (Some(thinking), Some(cut_off)));
        assert_eq!((race.thinking_ms, race.buzzers), (None, None), "neither is published");
        // What is left for four ranges of thinking: long, and no longer than half an hour.
        let left_ms = race.finish_ms.checked_sub(course_ms + race.loops_ms);
        assert!(left_ms.is_some_and(|ms| (1_000_000..1_800_000).contains(&ms)), "{left_ms:?}");
    }
    let made = alone(&season, &races);
    let rows: Vec<_> = made.classes[0]
        .rows
        .iter()
        .map(|row| (row.rank, row.behind_ms, row.entry.lane.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            (None, None, "glm-5.3-flash-4x-dgx-spark, thinking on"),
            (None, None, "glm-5.3-flash-4x-dgx-spark, thinking off"),
        ]
    );
}

/// Changes one place of a published file and gives what reading says about it.
fn said(text: &str, season: &Season, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in the file");
    let changed = text.replacen(from, to, 1);
    match published::read("published.toml", &changed, season) {
        Ok(_) => String::from("nothing"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn what_does_not_follow_is_refused() {
    let season = season();
    let said = |from: &str, to: &str| said(PUBLISHED, &season, from, to);
    insta::assert_snapshot!(
        [
            said("range_s = 40.0", "range_s = 40.1"),
            said("finish_s = 274.3", "finish_s = 274.2"),
            said("targets = \"oooxx\"", "targets = \"oooox\""),
            said("targets = \"oooxx\"", "targets = \"ooox\""),
            said("hits = 0, thinking_s = 35.0", "hits = 1, thinking_s = 35.0"),
            said("loops = 2, loops_s = 24.0", "loops = 3, loops_s = 24.0"),
            said("loops_s = 24.0", "loops_s = 24.01"),
            said("thinking_s = 35.0", "thinking_s = 34.9"),
            said("thinking_s = 21.9, buzzer = false", "thinking_s = 21.9, buzzer = true"),
            said("level = 2", "level = 3"),
            said("kind = \"code\"", "kind = \"puzzle\""),
            said("loops = 19", "loops = 18"),
            said("thinking_s = 6.2", "thinking_s = 6.3"),
            said("buzzers = 0", "buzzers = 1"),
            said("rank = 7", "rank = 9"),
            said("memory_gb = 256", "memory_gb = 4096"),
            said("season = \"21\"", "season = \"22\""),
            said("\"computed\"\n\n", "\"guessed\"\n\n"),
            said("answered = false", "anserwed = false"),
            said("gemma-4-31b-mac-m5-ultra", "gemma-4-31b-dgx-spark"),
            said("major = 1", "major = 2"),
        ]
        .join("\n")
    );
}

#[test]
fn totals_that_do_not_follow_are_refused() {
    let season = hard();
    let said = |from: &str, to: &str| said(PUBLISHED_HARD, &season, from, to);
    insta::assert_snapshot!(
        [
            said("trace = 5", "trace = 6"),
            said("trace = 5", "trace = 4"),
            said("trace = 5, ", ""),
            said("trace = 5", "trails = 5"),
            said("loops = 4", "loops = 5"),
            said("loops_s = 180.0", "loops_s = 185.0"),
            said("finish_s = 1613.7", "finish_s = 260.7"),
            said("cut_off = 0", "cut_off = 5"),
            said("thinking = \"on\"", "thinking = \"off\""),
        ]
        .join("\n")
    );
}
