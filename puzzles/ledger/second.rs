//! A second bookkeeper for tests, written differently: it knows only the printed prompt, makes a list of everything that
//! happens to an account, with its moment, sorts it and goes through it once.

use std::collections::BTreeMap;

/// A moment: the day, the part of the day (0 interest, 1 listed, 2 again, 3 interest), the number of the booking.
type Moment = (i64, i64, i64);

/// The balances that a prompt asks for.
pub(super) fn solve(prompt: &str) -> Vec<i64> {
    let flat = prompt.replace("\n  ", " ");
    let part = |from: &str, to: &str| {
        let (_, rest) = flat.split_once(from).expect("a heading");
        rest.split_once(to).expect("an end").0
    };
    let bank = Bank {
        days: after(&flat, "from day 1 to day "),
        rules: part("\nRules\n", "\n\n").to_owned(),
        fee_back: flat.contains("the fee is given back too"),
        period: flat.contains(" and again every ").then(|| after(&flat, " and again every ")),
    };
    let opening = part("\nOpening balances\n", "\n\n");
    let journal = part("\nJournal", "\n\n");
    opening
        .split(", ")
        .map(|account| {
            let (name, coins) = account.split_once(' ').expect("a balance");
            bank.balance(coins.parse().expect("coins"), &bookings(journal, name))
        })
        .collect()
}

/// Day, number and the rest of every booking of an account, such as `x9` or `*-40`.
fn bookings(journal: &str, name: &str) -> Vec<(i64, i64, String)> {
    let mut found = Vec::new();
    for line in journal.lines().filter_map(|line| line.strip_prefix("Day ")) {
        let (day, words) = line.split_once(": ").expect("a day");
        for word in words.split(", ") {
            let (number, act) = word.split_once(' ').expect("a number");
            if let Some(act) = act.strip_prefix(name) {
                let (day, number) =
                    (day.parse().expect("a day"), number.parse().expect("a number"));
                found.push((day, number, act.to_owned()));
            }
        }
    }
    found
}

struct Bank {
    days: i64,
    rules: String,
    fee_back: bool,
    period: Option<i64>,
}

impl Bank {
    fn balance(&self, opening: i64, bookings: &[(i64, i64, String)]) -> i64 {
        let mut moments: Vec<(Moment, &str)> = Vec::new();
        for (day, number, act) in bookings {
            moments.push(((*day, 1, *number), act));
            if act.starts_with('*') {
                let period = self.period.expect("a period");
                let again = (1..).map(|times| day + times * period);
                let again = again.take_while(|day| *day <= self.days);
                moments.extend(again.map(|day| ((day, 2, *number), act.as_str())));
            }
        }
        let part = if self.rules.contains("before the first booking") { 0 } else { 3 };
        moments.extend((1..=self.days / 10).map(|tenth| ((10 * tenth, part, 0), "interest")));
        moments.sort();
        let mut balance = opening;
        let mut payments = 0;
        // What each booking has taken from the balance, and what its fee has.
        let mut taken: BTreeMap<i64, (i64, i64)> = BTreeMap::new();
        for ((_, _, number), act) in moments {
            if act == "interest" {
                balance += self.interest(balance);
            } else if let Some(of) = act.strip_prefix('x') {
                let (coins, fee) = taken[&of.parse().expect("a number")];
                balance += coins + if self.fee_back { fee } else { 0 };
            } else {
                let coins: i64 = act.trim_start_matches('*').parse().expect("coins");
                let mut takes = (-coins, 0);
                if coins < 0 {
                    payments += 1;
                    takes = self.payment(balance, -coins, payments);
                }
                taken.insert(number, takes);
                balance -= takes.0 + takes.1;
            }
        }
        balance
    }

    /// What a payment takes, and what its fee does.
    fn payment(&self, balance: i64, coins: i64, number: i64) -> (i64, i64) {
        let rules = &self.rules;
        let carried = "is made all the same, but ";
        let more =
            if coins > balance && rules.contains(carried) { after(rules, carried) } else { 0 };
        if coins > balance {
            if rules.contains("is refused: nothing is taken") {
                return (0, 0);
            }
            if rules.contains("instead of the payment and its fee, ") {
                return (after(rules, "instead of the payment and its fee, "), 0);
            }
        }
        let fee = ["costs a fee: ", "a fee each: "].into_iter().find(|words| rules.contains(words));
        let fee = after(rules, fee.expect("a fee"));
        let costs = if rules.contains("The payments of an account are counted") {
            let every = if rules.contains("The 2nd") { 2 } else { 3 };
            number % every == 0
        } else if rules.contains("A payment that leaves less than ") {
            balance - coins < after(rules, "A payment that leaves less than ")
        } else {
            coins >= after(rules, "Every payment of ")
        };
        (coins + more, if costs { fee } else { 0 })
    }

    fn interest(&self, balance: i64) -> i64 {
        let (_, table) = self.rules.split_once("at that moment:").expect("a table");
        let mut rate = 0;
        for band in table.split(';').skip(1) {
            let figures = band.split(". The").next().expect("a band");
            let from = after(figures, " ");
            if balance >= from {
                rate = after(figures, ": ");
            }
        }
        if rate == 0 { 0 } else { (balance - balance % 100) / 100 * rate }
    }
}

/// The number that follows some words.
fn after(text: &str, words: &str) -> i64 {
    let (_, rest) = text.split_once(words).unwrap_or_else(|| panic!("no {words:?} in {text}"));
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().expect("a number")
}
