//! How books are drawn: the house from the shared stream, each account from its own. An account is kept only when every
//! misreading of `misread.rs` leaves it with another balance.

use super::levels::Dial;
use super::misread::{Misreading, misreadings};
use super::rules::{Act, Booking, Clerk, Fee, House, INTEREST_DAYS, Overdraft, keep};
use crate::puzzles::{Level, Seeds, TARGETS};
use crate::rng::Stream;

/// Lists tried for one account.
const LISTS_AN_ACCOUNT: u32 = 600;

/// Bookings of one account on one day, at most.
const BOOKINGS_A_DAY: usize = 3;

/// From so many bookings on, an account has two rollbacks, two overdrafts and two standing orders.
const TWO_OF_A_KIND: usize = 13;

/// One target.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) opening: i32,
    pub(super) bookings: Vec<Booking>,
    pub(super) balance: i32,
    /// The balance by deposits and payments alone.
    pub(super) plain: i32,
    /// What somebody has who misreads a rule; never the balance.
    pub(super) misread: Vec<(Misreading, i32)>,
    /// What somebody has who forgets a booking; may be the balance.
    pub(super) forgotten: Vec<i32>,
    pub(super) effort: u64,
}

/// Draws a house and five accounts, or nothing when an account does not come about or two end alike.
pub(super) fn accounts(level: Level, seeds: &Seeds) -> Option<(House, [Account; TARGETS])> {
    let house = house(Dial::of(level), &mut seeds.shared());
    let mut drawn: Vec<Account> = Vec::with_capacity(TARGETS);
    for target in 0..TARGETS {
        let size = Dial::of(level.on_ladder(target));
        let mut rng = seeds.target(target);
        let account =
            (0..LISTS_AN_ACCOUNT).find_map(|_| attempt(&house, size.bookings, &mut rng))?;
        if drawn.iter().any(|other| other.balance == account.balance) {
            return None;
        }
        drawn.push(account);
    }
    Some((house, drawn.try_into().ok()?))
}

/// The rules of a task. Drawn in full at every level, so that the draws of a level do not move when another level gets a
/// rule more.
pub(super) fn house(dial: &Dial, shared: &mut Stream) -> House {
    let fees = [
        Fee::Size(10 * coins(shared, 12, 24)),
        Fee::Count(shared.between(2, 3)),
        Fee::Low(10 * coins(shared, 15, 30)),
    ];
    let fee = fees[shared.index(fees.len())];
    let middle = 100 * coins(shared, 3, 5);
    let low_rate = coins(shared, 1, 3);
    let charge = coins(shared, 11, 25);
    let overdrafts = [Overdraft::Refused, Overdraft::Charged(charge), Overdraft::Carried(charge)];
    let overdraft = overdrafts[shared.index(overdrafts.len())];
    let (fee_back, period) = (shared.percent(50), shared.between(5, 8));
    let mut extras = [0, 1, 2];
    shared.shuffle(&mut extras);
    let has = |extra: usize| extras[..dial.extras].contains(&extra);
    let mut order = [0, 1, 2, 3, 4];
    shared.shuffle(&mut order);
    House {
        days: dial.days,
        fee,
        fee_coins: coins(shared, 3, 9),
        bands: [middle, middle + 100 * coins(shared, 3, 6)],
        rates: [low_rate, low_rate + coins(shared, 1, 3)],
        interest_first: shared.percent(50),
        rollback: has(0).then_some(fee_back),
        overdraft: has(1).then_some(overdraft),
        standing: has(2).then_some(period),
        order,
    }
}

fn coins(rng: &mut Stream, low: u32, high: u32) -> i32 {
    rng.between(low, high) as i32
}

/// What a place of a list is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slot {
    /// Any deposit or payment.
    Any,
    /// A payment of just the size that costs a fee.
    Exact,
    /// A payment that leaves too little.
    Low,
    /// A payment of more than the balance.
    Over,
    Rollback,
    Standing,
}

/// One list of so many bookings, if it passes.
pub(super) fn attempt(house: &House, count: usize, rng: &mut Stream) -> Option<Account> {
    let opening = coins(rng, 350, 1_150);
    let slots = slots(house, count, rng);
    let days = days(house, count, rng)?;
    let mut bookings: Vec<Booking> = Vec::with_capacity(count);
    let mut taken_back = Vec::new();
    let mut clerk = Clerk::new(house, opening, None);
    for (slot, day) in slots.into_iter().zip(days) {
        clerk.wait_until(day);
        let balance = clerk.balance();
        let act = match slot {
            Slot::Rollback => {
                let of = earlier(house, &bookings, &taken_back, rng)?;
                taken_back.push(of);
                Act::Rollback(of)
            }
            Slot::Standing if rng.percent(50) => Act::Deposit(coins(rng, 15, 60)),
            Slot::Standing => Act::Payment(coins(rng, 15, 60)),
            Slot::Exact => match house.fee {
                Fee::Size(limit) => Act::Payment(limit),
                _ => return None,
            },
            Slot::Low => match house.fee {
                Fee::Low(limit) => Act::Payment(balance - coins(rng, 5, limit as u32 - 5)),
                _ => return None,
            },
            Slot::Over => Act::Payment(balance.max(0) + coins(rng, 25, 250)),
            Slot::Any => any(house, balance, rng),
        };
        if matches!(act, Act::Payment(coins) if coins < 15) {
            return None;
        }
        let booking = Booking { day, act, standing: slot == Slot::Standing };
        clerk.list(booking);
        bookings.push(booking);
    }
    gate(house, opening, bookings)
}

