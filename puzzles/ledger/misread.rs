//! The ways in which one rule of the books can be misread, and which of them concern a house. `rules.rs` plays them.

use super::rules::{Fee, House, INTEREST_DAYS, Overdraft};

/// One rule read in another way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misreading {
    /// No fee at all.
    FeeIgnored,
    /// Every payment costs the fee.
    FeeAlways,
    /// A payment of just the limit costs none.
    FeeAbove,
    /// Large deposits cost it too.
    FeeOnDeposits,
    /// Deposits are counted too.
    FeeCountsAll,
    /// The balance before the payment is looked at.
    FeeBefore,
    /// No interest at all.
    InterestIgnored,
    /// Before the bookings of the day instead of after them, or after instead of before.
    InterestOtherTime,
    /// Each part of the balance has the rate of its own band.
    InterestByParts,
    /// Hundreds that are not full count in part.
    InterestSmooth,
    /// None on the last day.
    InterestNotLast,
    /// On the last day only.
    InterestOnlyLast,
    /// Nothing is taken back.
    RollbackIgnored,
    /// The fee comes back where it should not, or does not where it should.
    RollbackOtherFee,
    /// The balance becomes what it was before the booking that is taken back.
    RollbackRestores,
    /// Every payment is made in full.
    OverdraftIgnored,
    /// What is there is paid instead of nothing; or the payment is not made, only charged for.
    OverdraftOther,
    /// Neither the payment is made nor a charge.
    ChargeForgotten,
    /// The charge comes on top of the payment.
    ChargeOnTop,
    /// Standing orders are done once.
    StandingOnce,
    /// The first day is counted as one of the days between.
    StandingShort,
    /// Standing orders are done once more only.
    StandingTwice,
}

/// The misreadings that concern a house.
pub(super) fn misreadings(house: &House) -> Vec<Misreading> {
    use Misreading as M;
    let mut found = vec![M::FeeIgnored, M::FeeAlways];
    found.extend_from_slice(match house.fee {
        Fee::Size(_) => &[M::FeeAbove, M::FeeOnDeposits],
        Fee::Count(_) => &[M::FeeCountsAll],
        Fee::Low(_) => &[M::FeeBefore],
    });
    found.extend([M::InterestIgnored, M::InterestOtherTime, M::InterestByParts]);
    found.extend([M::InterestSmooth, M::InterestNotLast]);
    if house.days > INTEREST_DAYS {
        found.push(M::InterestOnlyLast);
    }
    if house.rollback.is_some() {
        found.extend([M::RollbackIgnored, M::RollbackOtherFee, M::RollbackRestores]);
    }
    match house.overdraft {
        None => {}
        Some(Overdraft::Charged(_)) => {
            found.extend([M::OverdraftIgnored, M::ChargeForgotten, M::ChargeOnTop]);
        }
        Some(_) => found.extend([M::OverdraftIgnored, M::OverdraftOther]),
    }
    if let Some(period) = house.standing {
        found.extend([M::StandingOnce, M::StandingShort]);
        // With two repeats at most, a slow order has no third.
        if house.days > 3 * period {
            found.push(M::StandingTwice);
        }
    }
    found
}
