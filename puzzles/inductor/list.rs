//! Lists of whole numbers, as the steps change them: short, so that a search copies them freely. Also their notation.

use std::fmt;

/// The longest list: the longest input and one number more for each step of a chain.
pub(super) const LENGTH_MAX: usize = 14;

/// Longer values are not read.
const LONGEST: usize = 200;

/// A list.
#[derive(Clone, Copy)]
pub(super) struct List {
    numbers: [i32; LENGTH_MAX],
    length: usize,
}

impl List {
    /// The numbers; those beyond [`LENGTH_MAX`] are left out.
    pub(super) fn of(numbers: impl IntoIterator<Item = i32>) -> Self {
        let mut list = Self { numbers: [0; LENGTH_MAX], length: 0 };
        for (place, number) in list.numbers.iter_mut().zip(numbers) {
            *place = number;
            list.length += 1;
        }
        list
    }

    /// The numbers in order.
    pub(super) fn numbers(&self) -> &[i32] {
        &self.numbers[..self.length]
    }

    /// The numbers in order, to be changed.
    pub(super) fn numbers_mut(&mut self) -> &mut [i32] {
        &mut self.numbers[..self.length]
    }

    /// The numbers for which something holds; it is told their places, from 0, too.
    pub(super) fn keep(&self, mut stays: impl FnMut(usize, i32) -> bool) -> Self {
        let numbers = self.numbers().iter().copied().enumerate();
        Self::of(numbers.filter(|(place, number)| stays(*place, *number)).map(|(_, number)| number))
    }
}

impl PartialEq for List {
    fn eq(&self, other: &Self) -> bool {
        self.numbers() == other.numbers()
    }
}

impl Eq for List {}

impl fmt::Debug for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.numbers(), f)
    }
}

/// The numbers with a space between; `empty` for none.
impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.numbers().iter().map(i32::to_string).collect();
        f.write_str(if numbers.is_empty() { "empty" } else { "" })?;
        f.write_str(&numbers.join(" "))
    }
}

/// Reads whole numbers between spaces, `,` `;` or `|`, perhaps in brackets; `empty` and an empty pair of brackets are a list too.
pub(super) fn read(value: &str) -> Result<Vec<i64>, String> {
    if value.len() > LONGEST {
        return Err(format!("a list of more than {LONGEST} characters"));
    }
    let text = value.trim().trim_end_matches('.').trim_end();
    let pairs = [('[', ']'), ('(', ')'), ('{', '}')];
    let inside = pairs.iter().find_map(|(open, close)| {
        text.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close))
    });
    if text.eq_ignore_ascii_case("empty") || inside.is_some_and(|inside| inside.trim().is_empty()) {
        return Ok(Vec::new());
    }
    let words = inside.unwrap_or(text).split([' ', '\t', ',', ';', '|']);
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    if words.is_empty() {
        return Err("no numbers".to_owned());
    }
    words
        .iter()
        .map(|word| {
            let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
            if let Some(other) = digits.chars().find(|c| !c.is_ascii_digit()) {
                return Err(format!("a list with {other:?}"));
            }
            word.parse().map_err(|_| format!("a list with {word:?}"))
        })
        .collect()
}
