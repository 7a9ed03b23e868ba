//! The setup of a lane and the conditions of its race, for readers who want to build the same.

use super::race::Race;
use super::words::{self, counted, seconds};
use maud::{Markup, html};

/// The section of a race page.
pub(crate) fn section(race: &Race) -> Markup {
    html! {
        section aria-labelledby="h-setup" {
            h2 #h-setup { "Setup and recipe" }
            p.sub { "From the lane file, as its owner wrote it, and from the log. Nothing here is checked by the engine but what it measured itself." }
            div.scroll tabindex="0" role="group" aria-labelledby="h-setup" {
                table.free { tbody {
                    @for (name, value) in facts(race) {
                        tr { th.pin.n scope="row" { (name) } td.l { (words::line(&value)) } }
                    }
                } }
            }
            @if let Some(start) = &race.lane.setup.start {
                h3 { "Start of the server" }
                (super::shell::command(start))
            }
        }
    }
}

fn facts(race: &Race) -> Vec<(&'static str, String)> {
    let (lane, setup) = (&race.lane, &race.lane.setup);
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    let mut add = |name, value: Option<String>| {
        facts.extend(value.filter(|it| !it.is_empty()).map(|value| (name, value)));
    };
    let number = |value: Option<u64>| value.map(|it| it.to_string());
    add("Lane", Some(lane.name.clone()));
    add("Model", Some(lane.model.clone()));
    add("Base model", setup.base_model.clone());
    add("Weights", setup.weights.clone());
    add("Quantisation", setup.quantisation.clone());
    add("Drafter", setup.drafter.clone());
    add("Hardware", setup.hardware.clone());
    add("Memory", Some(format!("{} GB", lane.memory_gb)));
    add("Engine", setup.engine.clone());
    add("Context, tokens", number(setup.context));
    add("Slots", number(setup.slots));
    add("Recipe", setup.recipe.clone());
    add("Recipe by", setup.recipe_author.clone());
    add("Notes", setup.notes.clone());
    add("Thinking", Some(String::from(if lane.thinks() { "on" } else { "off" })));
    add("Sampling", sampling(race));
    add("Answer limit", Some(format!("{} tokens", lane.answer_limit_tokens)));
    add("Speed at zeroing", race.result.speed.map(|speed| speed_words(&speed)));
    add("Tokens", tokens(race));
    add("Raced on", race.began.clone());
    add("Engine's machine", host(race));
    add("Race engine", Some(race.start.engine.clone()));
    let result = &race.result;
    add("Race", Some(format!("{}, attempt {}", result.race, result.attempt)));
    add("Tasks", Some(format!("seed {}, prompt version {}", result.seed, result.prompt_version)));
    facts
}

fn sampling(race: &Race) -> Option<String> {
    if race.lane.sim.is_some() {
        return Some(String::from("a simulated lane: its answers are drawn from its seed"));
    }
    let given: Vec<String> =
        race.lane.sampling.given().map(|(name, number)| format!("{name} {number}")).collect();
    Some(if given.is_empty() { String::from("the server's own") } else { given.join(", ") })
}

fn speed_words(speed: &crate::race::fold::Speed) -> String {
    let rate = speed.decode_mtps.map(|mtps| {
        let tenths = mtps.saturating_add(50) / 100;
        format!("{}.{} tokens a second", tenths / 10, tenths % 10)
    });
    let first = speed
        .first_token_ms
        .map(|ms| format!("first token after {}.{:02} s", ms / 1_000, ms % 1_000 / 10));
    rate.into_iter().chain(first).collect::<Vec<_>>().join(", ")
}

/// Tokens of the replies, where the server counted them in every range.
fn tokens(race: &Race) -> Option<String> {
    let counts: Option<Vec<u64>> =
        race.result.ranges.iter().map(|range| range.tokens?.completion).collect();
    let sum = counts.filter(|it| !it.is_empty())?.into_iter().fold(0, u64::saturating_add);
    let thinking = seconds(race.result.thinking_ms);
    Some(format!("{} written in {thinking} s of thinking", counted(sum, "token")))
}

fn host(race: &Race) -> Option<String> {
    let host = race.start.host.as_ref()?;
    let watched = match host.load_watched {
        Some(false) => ", foreign load not watched",
        _ => "",
    };
    Some(format!(
        "{}, {}, {}, {} of memory{watched}",
        host.cpu,
        counted(host.cores, "core"),
        host.os,
        format_args!("{} GB", host.memory_gb)
    ))
}
