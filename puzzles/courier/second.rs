//! A second courier for tests, written differently: it knows only the printed prompt and keeps, in ordered maps, every way of
//! standing somewhere that no other beats, taken from a queue in the order of time.

use std::collections::{BTreeMap, BTreeSet};

/// A street as it is used in one direction: from, to, minutes, toll, gate digits if it has a gate.
type Way = (char, char, u32, u32, Option<String>);

/// A town and its errands, as printed.
#[derive(Debug)]
pub(super) struct Reader {
    ways: Vec<Way>,
    waits: bool,
    dear_from: Option<u32>,
    rest: Option<u32>,
    pub(super) errands: Vec<Printed>,
}

/// An errand as printed.
#[derive(Debug)]
pub(super) struct Printed {
    start: char,
    leaves: u32,
    parcel: Option<char>,
    finish: char,
    pub(super) arrive: u32,
    pub(super) coins: u32,
}

impl Reader {
    /// Reads a prompt.
    pub(super) fn of(prompt: &str) -> Self {
        let flat = prompt.replace("\n  ", " ");
        let (_, rest) = prompt.split_once("\nStreets\n").expect("streets");
        let (streets, targets) = rest.split_once("\n\nTargets\n").expect("targets");
        let mut ways = Vec::new();
        for street in streets.lines().flat_map(|line| line.split("; ")) {
            read_street(street.trim(), &mut ways);
        }
        Self {
            ways,
            waits: flat.contains("he waits before it until it opens"),
            dear_from: number_after(&flat, "- From minute "),
            rest: number_after(&flat, "he rests "),
            errands: targets
                .lines()
                .filter(|line| line.starts_with("TARGET"))
                .take(5)
                .map(errand)
                .collect(),
        }
    }

    /// The least coins for which an errand can be done by a minute, whatever its own limits are.
    pub(super) fn least_coins(&self, number: usize, by: u32) -> Option<u32> {
        let errand = &self.errands[number];
        let fetched = errand.parcel.is_none_or(|parcel| parcel == errand.start);
        // Minute, corner, with the parcel, streets so far: by that, the fewest coins.
        let mut open: BTreeMap<(u32, char, bool, u32), u32> =
            BTreeMap::from([((errand.leaves, errand.start, fetched, 0), 0)]);
        let mut least = None;
        let mut done: BTreeSet<(u32, char, bool, u32)> = BTreeSet::new();
        while let Some((here, paid)) = open.pop_first() {
            let (minute, corner, fetched, streets) = here;
            if minute > by {
                break;
            }
            assert!(done.insert(here), "time only goes on");
            if corner == errand.finish && fetched {
                least = Some(least.map_or(paid, |least: u32| least.min(paid)));
            }
            let rested =
                minute + if streets > 0 && streets % 3 == 0 { self.rest.unwrap_or(0) } else { 0 };
            for (_, to, minutes, toll, gate) in self.ways.iter().filter(|way| way.0 == corner) {
                let Some(enters) = self.enters(gate.as_deref(), rested) else { continue };
                let doubled = self.dear_from.is_some_and(|from| from <= enters);
                let paid = paid + toll * if doubled { 2 } else { 1 };
                // More than two rounds of rests are the same again.
                let streets = if streets + 1 > 5 { streets - 2 } else { streets + 1 };
                let next = (enters + minutes, *to, fetched || errand.parcel == Some(*to), streets);
                let known = open.entry(next).or_insert(paid);
                *known = paid.min(*known);
            }
        }
        least
    }

    fn enters(&self, gate: Option<&str>, minute: u32) -> Option<u32> {
        let Some(digits) = gate else { return Some(minute) };
        let open = |minute: u32| minute.to_string().ends_with(|digit| digits.contains(digit));
        if open(minute) {
            return Some(minute);
        }
        (minute + 1..minute + 10).find(|later| self.waits && open(*later))
    }
}

fn read_street(text: &str, ways: &mut Vec<Way>) {
    let words: Vec<&str> = text.split(' ').collect();
    let ends: Vec<char> = words[0].chars().collect();
    let value = |name: &str| {
        let at = words.iter().position(|word| *word == name)?;
        words.get(at + 1).copied()
    };
    let toll = value("toll").map_or(0, |toll| toll.parse().expect("a toll"));
    let minutes = words[1].parse().expect("minutes");
    let gate = value("gate").map(str::to_owned);
    ways.push((ends[0], ends[2], minutes, toll, gate.clone()));
    if ends[1] == '-' {
        ways.push((ends[2], ends[0], minutes, toll, gate));
    }
}

fn errand(line: &str) -> Printed {
    let letter = |words: &str| {
        let (_, rest) = line.split_once(words)?;
        rest.chars().next()
    };
    let mut minutes = line.split("at minute ").skip(1).map(leading);
    Printed {
        start: letter("leaves ").expect("a start"),
        leaves: minutes.next().flatten().expect("a minute"),
        parcel: letter("parcel at "),
        finish: letter("arrives at ").expect("a finish"),
        arrive: minutes.next().flatten().expect("a minute"),
        coins: number_after(line, "pays at most ").expect("coins"),
    }
}

/// The number that follows some words, if they stand there.
fn number_after(text: &str, words: &str) -> Option<u32> {
    text.split_once(words).and_then(|(_, rest)| leading(rest))
}

fn leading(text: &str) -> Option<u32> {
    let digits: String = text.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
