//! Shortest crossings: one search backward from the goal gives the optimum of every start, and a plan for each.
//! Works on the rules of `rules.rs`, the true ones or a misreading of them.

use super::rules::{Group, Rules};
use std::collections::VecDeque;

/// The distance of a state that cannot reach the goal.
const NEVER: u8 = u8::MAX;

/// How far every state is from the goal under some rules.
///
/// A trip can be taken back as long as both states leave a safe bank behind, so the search may run backward over the same
/// trips. Starts are admitted only when the bank without the boat is safe.
#[derive(Debug)]
pub(super) struct Crossings {
    everybody: Group,
    loads: Vec<Group>,
    safe: Vec<bool>,
    trips: Vec<u8>,
}

impl Crossings {
    /// Searches from the goal.
    pub(super) fn of(rules: &Rules) -> Self {
        let everybody = rules.everybody();
        let mut loads: Vec<Group> =
            (0..=everybody).filter(|load| rules.overload(0, *load).is_none()).collect();
        loads.sort_by_key(|load| load.count_ones());
        let safe = (0..=everybody).map(|bank| rules.quarrel(bank).is_none()).collect();
        let trips = vec![NEVER; 2 * (usize::from(everybody) + 1)];
        let mut crossings = Self { everybody, loads, safe, trips };
        crossings.fill();
        crossings
    }

    fn fill(&mut self) {
        let goal = State { left: 0, boat_left: false };
        self.trips[goal.index()] = 0;
        let mut queue = VecDeque::from([goal]);
        while let Some(state) = queue.pop_front() {
            let trips = self.trips[state.index()] + 1;
            for load in 0..self.loads.len() {
                if let Some(next) = self.land(state, self.loads[load])
                    && self.trips[next.index()] == NEVER
                {
                    self.trips[next.index()] = trips;
                    queue.push_back(next);
                }
            }
        }
    }

    /// The state after a trip, or nothing when the load is not there or leaves a quarrel.
    fn land(&self, state: State, load: Group) -> Option<State> {
        let bank = if state.boat_left { state.left } else { self.everybody & !state.left };
        (load & !bank == 0 && self.safe[usize::from(bank & !load)])
            .then_some(State { left: state.left ^ load, boat_left: !state.boat_left })
    }

    /// The fewest trips that bring a left bank over, or nothing when no plan does or the start itself is not safe.
    pub(super) fn optimum(&self, left: Group) -> Option<u8> {
        let trips = self.trips[State { left, boat_left: true }.index()];
        (trips != NEVER && self.safe[usize::from(self.everybody & !left)]).then_some(trips)
    }

    /// Every left bank with that optimum.
    pub(super) fn starts(&self, trips: u8) -> impl Iterator<Item = Group> {
        (1..=self.everybody).filter(move |left| self.optimum(*left) == Some(trips))
    }

    /// The first shortest plan, loads tried from the smallest.
    pub(super) fn plan(&self, left: Group) -> Option<Vec<Group>> {
        let mut state = State { left, boat_left: true };
        let mut plan = Vec::new();
        for trips in (0..self.optimum(left)?).rev() {
            let (load, next) = self.loads.iter().find_map(|&load| {
                let next = self.land(state, load)?;
                (self.trips[next.index()] == trips).then_some((load, next))
            })?;
            plan.push(load);
            state = next;
        }
        Some(plan)
    }

    /// How hard a start is: the loads that a breadth-first search tries from it until everybody is across, times the trips.
    pub(super) fn effort(&self, left: Group) -> u64 {
        let mut seen = vec![false; self.trips.len()];
        let start = State { left, boat_left: true };
        seen[start.index()] = true;
        let mut queue = VecDeque::from([start]);
        let mut tried = 0;
        while let Some(state) = queue.pop_front() {
            if state == (State { left: 0, boat_left: false }) {
                break;
            }
            for &load in &self.loads {
                tried += 1;
                if let Some(next) = self.land(state, load)
                    && !seen[next.index()]
                {
                    seen[next.index()] = true;
                    queue.push_back(next);
                }
            }
        }
        tried * u64::from(self.optimum(left).unwrap_or(1))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct State {
    left: Group,
    boat_left: bool,
}

impl State {
    fn index(self) -> usize {
        2 * usize::from(self.left) + usize::from(self.boat_left)
    }
}
