//! The hidden inputs: a ladder on which each target may show some rules more than the one before.
//!
//! Input `t` shows every rule up to its rung and none above: with the default reading of any one of the former its picture
//! changes, of any one of the latter it does not. So a code that misses a rule loses exactly the tail of the ladder that
//! starts at the rule's rung. An input is built piece by piece (a witness for each rule that it must show, random commands
//! in between), and a piece stays only while all of that holds.

use super::contract::Contract;
use super::engine::Painter;
use super::ops::{Command, Op};
use super::rules::{Rule, Rules};
use super::witness::Place;
use crate::puzzles::TARGETS;
use crate::rng::Stream;

/// Fresh starts for one input before the whole draw is given up.
const ATTEMPTS: u32 = 6;

/// Draws of one piece before it is left out (a random command) or the attempt is given up (a witness).
const TRIES: u32 = 24;

/// One hidden input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Input {
    /// Rows of the canvas.
    pub(super) h: i32,
    /// Columns of the canvas.
    pub(super) w: i32,
    /// The commands.
    pub(super) ops: Vec<Op>,
}

/// How many rules target `target` (0 to 4) of a ladder of `rules` rules may show.
pub(super) fn rung(rules: usize, target: usize) -> usize {
    (rules * (target + 1)).div_ceil(TARGETS)
}

/// A part of an input that is being built.
#[derive(Debug, Clone, Copy)]
enum Piece {
    Witness(Rule),
    Filler(Command),
}

/// Draws one input that shows `shown` and nothing of `hidden`, with `filler` random commands in it,
/// of each kind in turn.
pub(super) fn draw_input(
    contract: &Contract,
    rules: &Rules,
    (shown, hidden): (&[Rule], &[Rule]),
    filler: usize,
    rng: &mut Stream,
) -> Option<Input> {
    let may_show = hidden.iter().fold(*rules, |rules, rule| rules.without(*rule));
    let limits = Contract::new(contract.commands, contract.side, contract.max_ops, &may_show);
    let shape = Contract { steps: contract.steps, ..limits };
    let mut pieces: Vec<Piece> = shown.iter().map(|rule| Piece::Witness(*rule)).collect();
    let newest_first = contract.commands.iter().rev().cycle();
    pieces.extend(newest_first.take(filler).map(|command| Piece::Filler(*command)));
    (0..ATTEMPTS).find_map(|_| {
        let (h, w) = contract.draw_sides(rng);
        rng.shuffle(&mut pieces);
        let mut build = Build::new(contract, *rules, hidden, h, w);
        for piece in &pieces {
            let placed = (0..TRIES).any(|_| build.try_piece(*piece, &shape, rng));
            if !placed && matches!(piece, Piece::Witness(_)) {
                return None;
            }
        }
        (!build.truth.is_bare()).then_some(Input { h, w, ops: build.ops })
    })
}

/// An input that is being built, with what each other reading makes of it so far.
struct Build<'a> {
    contract: &'a Contract,
    rules: Rules,
    h: i32,
    w: i32,
    ops: Vec<Op>,
    truth: Painter,
    /// Painters with the default reading of one rule each that must show the same picture.
    same: Vec<Painter>,
    /// Painters with the default reading of one rule each that must show another one.
    other: Vec<Painter>,
}

impl<'a> Build<'a> {
    fn new(contract: &'a Contract, rules: Rules, hidden: &[Rule], h: i32, w: i32) -> Self {
        let same = hidden.iter().map(|rule| Painter::new(h, w, rules.without(*rule))).collect();
        let truth = Painter::new(h, w, rules);
        Self { contract, rules, h, w, ops: Vec::new(), truth, same, other: Vec::new() }
    }

    /// Draws a piece and keeps it if the input is still what it must be.
    fn try_piece(&mut self, piece: Piece, shape: &Contract, rng: &mut Stream) -> bool {
        let (h, w) = (self.h, self.w);
        let place = Place { h, w, shape, rules: &self.rules, now: &self.truth };
        let added = match piece {
            Piece::Witness(rule) => place.witness(rule, rng),
            Piece::Filler(command) => vec![shape.draw_command(command, h, w, rng)],
        };
        let fits = self.ops.len() + added.len() <= self.contract.max_ops;
        if !fits || !added.iter().all(|op| self.contract.admits_op(h, w, *op)) {
            return false;
        }
        let after = |painter: &Painter| {
            let mut painter = painter.clone();
            added.iter().for_each(|op| painter.step(*op));
            painter
        };
        let truth = after(&self.truth);
        let agree = |painter: &Painter, wanted: bool| {
            let painter = after(painter);
            (painter.shows_same(&truth) == wanted).then_some(painter)
        };
        let Some(same) = self.same.iter().map(|painter| agree(painter, true)).collect() else {
            return false;
        };
        let Some(mut other) =
            self.other.iter().map(|painter| agree(painter, false)).collect::<Option<Vec<_>>>()
        else {
            return false;
        };
        if let Piece::Witness(rule) = piece {
            // What came before did not have to show the rule, but it may have; so the painter starts over.
            let mut misses = Painter::new(h, w, self.rules.without(rule));
            self.ops.iter().chain(&added).for_each(|op| misses.step(*op));
            if misses.shows_same(&truth) {
                return false;
            }
            other.push(misses);
        }
        self.ops.extend(added);
        (self.truth, self.same, self.other) = (truth, same, other);
        true
    }
}