/// The places of a list: what the rules need, the rest free; standing orders in its first third.
fn slots(house: &House, count: usize, rng: &mut Stream) -> Vec<Slot> {
    let each = if count < TWO_OF_A_KIND { 1 } else { 2 };
    let mut slots = match house.fee {
        Fee::Size(_) => vec![Slot::Exact],
        Fee::Count(_) => Vec::new(),
        Fee::Low(_) => vec![Slot::Low],
    };
    for _ in 0..each {
        slots.extend(house.rollback.map(|_| Slot::Rollback));
        slots.extend(house.overdraft.map(|_| Slot::Over));
    }
    let orders = if house.standing.is_some() { each } else { 0 };
    slots.resize(count - orders, Slot::Any);
    rng.shuffle(&mut slots);
    for _ in 0..orders {
        slots.insert(rng.index(count / 3), Slot::Standing);
    }
    slots
}

/// The days of a list, in order; one booking falls on a day of interest.
fn days(house: &House, count: usize, rng: &mut Stream) -> Option<Vec<u32>> {
    let due = INTEREST_DAYS * rng.between(1, house.days / INTEREST_DAYS);
    let mut days = vec![due];
    days.extend((1..count).map(|_| rng.between(1, house.days)));
    days.sort_unstable();
    let crowded = days.windows(BOOKINGS_A_DAY + 1).any(|few| few.first() == few.last());
    (!crowded).then_some(days)
}

/// A deposit or a payment, whichever keeps the account in the bands.
fn any(house: &House, balance: i32, rng: &mut Stream) -> Act {
    let [middle, upper] = house.bands;
    let pays = match balance {
        _ if balance < middle => 25,
        _ if balance < upper => 55,
        _ => 70,
    };
    // Some large ones, so that size alone does not tell which payments are too large.
    let most = if rng.percent(15) { balance } else { balance.min(380) } - 20;
    if rng.percent(pays) && most > 40 {
        Act::Payment(coins(rng, 20, most as u32))
    } else {
        Act::Deposit(coins(rng, 30, 450))
    }
}

/// The place of a booking that can be taken back; one that may have cost a fee if there is one.
fn earlier(
    house: &House,
    bookings: &[Booking],
    taken_back: &[usize],
    rng: &mut Stream,
) -> Option<usize> {
    let plain = |place: &usize| {
        let booking = bookings[*place];
        !booking.standing && !matches!(booking.act, Act::Rollback(_)) && !taken_back.contains(place)
    };
    let all: Vec<usize> = (0..bookings.len()).filter(plain).collect();
    let costs = |place: &&usize| match (bookings[**place].act, house.fee) {
        (Act::Payment(coins), Fee::Size(limit)) => coins >= limit,
        (Act::Payment(_), _) => true,
        _ => false,
    };
    let costly: Vec<usize> = all.iter().filter(costs).copied().collect();
    let first = taken_back.is_empty() && !costly.is_empty();
    rng.pick(if first { &costly } else { &all }).copied()
}

/// The account of a list, unless it ends as it began, without its rules, or the same after a misreading. What is taken
/// back was booked in full, so that nobody asks what else there is to take back.
fn gate(house: &House, opening: i32, bookings: Vec<Booking>) -> Option<Account> {
    let outcome = keep(house, opening, &bookings, None);
    let plain = opening + bookings.iter().map(|booking| signed(booking.act)).sum::<i32>();
    if outcome.balance == opening || outcome.balance == plain {
        return None;
    }
    let taken_back = bookings.iter().filter_map(|booking| match booking.act {
        Act::Rollback(of) => Some(of),
        _ => None,
    });
    if taken_back.into_iter().any(|of| !outcome.in_full[of]) {
        return None;
    }
    let mut misread = Vec::new();
    for misreading in misreadings(house) {
        let balance = keep(house, opening, &bookings, Some(misreading)).balance;
        if balance == outcome.balance {
            return None;
        }
        misread.push((misreading, balance));
    }
    let forgotten = forgotten(house, opening, &bookings);
    Some(Account {
        opening,
        balance: outcome.balance,
        plain,
        misread,
        forgotten,
        effort: outcome.work,
        bookings,
    })
}

fn signed(act: Act) -> i32 {
    match act {
        Act::Deposit(coins) => coins,
        Act::Payment(coins) => -coins,
        Act::Rollback(_) => 0,
    }
}

/// The balances without one of the deposits and payments that nothing takes back.
fn forgotten(house: &House, opening: i32, bookings: &[Booking]) -> Vec<i32> {
    let mut balances = Vec::new();
    for place in 0..bookings.len() {
        let mut rest = bookings.to_vec();
        // Worth nothing instead of gone, so that rollbacks find their bookings and counts go on.
        rest[place].act = match rest[place].act {
            Act::Deposit(_) => Act::Deposit(0),
            Act::Payment(_) => Act::Payment(0),
            Act::Rollback(_) => continue,
        };
        balances.push(keep(house, opening, &rest, None).balance);
    }
    balances
}
