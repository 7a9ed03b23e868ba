//! A second evaluator for tests, written differently: it knows only the printed prompt, keeps the place of each cup instead
//! of a row, mirrors by counting places from the right, and undoes by playing again from the start.

use std::collections::BTreeMap;

/// The rules as the legend prints them.
#[derive(Debug, Default)]
struct Legend {
    words: BTreeMap<char, String>,
    mirror: bool,
}

/// The answers to a prompt.
pub(super) fn solve(prompt: &str) -> Vec<String> {
    let (rules, targets) = prompt.split_once("\nTargets\n").expect("targets");
    let legend = Legend::of(rules);
    let (targets, _) = targets.split_once("\n\n").expect("an end of the targets");
    targets.split("TARGET ").skip(1).map(|target| legend.answer(target)).collect()
}

impl Legend {
    fn of(rules: &str) -> Self {
        let mut legend = Self::default();
        let (_, bullets) = rules.split_once("\n- ").expect("a legend");
        let (bullets, _) = bullets.split_once("\n\n").expect("an end of the legend");
        for bullet in bullets.split("\n- ") {
            let bullet = bullet.replace("\n  ", " ");
            if bullet.starts_with("Every third move") {
                legend.mirror = true;
            } else {
                let (sign, words) = bullet.split_at(1);
                legend.words.insert(sign.chars().next().expect("a sign"), words.to_owned());
            }
        }
        legend
    }

    fn answer(&self, target: &str) -> String {
        let (head, list) = target.split_once(" moves:\n").expect("a list");
        let start: String = head
            .split_once("at the start ")
            .map(|(_, rest)| rest.chars().take_while(char::is_ascii_uppercase).collect())
            .expect("a start");
        let mut done: Vec<(usize, &str)> = Vec::new();
        for (number, code) in (1..).zip(list.split_whitespace()) {
            let words = &self.words[&code.chars().next().expect("a sign")];
            if words.starts_with(" alone") {
                let back = if words.contains("last two moves") { 2 } else { 1 };
                done.truncate(done.len() - back);
            } else {
                done.push((number, code));
            }
        }
        let mut places: BTreeMap<char, usize> = start.chars().zip(1..).collect();
        for (number, code) in done {
            self.step(&mut places, code, self.mirror && number % 3 == 0);
        }
        let mut row: Vec<(usize, char)> = places.into_iter().map(|(cup, at)| (at, cup)).collect();
        row.sort_unstable();
        row.into_iter().map(|(_, cup)| cup).collect()
    }

    fn step(&self, places: &mut BTreeMap<char, usize>, code: &str, mirrored: bool) {
        let len = places.len();
        let mut signs = code.chars();
        let words = &self.words[&signs.next().expect("a sign")];
        let acts_on: Vec<char> = signs.collect();
        let place = |sign: char| {
            let digit = sign.to_digit(10).expect("a digit") as usize;
            if mirrored { len + 1 - digit } else { digit }
        };
        let trade = |places: &mut BTreeMap<char, usize>, from: usize, to: usize| {
            for at in places.values_mut() {
                *at = match *at {
                    at if at == from => to,
                    at if at == to => from,
                    at => at,
                };
            }
        };
        let shift = |places: &mut BTreeMap<char, usize>, by: usize, left: bool| {
            let by = if left == mirrored { by } else { len - by };
            places.values_mut().for_each(|at| *at = (*at - 1 + by) % len + 1);
        };
        if words.contains("cups at these two places swap") {
            trade(places, place(acts_on[0]), place(acts_on[1]));
        } else if words.contains("these two cups swap") {
            trade(places, places[&acts_on[0]], places[&acts_on[1]]);
        } else if words.contains("all cups move") {
            let by = acts_on[0].to_digit(10).expect("a digit") as usize;
            shift(places, by, words.contains("places to the left"));
        } else if words.contains("are put in reverse order") {
            let (a, b) = (place(acts_on[0]), place(acts_on[1]));
            for at in places.values_mut().filter(|at| (a.min(b)..=a.max(b)).contains(*at)) {
                *at = a + b - *at;
            }
        } else if words.contains("and three places") {
            let forward = words.contains("first of these places goes to the second");
            let ring: Vec<usize> = acts_on.iter().map(|sign| place(*sign)).collect();
            for at in places.values_mut() {
                if let Some(held) = ring.iter().position(|place| place == at) {
                    *at = ring[(held + if forward { 1 } else { 2 }) % 3];
                }
            }
        } else {
            let (first, second) = (acts_on[0], acts_on[1]);
            let left = (places[&first] < places[&second]) != mirrored;
            if left {
                let inner: String = acts_on[3..].iter().collect();
                self.step(places, &inner, mirrored);
            } else if words.contains("whole row in reverse order") {
                places.values_mut().for_each(|at| *at = len + 1 - *at);
            } else if words.contains("otherwise swap the two cups") {
                trade(places, places[&first], places[&second]);
            } else {
                let (_, other) = words.split_once("otherwise do ").expect("another branch");
                self.step(places, other.trim_end_matches('.'), mirrored);
            }
        }
    }
}
