//! What the lane reads: the notation and the rules that the task has, opening balances, the journal. One sentence a rule of
//! `rules.rs`, the same for every seed.

use super::draw::Account;
use super::rules::{Act, Fee, House, INTEREST_DAYS, Overdraft, keep};
use crate::puzzles::emit::answer_format;
use crate::puzzles::{Kind, TARGETS};

/// Characters of a line of the journal.
const LINE: usize = 110;

/// The whole prompt.
pub(super) fn prompt(house: &House, accounts: &[Account; TARGETS]) -> String {
    let last = house.days;
    let mut prompt = format!(
        "LEDGER\n\n\
         A bank keeps five accounts, A to E, in whole coins. Its journal lists their bookings from day 1 to day {last}. What is the\n\
         balance of each account at the end of day {last}?\n\n\
         Bookings\n\
         Every booking has a number, and bookings are done in the order of their numbers. The accounts have nothing to do with\n\
         each other.\n"
    );
    for sentence in notation(house) {
        prompt.push_str(&format!("- {sentence}\n"));
    }
    prompt.push_str("\nRules\n");
    for sentence in [Some(fee(house)), overdraft(house), Some(interest(house))].iter().flatten() {
        prompt.push_str(&format!("- {sentence}\n"));
    }
    prompt.push_str(
        "- All this also goes for a balance below 0, which is possible.\n\nOpening balances\n",
    );
    let opening: Vec<String> = (0..)
        .zip(accounts)
        .map(|(at, account)| format!("{} {}", name(at), account.opening))
        .collect();
    prompt.push_str(&format!("{}\n\n", opening.join(", ")));
    prompt.push_str("Journal (on days without a line nothing is listed)\n");
    prompt.push_str(&journal(house, accounts));
    prompt.push_str("\nTargets\n");
    for at in 0..TARGETS {
        prompt.push_str(&format!("TARGET {}: account {}\n", at + 1, name(at)));
    }
    prompt.push_str(
        "\nHow to write a balance\n\
         Write the coins as a whole number, for instance 418 or -35, and nothing else.\n\n",
    );
    prompt.push_str(&answer_format(Kind::Puzzle, "<balance>"));
    prompt
}

/// How bookings are written and what they do.
fn notation(house: &House) -> Vec<String> {
    let mut sentences = vec![
        "17 C+120 is booking 17, a deposit: 120 coins are added to account C.".to_owned(),
        "17 C-120 is a payment: 120 coins are taken from account C.".to_owned(),
    ];
    if let Some(fee_back) = house.rollback {
        let fee = if fee_back {
            "If it cost a fee, the fee is given back too."
        } else {
            "If it cost a fee, the fee is not given back."
        };
        sentences.push(format!(
            "17 Cx9 takes booking 9 back, a deposit or payment of the same account: the coins of that deposit are taken away\n  \
             again, or the coins of that payment added again. {fee} This is no payment, and\n  \
             interest that was paid meanwhile stays as it is."
        ));
    }
    if let Some(period) = house.standing {
        sentences.push(format!(
            "17 C*+40 or 17 C*-40 is a standing order: a deposit or payment that is done on its day and again every {period} days, up\n  \
             to the end. One that is listed on day 3 is done again on day {}, on day {} and so on, each time as a deposit or\n  \
             payment like any other. On a day on which it is done again, this comes after the bookings that are listed for the\n  \
             day; several come in the order of their numbers.",
            3 + period,
            3 + 2 * period
        ));
    }
    sentences
}

/// When a payment costs a fee.
fn fee(house: &House) -> String {
    let coins = house.fee_coins;
    match house.fee {
        Fee::Size(limit) => format!(
            "Every payment of {limit} coins or more costs a fee: {coins} coins more are taken. Deposits cost none."
        ),
        Fee::Count(every) => {
            let second =
                ["2nd, the 4th, the 6th", "3rd, the 6th, the 9th"][usize::from(every == 3)];
            let refused = match house.overdraft {
                None | Some(Overdraft::Carried(_)) => "",
                Some(_) => " Payments that are not made are counted too.",
            };
            format!(
                "The payments of an account are counted from day 1 on, deposits are not. The {second} payment and so on cost\n  \
                 a fee each: {coins} coins more are taken.{refused}"
            )
        }
        Fee::Low(limit) => format!(
            "A payment that leaves less than {limit} coins in the account costs a fee: {coins} coins more are taken. What it\n  \
             leaves is seen before the fee is taken."
        ),
    }
}

