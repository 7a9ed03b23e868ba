//! The rules of the books, what the seed sets in them, and how an account is kept; also how it is kept by somebody who
//! misreads one rule. Knows no text: `prompt.rs` prints what stands here.

use super::misread::Misreading;

/// Interest falls due on every day whose number this divides.
pub(super) const INTEREST_DAYS: u32 = 10;

/// One line of the journal. All amounts are positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Booking {
    pub(super) day: u32,
    pub(super) act: Act,
    /// Whether it is a standing order, done again at a fixed distance in days. Never a rollback.
    pub(super) standing: bool,
}

/// What a booking does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Act {
    /// Coins come in.
    Deposit(i32),
    /// Coins go out.
    Payment(i32),
    /// The booking at this place of the account's own list is taken back.
    Rollback(usize),
}

/// When a payment costs a fee.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fee {
    /// When it is so large, or larger.
    Size(i32),
    /// Every so many payments of the account.
    Count(u32),
    /// When it leaves less than this in the account.
    Low(i32),
}

/// What becomes of a payment of more than the balance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Overdraft {
    /// Nothing is booked.
    Refused,
    /// So many coins are charged instead.
    Charged(i32),
    /// It is made all the same, and so many coins are charged.
    Carried(i32),
}

/// The rules of a task, the same for its five accounts.
#[derive(Debug, Clone)]
pub(super) struct House {
    /// Days of the books.
    pub(super) days: u32,
    /// When a payment costs a fee.
    pub(super) fee: Fee,
    /// The fee in coins.
    pub(super) fee_coins: i32,
    /// The least balances of the middle and of the upper band; full hundreds.
    pub(super) bands: [i32; 2],
    /// Coins for each full hundred of the balance in the middle and in the upper band.
    pub(super) rates: [i32; 2],
    /// Whether interest comes before the bookings of its day and not after them.
    pub(super) interest_first: bool,
    /// Whether there are rollbacks, and if so whether they give the fee back.
    pub(super) rollback: Option<bool>,
    /// What becomes of a payment of more than the balance, if there is a rule for it.
    pub(super) overdraft: Option<Overdraft>,
    /// The days between two payments of a standing order, if there are any.
    pub(super) standing: Option<u32>,
    /// In which order the accounts come on a day; the first moves on by one every day.
    pub(super) order: [usize; super::TARGETS],
}

/// How an account ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Outcome {
    pub(super) balance: i32,
    /// Things looked up, compared and added: the measure of effort.
    pub(super) work: u64,
    /// Of each booking, whether its whole amount was booked.
    pub(super) in_full: Vec<bool>,
}

/// Keeps an account through all days.
pub(super) fn keep(
    house: &House,
    opening: i32,
    bookings: &[Booking],
    misread: Option<Misreading>,
) -> Outcome {
    let mut clerk = Clerk::new(house, opening, misread);
    for booking in bookings {
        clerk.wait_until(booking.day);
        clerk.list(*booking);
    }
    clerk.close()
}

/// What a booking has done.
#[derive(Debug, Clone, Copy, Default)]
struct Trace {
    /// The balance before it.
    before: i32,
    /// What it added to the balance, without the fee.
    moved: i32,
    fee: i32,
    in_full: bool,
}

/// Somebody who keeps an account, perhaps with one rule misread.
#[derive(Debug)]
pub(super) struct Clerk<'a> {
    house: &'a House,
    misread: Option<Misreading>,
    balance: i32,
    /// The day whose listed bookings are being done.
    day: u32,
    /// Payments so far, or whatever else is counted.
    counted: u32,
    work: u64,
    traces: Vec<Trace>,
    /// Standing orders: the place in the list, and the booking.
    standing: Vec<(usize, Booking)>,
}

impl<'a> Clerk<'a> {
    /// Opens the books.
    pub(super) fn new(house: &'a House, opening: i32, misread: Option<Misreading>) -> Self {
        let (traces, standing) = (Vec::with_capacity(32), Vec::new());
        let mut clerk = Self {
            house,
            misread,
            balance: opening,
            day: 1,
            counted: 0,
            work: 0,
            traces,
            standing,
        };
        clerk.open_day();
        clerk
    }

    /// The balance at this moment.
    pub(super) fn balance(&self) -> i32 {
        self.balance
    }

    /// Does what happens until the first listed booking of a day, today or later.
    pub(super) fn wait_until(&mut self, day: u32) {
        while self.day < day {
            self.close_day();
            self.day += 1;
            self.open_day();
        }
    }

    /// Does the next booking of the list, which is one of today.
    pub(super) fn list(&mut self, booking: Booking) {
        let place = self.traces.len();
        self.traces.push(Trace::default());
        self.book(place, booking.act);
        if booking.standing {
            self.standing.push((place, booking));
        }
    }

    /// Closes the books after the last day.
    pub(super) fn close(mut self) -> Outcome {
        self.wait_until(self.house.days);
        self.close_day();
        let in_full = self.traces.iter().map(|trace| trace.in_full).collect();
        Outcome { balance: self.balance, work: self.work, in_full }
    }

    fn open_day(&mut self) {
        if self.pays_interest() && self.interest_first() {
            self.interest();
        }
    }

