//! Season files: the shipped ones say what the rules say; wrong ones are refused with file, line and a hint.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

use gauntlet::course::Course;
use gauntlet::season;

fn shipped() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/seasons/21.toml")).unwrap()
}

#[test]
fn season_21_has_the_figures_of_the_rules() {
    let season = season::read("21.toml", &shipped()).unwrap();
    assert_eq!(season.course.legs_ms.iter().sum::<u64>(), 52_000);
    assert_eq!(season.course.range_overhead_ms, 7_200);
    assert_eq!((season.seed, season.prompt_version.as_str()), (21, "gauntlet-4"));
    let ranges: Vec<String> = season
        .ranges
        .iter()
        .map(|it| {
            format!("{} {} loop {} buzzer {:?}", it.family, it.level, it.loop_ms, it.buzzer_ms)
        })
        .collect();
    assert_eq!(
        ranges,
        [
            "river-ferry 1 loop 12000 buzzer Some(20000)",
            "painter 2 loop 12000 buzzer Some(30000)",
            "bench-seating 3 loop 15000 buzzer Some(40000)",
            "snake 4 loop 15000 buzzer Some(60000)",
        ]
    );
    assert_eq!(season.forced.window_ms, 15_000);
    assert_eq!(
        season.memory_classes_gb,
        [8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024]
    );
    Course::plan(season).unwrap();
}

#[test]
fn a_wrong_season_is_refused_with_line_and_hint() {
    let cases: &[(&str, &str)] = &[
        ("seed = 21 ", "sead = 21 "),
        ("range_overhead_ms = 7200", "range_overhead_s = 7"),
        ("family = \"painter\"", "family = \"paintr\""),
        ("level = 4", "level = 10"),
        ("level = 4", "level = 5"),
        ("loop_ms = 12000", "loop_ms = 0"),
        ("loop_ms = 12000", "loop_ms = -1"),
        ("loop_ms = 12000", "loop_ms = \"12 s\""),
        ("buzzer_ms = 20000", "buzzer_ms = 2"),
        ("legs_ms = [10400, 10400, 10400, 10400, 10400]", "legs_ms = [10400]"),
        ("legs_ms = [10400, 10400, 10400, 10400, 10400]", "legs_ms = [99999999, 1, 1, 1, 1]"),
        ("targets = 5", "targets = 6"),
        ("status = \"ranked\"", "status = \"rankd\""),
        ("prompt_version = \"gauntlet-4\"", "prompt_version = \"gauntlet-9\""),
        ("memory_classes_gb = [8, 16,", "memory_classes_gb = [16, 8,"),
        ("major = 1", "major = 2"),
        ("gauntlet-season", "gauntlet-log"),
        ("name = \"21\"", "name = \"../21\""),
        ("[levels.2]", "[levels.12]"),
        ("window_ms = 15000", "window_ms = 0"),
    ];
    let mut said = String::new();
    for (right, wrong) in cases {
        let text = shipped();
        assert!(text.contains(right), "{right}");
        let text = text.replacen(right, wrong, 1);
        let answer = match season::read("21.toml", &text) {
            Err(error) => error.to_string(),
            Ok(season) => Course::plan(season).map(|_| ()).unwrap_err().to_string(),
        };
        said += &format!("{wrong}\n    {}\n", answer.replace('\n', "\n    "));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn a_course_without_end_is_refused_before_a_task_is_drawn() {
    let more = "[[range]]\nfamily = \"sokoban\"\nlevel = 4\n".repeat(60);
    let legs = format!("legs_ms = [{}]", "10400, ".repeat(65));
    let text = shipped().replace("legs_ms = [10400, 10400, 10400, 10400, 10400]", &legs);
    assert!(season::read("21.toml", &format!("{text}{more}")).is_ok());
    let one = "[[range]]\nfamily = \"sokoban\"\nlevel = 4\n";
    let said = season::read("21.toml", &format!("{text}{more}{one}")).unwrap_err().to_string();
    assert!(said.contains("65 ranges are too many"), "{said}");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_it_panic(at in 0usize..2200, text in "(?s).{0,12}") {
        let shipped = shipped();
        let at = (0..=at.min(shipped.len())).rev().find(|at| shipped.is_char_boundary(*at)).unwrap_or(0);
        let broken = format!("{}{text}{}", &shipped[..at], &shipped[at..]);
        drop(season::read("21.toml", &broken));
    }
}
