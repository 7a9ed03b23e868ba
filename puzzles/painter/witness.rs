//! Snippets that make a rule show: for each, a few commands whose picture differs between its two readings.
//!
//! They are drawn without a look at the rest of the list, which may hide them or forbid them; `inputs.rs` tests each one in
//! place and draws it again when it does not show.

use super::contract::{Contract, draw, draw_cell, draw_paint};
use super::engine::Painter;
use super::ops::{Command, Dir, Op, PAINTS};
use super::rules::{PAIRS, Rule, Rules};
use crate::rng::Stream;

/// Where a snippet is to be put.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) h: i32,
    pub(super) w: i32,
    /// The limits of what this input may show.
    pub(super) shape: &'a Contract,
    pub(super) rules: &'a Rules,
    /// The painter as it stands before the snippet.
    pub(super) now: &'a Painter,
}

impl Place<'_> {
    /// Commands that make `rule` show.
    pub(super) fn witness(&self, rule: Rule, rng: &mut Stream) -> Vec<Op> {
        let (h, w) = (self.h, self.w);
        match rule {
            Rule::Wrap => vec![self.off_the_edge(rng)],
            Rule::Back => vec![self.resized(rng, |size, start| -size.abs().min(start + 1))],
            Rule::Zero => vec![self.resized(rng, |_, _| 0)],
            Rule::Hollow => {
                let (hh, ww) = (draw(rng, 3, 4.min(h)), draw(rng, 3, 4.min(w)));
                let (r, c) = (draw(rng, 0, h - hh), draw(rng, 0, w - ww));
                vec![Op::rect(r, c, hh, ww, draw_paint(rng))]
            }
            Rule::Mix => {
                let (under, over) = mixing_pair(rng);
                self.overlap(under, Vec::new(), over, rng)
            }
            Rule::Mud => {
                let under = draw_paint(rng);
                let others: Vec<u8> = PAINTS
                    .into_iter()
                    .filter(|over| *over != under && self.rules.mixture(under, *over).is_none())
                    .collect();
                let over = rng.pick(&others).copied().unwrap_or(under);
                self.overlap(under, Vec::new(), over, rng)
            }
            Rule::Dry => {
                let (under, over) = mixing_pair(rng);
                let between = (0..self.rules.wet).map(|_| self.shape.draw_op(h, w, rng)).collect();
                self.overlap(under, between, over, rng)
            }
            Rule::Tank => self.used_up(rng),
            Rule::Steps => vec![self.shape.draw_line(h, w, rng)],
            Rule::Corners if rng.percent(60) => {
                let (r, c) = (draw(rng, 0, h - 2), draw(rng, 0, w - 2));
                let under = draw_paint(rng);
                let lean = draw(rng, 0, 1);
                vec![
                    Op::rect(r, c + lean, 1, 1, under),
                    Op::rect(r + 1, c + 1 - lean, 1, 1, under),
                    Op::Fill { r, c: c + lean, col: draw_paint(rng) },
                ]
            }
            Rule::Corners => self.bare_corners(rng),
            Rule::Toggle => {
                let (r, c) = draw_cell(h, w, rng);
                vec![Op::Tape { r, c }, Op::Tape { r, c }, self.covering(r, c, rng)]
            }
            Rule::TapeMoves => {
                let (r, c) = draw_cell(h, w, rng);
                let under = if rng.percent(50) { c } else { w - 1 - c };
                vec![Op::Tape { r, c }, Op::Mirror, self.covering(r, under, rng)]
            }
            Rule::UndoPaint => {
                let (r, c) = draw_cell(h, w, rng);
                let after = if rng.percent(50) { Op::Mirror } else { Op::Tape { r, c } };
                vec![self.shape.draw_rect(h, w, rng), after, Op::Undo]
            }
        }
    }

    /// A rect or a line that runs off the canvas.
    fn off_the_edge(&self, rng: &mut Stream) -> Op {
        let (h, w) = (self.h, self.w);
        if self.shape.commands.contains(&Command::Line) && rng.percent(40) {
            let (r, c) = draw_cell(h, w, rng);
            let dir = Dir::ALL[rng.index(4)];
            let room = match dir {
                Dir::Up => r + 1,
                Dir::Down => h - r,
                Dir::Left => c + 1,
                Dir::Right => w - c,
            };
            let most = if dir.step().0 == 0 { w } else { h } - i32::from(self.shape.steps);
            let n = (room + draw(rng, 1, 2)).min(most);
            return Op::Line { r, c, dir, n, col: draw_paint(rng) };
        }
        let (hh, ww) = (draw(rng, 2, 3), draw(rng, 2, 3));
        let over = rng.percent(50);
        let r = if over { h - 1 - draw(rng, 0, hh - 2) } else { draw(rng, 0, h - hh) };
        let c = if over && rng.percent(70) { draw(rng, 0, w - ww) } else { w - 1 };
        Op::rect(r, c, hh, ww, draw_paint(rng))
    }

    /// A random rect with another size in one direction: `size` gets the old one and where it starts.
    fn resized(&self, rng: &mut Stream, size: impl Fn(i32, i32) -> i32) -> Op {
        match self.shape.draw_rect(self.h, self.w, rng) {
            Op::Rect { r, c, hh, ww, col } if rng.percent(50) => {
                Op::rect(r, c, size(hh, r), ww, col)
            }
            Op::Rect { r, c, hh, ww, col } => Op::rect(r, c, hh, size(ww, c), col),
            other => other,
        }
    }

    /// Paints `under`, then the commands between, then `over` on a part of it.
    fn overlap(&self, under: u8, between: Vec<Op>, over: u8, rng: &mut Stream) -> Vec<Op> {
        let (r, c) = draw_cell(self.h, self.w, rng);
        let (hh, ww) = (draw(rng, 1, (self.h - r).min(3)), draw(rng, 1, (self.w - c).min(3)));
        let mut ops = vec![Op::rect(r, c, hh, ww, under)];
        ops.extend(between);
        ops.push(Op::rect(r, c, draw(rng, 1, hh), draw(rng, 1, ww), over));
        ops
    }

    /// Two bare cells that touch at a corner only, walled in at a corner of the canvas. Where no paint may lie on another
    /// one yet, only this shows what fill does.
    fn bare_corners(&self, rng: &mut Stream) -> Vec<Op> {
        let (down, right) = (rng.percent(50), rng.percent(50));
        let wall = draw_paint(rng);
        // Rows and columns of the 3 by 3 cells there, counted from the corner of the canvas.
        let place = |y: i32, x: i32, hh: i32, ww: i32| {
            let r = if down { self.h - y - hh } else { y };
            let c = if right { self.w - x - ww } else { x };
            Op::rect(r, c, hh, ww, wall)
        };
        let (r, c) = (if down { self.h - 1 } else { 0 }, if right { self.w - 1 } else { 0 });
        vec![
            place(0, 1, 1, 2),
            place(1, 0, 1, 1),
            place(1, 2, 1, 1),
            place(2, 0, 1, 3),
            Op::Fill { r, c, col: draw_paint(rng) },
        ]
    }

    /// A small rect over (r, c).
    fn covering(&self, r: i32, c: i32, rng: &mut Stream) -> Op {
        let (top, left) = (draw(rng, (r - 1).max(0), r), draw(rng, (c - 1).max(0), c));
        Op::rect(top, left, r - top + 1, c - left + 1, draw_paint(rng))
    }

    /// One rect again and again until its tank cannot paint another one.
    fn used_up(&self, rng: &mut Stream) -> Vec<Op> {
        let mut paints = PAINTS;
        rng.shuffle(&mut paints);
        let full = paints.into_iter().filter(|paint| self.now.left(*paint) > 0);
        let col = full.min_by_key(|paint| self.now.left(*paint)).unwrap_or(paints[0]);
        let (hh, ww) = (draw(rng, 2, 4), draw(rng, 2, 4));
        let (r, c) = (draw(rng, 0, self.h - hh), draw(rng, 0, self.w - ww));
        let again = Op::rect(r, c, hh, ww, col);
        let mut ops = Vec::new();
        let mut ahead = self.now.clone();
        while ahead.left(col) > 2 && ops.len() < 6 {
            ahead.step(again);
            ops.push(again);
        }
        ops.push(match self.shape.draw_rect(self.h, self.w, rng) {
            Op::Rect { r, c, hh, ww, .. } => Op::rect(r, c, hh, ww, col),
            other => other,
        });
        ops
    }
}

/// A pair of the mixing list, in either order.
fn mixing_pair(rng: &mut Stream) -> (u8, u8) {
    let [a, b] = PAIRS[rng.index(PAIRS.len())];
    if rng.percent(50) { (a, b) } else { (b, a) }
}