    fn close_day(&mut self) {
        for at in 0..self.standing.len() {
            let (place, booking) = self.standing[at];
            if self.comes_again(self.day - booking.day) {
                self.work += 1;
                self.book(place, booking.act);
            }
        }
        if self.pays_interest() && !self.interest_first() {
            self.interest();
        }
    }

    fn misreads(&self, misreading: Misreading) -> bool {
        self.misread == Some(misreading)
    }

    fn book(&mut self, place: usize, act: Act) {
        let before = self.balance;
        self.work += 1;
        let (moved, fee, in_full) = match act {
            Act::Deposit(coins) => {
                let large = matches!(self.house.fee, Fee::Size(limit) if coins >= limit);
                self.counted += u32::from(self.misreads(Misreading::FeeCountsAll));
                let pays = large && self.misreads(Misreading::FeeOnDeposits);
                (coins, if pays { self.house.fee_coins } else { 0 }, true)
            }
            Act::Payment(coins) => self.pay(coins),
            Act::Rollback(of) => {
                self.work += 2;
                (self.back(of), 0, false)
            }
        };
        self.balance += moved - fee;
        self.traces[place] = Trace { before, moved, fee, in_full };
    }

    /// What a payment moves, what it costs, and whether it is made in full.
    fn pay(&mut self, coins: i32) -> (i32, i32, bool) {
        use Misreading::{ChargeForgotten, ChargeOnTop, OverdraftIgnored, OverdraftOther};
        self.counted += 1;
        self.work += 1;
        let fee = self.fee(coins);
        self.work += u64::from(fee > 0);
        let over = coins > self.balance && !self.misreads(OverdraftIgnored);
        self.work += u64::from(self.house.overdraft.is_some());
        match self.house.overdraft {
            Some(Overdraft::Charged(charge)) if over => match self.misread {
                Some(ChargeForgotten) => (0, 0, false),
                Some(ChargeOnTop) => (-coins - charge, fee, false),
                _ => (-charge, 0, false),
            },
            Some(Overdraft::Carried(charge)) if over => match self.misread {
                Some(OverdraftOther) => (-charge, 0, false),
                _ => (-coins - charge, fee, false),
            },
            Some(Overdraft::Refused) if over => {
                let there = self.balance.max(0);
                (if self.misreads(OverdraftOther) { -there } else { 0 }, 0, false)
            }
            _ => (-coins, fee, true),
        }
    }

    fn fee(&self, coins: i32) -> i32 {
        let costs = match self.misread {
            Some(Misreading::FeeIgnored) => false,
            Some(Misreading::FeeAlways) => true,
            _ => match self.house.fee {
                Fee::Size(limit) if self.misreads(Misreading::FeeAbove) => coins > limit,
                Fee::Size(limit) => coins >= limit,
                Fee::Count(every) => self.counted.is_multiple_of(every),
                Fee::Low(limit) if self.misreads(Misreading::FeeBefore) => self.balance < limit,
                Fee::Low(limit) => self.balance - coins < limit,
            },
        };
        if costs { self.house.fee_coins } else { 0 }
    }

    /// What taking a booking back adds to the balance.
    fn back(&self, of: usize) -> i32 {
        let trace = self.traces[of];
        match self.misread {
            Some(Misreading::RollbackIgnored) => return 0,
            Some(Misreading::RollbackRestores) => return trace.before - self.balance,
            _ => {}
        }
        let fee_back = self.house.rollback == Some(true);
        let fee_back = fee_back != self.misreads(Misreading::RollbackOtherFee);
        if fee_back { trace.fee - trace.moved } else { -trace.moved }
    }

    fn comes_again(&self, days_after: u32) -> bool {
        let Some(period) = self.house.standing.filter(|_| days_after > 0) else { return false };
        match self.misread {
            Some(Misreading::StandingOnce) => false,
            Some(Misreading::StandingTwice) => days_after == period,
            Some(Misreading::StandingShort) => days_after.is_multiple_of(period - 1),
            _ => days_after.is_multiple_of(period),
        }
    }

    fn pays_interest(&self) -> bool {
        let last = self.day == self.house.days;
        self.day.is_multiple_of(INTEREST_DAYS)
            && match self.misread {
                Some(Misreading::InterestIgnored) => false,
                Some(Misreading::InterestNotLast) => !last,
                Some(Misreading::InterestOnlyLast) => last,
                _ => true,
            }
    }

    fn interest_first(&self) -> bool {
        self.house.interest_first != self.misreads(Misreading::InterestOtherTime)
    }

    fn interest(&mut self) {
        let [middle, upper] = self.house.bands;
        let [low_rate, high_rate] = self.house.rates;
        let balance = self.balance;
        self.work += 3;
        self.balance += if self.misreads(Misreading::InterestByParts) {
            (balance.min(upper) - middle).max(0) / 100 * low_rate
                + (balance - upper).max(0) / 100 * high_rate
        } else {
            let rate = match balance {
                _ if balance >= upper => high_rate,
                _ if balance >= middle => low_rate,
                _ => 0,
            };
            if self.misreads(Misreading::InterestSmooth) {
                balance * rate / 100
            } else {
                balance / 100 * rate
            }
        };
    }
}
