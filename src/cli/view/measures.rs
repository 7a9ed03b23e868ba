//! The part of the card that says how many tokens each reply had, how fast they came, and whose figures these are.

use super::look::{Look, columns, fit, title};
use super::plain::hundredths;
use crate::cli::out::seconds;
use crate::race::RaceResult;
use crate::race::measure::{Count, Measured, Rate, Source};

/// Columns of a line with both its sides.
const WIDTH: usize = 72;

/// Columns of a range's name, and of each figure.
const NAME: usize = 17;
const FIGURES: [(&str, usize); 6] = [
    ("prompt", 8),
    ("thinking", 9),
    ("answer", 9),
    ("first s", 9),
    ("prefill/s", 12),
    ("decode/s", 10),
];

/// A line with what stands at its right edge.
pub(super) type Sides = (String, String);

/// The lines; none of a race that was not measured.
pub(super) fn lines(look: &Look, result: &RaceResult) -> Vec<Sides> {
    let mut lines = Vec::new();
    let mut seen = Vec::new();
    for (number, range) in (1_u32..).zip(&result.ranges) {
        if let Some(measured) = &range.measured {
            let name = format!("{number} {}", look.text(&title(&range.family), 40));
            lines.push((line(&name, measured, range.first_token_ms, &mut seen), String::new()));
        }
        if let Some(forced) = &range.forced {
            lines.push((line("  forced answer", forced, None, &mut seen), String::new()));
        }
    }
    if !lines.is_empty() {
        let heads = FIGURES.map(|(head, width)| format!("{head:>width$}")).concat();
        lines.insert(0, (format!("{}{heads}", fit("  tokens", NAME)), String::new()));
    }
    let legend: Vec<String> = [Source::TextShare, Source::Timings, Source::Pieces]
        .into_iter()
        .filter(|source| seen.contains(source))
        .map(|source| format!("{} {}", mark(source), words(source)))
        .collect();
    let legend = legend.join("  ");
    let harness = result
        .overhead_us
        .map(|us| format!("harness {} ms a request", hundredths(us)))
        .unwrap_or_default();
    if columns(&legend) + columns(&harness) > WIDTH {
        lines.push((legend, String::new()));
        lines.push((String::new(), harness));
    } else if !legend.is_empty() || !harness.is_empty() {
        lines.push((legend, harness));
    }
    lines
}

fn line(name: &str, it: &Measured, first_ms: Option<u64>, seen: &mut Vec<Source>) -> String {
    let mut count = |it: Option<Count>| match it {
        Some(Count { count, source }) => {
            seen.push(source);
            format!("{count}{}", mark(source))
        }
        None => String::from("?"),
    };
    let counts = [count(it.prompt), count(it.thinking), count(it.answer)];
    let mut rate = |it: Option<Rate>| match it {
        Some(Rate { mtps, source }) => {
            seen.push(source);
            format!("{}{}", seconds(mtps), mark(source))
        }
        None => String::from("?"),
    };
    let rates = [rate(it.prefill), rate(it.decode)];
    let [prompt, thinking, answer] = counts;
    let [prefill, decode] = rates;
    let first = first_ms.map_or_else(|| String::from("?"), hundredths);
    let figures = [prompt, thinking, answer, first, prefill, decode];
    let figures: String = figures
        .iter()
        .zip(FIGURES)
        .map(|(figure, (_, width))| " ".repeat(width.saturating_sub(columns(figure))) + figure)
        .collect();
    format!("{}{figures}", fit(name, NAME))
}

/// What stands behind a figure that is not the server's plain count.
fn mark(source: Source) -> &'static str {
    match source {
        Source::Usage => "",
        Source::Timings => "t",
        Source::TextShare => "~",
        Source::Pieces => "p",
    }
}

fn words(source: Source) -> &'static str {
    match source {
        Source::Usage => "",
        Source::Timings => "llama.cpp's timings",
        Source::TextShare => "by length of text",
        Source::Pieces => "pieces, not tokens",
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn figures_carry_their_source() {
        let count = |count, source| Some(Count { count, source });
        let rate = |mtps, source| Some(Rate { mtps, source });
        let measured = Measured {
            prompt: count(812, Source::Usage),
            thinking: count(1_204, Source::TextShare),
            answer: count(96, Source::TextShare),
            prefill: rate(359_040, Source::Timings),
            decode: rate(44_130, Source::Timings),
        };
        let cut = Measured {
            prompt: None,
            thinking: count(310, Source::Pieces),
            answer: count(0, Source::Pieces),
            prefill: None,
            decode: None,
        };
        let mut result = samples::result(&samples::spark());
        result.overhead_us = Some(314);
        result.ranges[0].measured = Some(measured);
        result.ranges[0].first_token_ms = Some(2_140);
        result.ranges[1].measured = Some(cut);
        result.ranges[1].forced = Some(measured);
        let shown: Vec<String> = lines(Look::of_locale(), &result)
            .into_iter()
            .map(|(left, right)| format!("{left} | {right}"))
            .collect();
        insta::assert_snapshot!(shown.join("\n"));
    }
}
