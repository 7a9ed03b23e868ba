//! A random walk by the rules of a town: what an errand is worth to somebody who knows what is allowed and plans nothing.

use super::text::CORNERS_WRITTEN;
use super::town::{Errand, Street, Town};
use crate::rng::Stream;

/// The most streets that meet at a corner of a grid with diagonals.
const STREETS_AT_A_CORNER: usize = 8;

/// A town with the streets out of each corner laid out for many walks.
#[derive(Debug)]
pub(super) struct Walks<'a> {
    town: &'a Town,
    leaving: Vec<Vec<(u8, &'a Street)>>,
}

impl<'a> Walks<'a> {
    /// Lays out a town.
    pub(super) fn of(town: &'a Town) -> Self {
        let corners = 0..town.corners as u8;
        Self { town, leaving: corners.map(|corner| town.leaving(corner).collect()).collect() }
    }

    /// A walk of an errand: never straight back unless nothing else is open, ended at the finish (with the parcel) or when it
    /// is late or out of coins.
    pub(super) fn random(&self, errand: &Errand, rng: &mut Stream) -> Vec<u8> {
        let town = self.town;
        let mut route = vec![errand.start];
        let (mut at, mut minute, mut paid) = (errand.start, errand.leaves, 0);
        let mut came_from = None;
        while route.len() < CORNERS_WRITTEN {
            let stands = minute + town.rest_after(route.len() - 1);
            let mut open = [(0, 0, 0); STREETS_AT_A_CORNER];
            let mut count = 0;
            let mut back = None;
            for (to, street) in &self.leaving[usize::from(at)] {
                let Some(entered) = town.entered(street, stands) else { continue };
                let step = (*to, entered + street.minutes, town.toll(street, entered));
                if Some(*to) == came_from {
                    back = Some(step);
                } else if let Some(free) = open.get_mut(count) {
                    *free = step;
                    count += 1;
                }
            }
            let Some((to, arrives, toll)) = rng.pick(&open[..count]).copied().or(back) else {
                break;
            };
            came_from = Some(at);
            (at, minute, paid) = (to, arrives, paid + toll);
            route.push(at);
            let fetched = errand.parcel.is_none_or(|parcel| route.contains(&parcel));
            let over = minute > errand.arrive || paid > errand.coins;
            if over || at == errand.finish && fetched {
                break;
            }
        }
        route
    }
}
