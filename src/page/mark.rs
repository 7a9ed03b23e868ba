//! The small marks of pages, one function each: one meaning a colour, and a shape for it too. Orange crosses and hatching are
//! misses and their loops, blue is thinking, ink is hits and shooting, grey is the course.

use super::track::Track;
use super::words::{percent_of, seconds, thousandths};
use maud::{Markup, html};

/// What other marks refer to: the hatching of loops, a hit, a miss. Once a page.
pub(crate) fn patterns() -> Markup {
    html! {
        svg.defs aria-hidden="true" {
            defs {
                pattern #hatch width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)" {
                    rect.h1 width="8" height="8" {}
                    rect.h2 x="5" width="3" height="8" {}
                }
                symbol #hit viewBox="0 0 14 14" { circle.m-hit cx="7" cy="7" r="5.6" {} }
                symbol #miss viewBox="0 0 14 14" { path.m-miss d="M2.6 2.6l8.8 8.8M11.4 2.6l-8.8 8.8" {} }
            }
        }
    }
}

/// Five targets in a row, one of them missed.
pub(crate) fn brand() -> Markup {
    html! {
        svg width="64" height="14" aria-hidden="true" {
            @for (index, hit) in [true, true, true, false, true].into_iter().enumerate() {
                (target(index * 12, hit))
            }
        }
    }
}

fn target(x: usize, hit: bool) -> Markup {
    let href = if hit { "#hit" } else { "#miss" };
    html! { use href=(href) x=(x) width="14" height="14" {} }
}

/// The targets of a range in their order.
pub(crate) fn targets(marks: &[bool]) -> Markup {
    if marks.is_empty() {
        return html! { span.mut { "–" } };
    }
    html! {
        svg.tg role="img" aria-label=(target_words(marks)) width=(marks.len() * 16) height="14" {
            @for (index, hit) in marks.iter().enumerate() { (target(index * 16, *hit)) }
        }
    }
}

/// The targets of a range for those who hear them.
pub(crate) fn target_words(marks: &[bool]) -> String {
    let words: Vec<&str> = marks.iter().map(|hit| if *hit { "hit" } else { "miss" }).collect();
    words.join(", ")
}

/// The parts of a race, in the order of [`Track::parts_ms`]: word, class.
pub(crate) const PARTS: [(&str, &str); 4] = [
    ("penalty loops", "p-loop"),
    ("thinking", "p-think"),
    ("shooting", "p-shoot"),
    ("course", "p-ski"),
];

/// Where the time of a race went, as a bar; `whole_ms` is what its whole width means.
pub(crate) fn bar(parts_ms: &[u64; 4], whole_ms: u64, label: bool) -> Markup {
    let mut from = 0;
    let drawn = parts_ms.iter().zip(PARTS).filter(|(ms, _)| **ms > 0).map(|(ms, (_, class))| {
        let width = thousandths(*ms, whole_ms).min(100_000);
        let x = from;
        from = (from + width).min(100_000);
        (x, width, class)
    });
    let drawn: Vec<(u64, u64, &str)> = drawn.collect();
    let hidden = (!label).then_some("true");
    let role = label.then_some("img");
    html! {
        svg.bar role=[role] aria-label=[label.then(|| bar_words(parts_ms))] aria-hidden=[hidden] {
            @for (x, width, class) in drawn {
                rect.(class) x=(percent_of(x)) width=(percent_of(width)) height="100%" {}
            }
        }
    }
}

fn bar_words(parts_ms: &[u64; 4]) -> String {
    let words: Vec<String> = parts_ms
        .iter()
        .zip(PARTS)
        .map(|(ms, (word, _))| format!("{word} {} seconds", seconds(*ms)))
        .collect();
    format!("Where the time went: {}", words.join(", "))
}

/// The four parts with their figures.
pub(crate) fn facts(track: &Track, parts_ms: &[u64; 4]) -> Markup {
    let mats = track.bouts.len() as u64;
    let each = |sum_ms: u64, count: u64| seconds(sum_ms.checked_div(count).unwrap_or(0));
    let legs = track.legs_ms.len() as u64;
    let buzzers = track.buzzers.unwrap_or(0);
    let details = [
        super::words::counted(track.loops, "loop"),
        super::words::counted(buzzers, "buzzer"),
        format!("{mats} × {}", each(parts_ms[2], mats)),
        format!("{legs} × {}", each(parts_ms[3], legs)),
    ];
    html! {
        dl.facts {
            @for ((ms, (word, class)), detail) in parts_ms.iter().zip(PARTS).zip(details) {
                div {
                    dt { svg width="12" height="12" aria-hidden="true" { rect.(class) width="12" height="12" rx="3" {} } (word) }
                    dd { (seconds(*ms)) " s " small { (detail) } }
                }
            }
        }
    }
}

/// What the marks of the race chart mean.
pub(crate) fn chart_key() -> Markup {
    html! {
        ul.key aria-label="Key of the chart" {
            li { svg width="22" height="12" aria-hidden="true" { rect.p-ski y="4" width="22" height="4" {} } "course" }
            li { svg width="14" height="14" aria-hidden="true" { rect.p-think width="14" height="14" {} } "thinking" }
            li { svg width="14" height="14" aria-hidden="true" { rect.p-forced width="14" height="14" {} } "forced answer" }
            li { svg width="14" height="14" aria-hidden="true" { rect.p-shoot width="14" height="14" {} } "shooting" }
            li {
                svg width="40" height="14" aria-hidden="true" {
                    rect.p-loop width="19" height="14" rx="4" {}
                    rect.p-loop x="21" width="19" height="14" rx="4" {}
                }
                "penalty loops, one block each"
            }
            li { svg width="12" height="16" aria-hidden="true" { (flag()) } "buzzer" }
            li { svg width="32" height="14" aria-hidden="true" { (target(0, true)) (target(16, false)) } "hit, miss" }
        }
    }
}

/// What the marks of the small bars mean.
pub(crate) fn bar_key() -> Markup {
    html! {
        ul.key aria-label="Key of the bars" {
            @for (word, class) in PARTS {
                li { svg width="14" height="14" aria-hidden="true" { rect.(class) width="14" height="14" rx="3" {} } (word) }
            }
        }
    }
}

/// The buzzer's flag; its pole stands at x = 11.
pub(crate) fn flag() -> Markup {
    html! { path.flag d="M10 0h2v16h-2zM10 9H0l3-4L0 1h10z" {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_said_and_drawn() {
        insta::assert_snapshot!(targets(&[true, false]).into_string(), @r##"<svg class="tg" role="img" aria-label="hit, miss" width="32" height="14"><use href="#hit" x="0" width="14" height="14"></use><use href="#miss" x="16" width="14" height="14"></use></svg>"##);
        assert_eq!(targets(&[]).into_string(), r#"<span class="mut">–</span>"#);
    }

    #[test]
    fn a_bar_is_never_wider_than_whole() {
        let text = bar(&[u64::MAX, 1, 0, u64::MAX], 10, false).into_string();
        insta::assert_snapshot!(text, @r#"<svg class="bar" aria-hidden="true"><rect class="p-loop" x="0.000%" width="100.000%" height="100%"></rect><rect class="p-think" x="100.000%" width="10.000%" height="100%"></rect><rect class="p-ski" x="100.000%" width="100.000%" height="100%"></rect></svg>"#);
    }
}