/// What becomes of a payment of more than the balance.
fn overdraft(house: &House) -> Option<String> {
    Some(match house.overdraft? {
        Overdraft::Refused => {
            "A payment of more than the balance is refused: nothing is taken, neither the payment nor a fee. Payment and\n  \
             balance are compared without the fee."
                .to_owned()
        }
        Overdraft::Charged(coins) => format!(
            "A payment of more than the balance is not made: instead of the payment and its fee, {coins} coins are taken.\n  \
             Payment and balance are compared without the fee."
        ),
        Overdraft::Carried(coins) => format!(
            "A payment of more than the balance is made all the same, but {coins} coins more are taken, besides any fee. Payment and\n  \
             balance are compared without the fee."
        ),
    })
}

/// When interest comes and how much.
fn interest(house: &House) -> String {
    let days: Vec<String> = (1..=house.days / INTEREST_DAYS)
        .map(|number| (number * INTEREST_DAYS).to_string())
        .collect();
    let days = match days.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("days {} and {last}", rest.join(", ")),
        _ => format!("day {}", days.join("")),
    };
    let moment = if house.interest_first {
        "before the first booking of the day"
    } else {
        "after the last booking of the day"
    };
    let [middle, upper] = house.bands;
    let [low_rate, high_rate] = house.rates;
    let shown = upper + 170;
    let first = House { days: INTEREST_DAYS, ..house.clone() };
    let gets = keep(&first, shown, &[], None).balance - shown;
    format!(
        "On {days}, {moment}, interest is added. It goes by the balance at that moment:\n  \
         less than {middle}: nothing; {middle} to {}: {low_rate} for every full 100 coins; {upper} or more: {high_rate} for every full 100 coins. The\n  \
         rate goes for the whole balance: {shown} coins get {} x {high_rate} = {gets}.",
        upper - 1,
        shown / 100,
    )
}

/// A booking as the journal writes it.
#[derive(Debug)]
struct Line {
    day: u32,
    account: usize,
    place: usize,
}

/// All bookings in their order; the first is number 1.
fn lines(house: &House, accounts: &[Account; TARGETS]) -> Vec<Line> {
    let mut lines = Vec::new();
    for day in 1..=house.days {
        for turn in 0..TARGETS {
            let account = house.order[(turn + day as usize) % TARGETS];
            let places = (0..).zip(&accounts[account].bookings);
            let due = places.filter(|(_, booking)| booking.day == day);
            lines.extend(due.map(|(place, _)| Line { day, account, place }));
        }
    }
    lines
}

/// One line a day, more when it is long.
fn journal(house: &House, accounts: &[Account; TARGETS]) -> String {
    let lines = lines(house, accounts);
    let number = |account: usize, place: usize| {
        let found = lines.iter().position(|it| it.account == account && it.place == place);
        found.map_or(0, |at| at + 1)
    };
    let mut text = String::new();
    let mut width = 0;
    let mut day = 0;
    for (at, line) in (1..).zip(&lines) {
        let booking = accounts[line.account].bookings[line.place];
        let star = if booking.standing { "*" } else { "" };
        let act = match booking.act {
            Act::Deposit(coins) => format!("{star}+{coins}"),
            Act::Payment(coins) => format!("{star}-{coins}"),
            Act::Rollback(of) => format!("x{}", number(line.account, of)),
        };
        let word = format!("{at} {}{act}", name(line.account));
        let head = if line.day != day {
            day = line.day;
            let head = format!("Day {day}: ");
            width = head.len();
            if text.is_empty() { head } else { format!("\n{head}") }
        } else if width + word.len() > LINE {
            width = 2;
            ",\n  ".to_owned()
        } else {
            width += 2;
            ", ".to_owned()
        };
        width += word.len();
        text.push_str(&head);
        text.push_str(&word);
    }
    text.push('\n');
    text
}

/// The letter of an account.
fn name(account: usize) -> char {
    char::from(b'A' + account as u8)
}
