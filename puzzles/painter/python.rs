//! Python solutions: the shortest plain source that is right for every input of a contract under a set of rules.

use super::contract::Contract;
use super::ops::{Command, PAINTS, letter};
use super::rules::{PAIRS, Rule, Rules};

/// The source of `paint` for the inputs of `contract`, with the printed reading of `rules`.
///
/// A rule that the contract allows for and `rules` lacks gets its default reading.
#[must_use]
pub fn source(contract: &Contract, rules: &Rules) -> String {
    let mut source = Source { contract, rules, text: String::new() };
    source.head();
    source.setup();
    source.commands();
    source.cover();
    source.line(1, "return [\"\".join(row) for row in g]");
    source.text
}

struct Source<'a> {
    contract: &'a Contract,
    rules: &'a Rules,
    text: String,
}

impl Source<'_> {
    fn line(&mut self, indent: usize, text: &str) {
        self.text += &"    ".repeat(indent);
        self.text += text;
        self.text.push('\n');
    }

    fn line_if(&mut self, when: bool, indent: usize, text: &str) {
        if when {
            self.line(indent, text);
        }
    }

    fn has(&self, rule: Rule) -> bool {
        self.rules.has(rule)
    }

    fn knows(&self, command: Command) -> bool {
        self.contract.commands.contains(&command)
    }

    /// Whether sizes need more than a plain range.
    fn spans(&self) -> bool {
        self.has(Rule::Back) || self.has(Rule::Zero)
    }

    /// The tables above the function.
    fn head(&mut self) {
        if self.has(Rule::Mix) {
            let entries: Vec<String> = PAIRS
                .iter()
                .zip(self.rules.mixed)
                .flat_map(|([a, b], mixed)| {
                    let (a, b, mixed) = (letter(*a), letter(*b), letter(mixed));
                    [format!("\"{a}{b}\": \"{mixed}\""), format!("\"{b}{a}\": \"{mixed}\"")]
                })
                .collect();
            self.line(0, &format!("MIX = {{{}}}", entries.join(", ")));
        }
        self.line_if(
            self.knows(Command::Line),
            0,
            "STEP = {\"up\": (-1, 0), \"down\": (1, 0), \"left\": (0, -1), \"right\": (0, 1)}",
        );
        if self.knows(Command::Fill) {
            let near = if self.has(Rule::Corners) {
                "NEAR = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]"
            } else {
                "NEAR = [(-1, 0), (1, 0), (0, -1), (0, 1)]"
            };
            self.line(0, near);
        }
        if !self.text.is_empty() {
            self.text += "\n\n";
        }
    }

    /// The function down to its loop over the commands.
    fn setup(&mut self) {
        self.line(0, "def paint(h, w, ops):");
        if self.spans() {
            self.line(1, "def span(a, n, end):");
            self.line_if(self.has(Rule::Zero), 2, "if n == 0:");
            self.line_if(self.has(Rule::Zero), 3, "return range(a, end)");
            self.line_if(self.has(Rule::Back), 2, "if n < 0:");
            self.line_if(self.has(Rule::Back), 3, "return range(a + n + 1, a + 1)");
            self.line(2, "return range(a, a + n)");
            self.text.push('\n');
        }
        self.line(1, "g = [[\".\"] * w for _ in range(h)]");
        self.line_if(self.has(Rule::Dry), 1, "when = [[-9] * w for _ in range(h)]");
        if self.has(Rule::Tank) {
            let paints: String = PAINTS.iter().map(|paint| char::from(*paint)).collect();
            self.line(1, &format!("left = {{p: {} for p in \"{paints}\"}}", self.rules.tank));
        }
        self.line_if(self.knows(Command::Tape), 1, "tape = set()");
        if self.knows(Command::Undo) {
            self.undo();
        }
        let list = if self.knows(Command::Undo) { "todo" } else { "ops" };
        if self.contract.commands == [Command::Rect] && !self.has(Rule::Dry) {
            self.line(1, &format!("for _, r, c, hh, ww, col in {list}:"));
        } else if self.has(Rule::Dry) {
            self.line(1, &format!("for i, op in enumerate({list}):"));
        } else {
            self.line(1, &format!("for op in {list}:"));
        }
    }

    fn undo(&mut self) {
        self.line(1, "todo = []");
        self.line(1, "for op in ops:");
        self.line(2, "if op[0] != \"undo\":");
        self.line(3, "todo.append(op)");
        if self.has(Rule::UndoPaint) {
            self.line(3, "continue");
            self.line(2, "for k in range(len(todo) - 1, -1, -1):");
            self.line(3, "if todo[k][0] not in (\"tape\", \"mirror\"):");
            self.line(4, "del todo[k]");
            self.line(4, "break");
        } else {
            self.line(2, "elif todo:");
            self.line(3, "todo.pop()");
        }
    }

    /// The branches of the loop that find the covered cells.
    fn commands(&mut self) {
        if self.contract.commands == [Command::Rect] {
            self.line_if(self.has(Rule::Dry), 2, "_, r, c, hh, ww, col = op");
            self.rect(2);
        } else {
            if self.knows(Command::Tape) {
                self.tape();
            }
            if self.knows(Command::Mirror) {
                self.mirror();
            }
            self.line(2, "r, c, col = op[1], op[2], op[-1]");
            self.line(2, "if op[0] == \"rect\":");
            self.line(3, "hh, ww = op[3], op[4]");
            self.rect(3);
            if self.knows(Command::Fill) {
                self.line(2, "elif op[0] == \"line\":");
            } else {
                self.line(2, "else:");
            }
            self.line(3, "dy, dx = STEP[op[3]]");
            let count = if self.has(Rule::Steps) { "op[4] + 1" } else { "op[4]" };
            self.line(3, &format!("cells = [(r + dy * k, c + dx * k) for k in range({count})]"));
            if self.knows(Command::Fill) {
                self.fill();
            }
        }
    }

    fn rect(&mut self, indent: usize) {
        let (rows, columns) = if self.spans() {
            ("span(r, hh, h)", "span(c, ww, w)")
        } else {
            ("range(r, r + hh)", "range(c, c + ww)")
        };
        if self.has(Rule::Hollow) {
            self.line(indent, &format!("ys, xs = {rows}, {columns}"));
            self.line(indent, "cells = [(y, x) for y in ys for x in xs");
            self.line(indent, "         if y in (ys[0], ys[-1]) or x in (xs[0], xs[-1])]");
        } else {
            self.line(indent, &format!("cells = [(y, x) for y in {rows} for x in {columns}]"));
        }
    }

    fn fill(&mut self) {
        self.line(2, "else:");
        self.line(3, "cells = [(r, c)]");
        self.line(3, "for y, x in cells:");
        self.line(4, "for dy, dx in NEAR:");
        self.line(5, "a, b = y + dy, x + dx");
        self.line(5, "if 0 <= a < h and 0 <= b < w and (a, b) not in cells:");
        self.line(6, "if g[a][b] == g[r][c]:");
        self.line(7, "cells.append((a, b))");
    }

    fn tape(&mut self) {
        self.line(2, "if op[0] == \"tape\":");
        let change = if self.has(Rule::Toggle) {
            "tape ^= {(op[1], op[2])}"
        } else {
            "tape.add((op[1], op[2]))"
        };
        self.line(3, change);
        self.line(3, "continue");
    }

    fn mirror(&mut self) {
        self.line(2, "if op[0] == \"mirror\":");
        self.line(3, "g = [row[::-1] for row in g]");
        self.line_if(self.has(Rule::Dry), 3, "when = [row[::-1] for row in when]");
        self.line_if(self.has(Rule::TapeMoves), 3, "tape = {(y, w - 1 - x) for y, x in tape}");
        self.line(3, "continue");
    }

    /// The end of the loop: paints the covered cells.
    fn cover(&mut self) {
        let wrap = self.has(Rule::Wrap);
        let clip = self.contract.runs_off && !wrap;
        self.line_if(wrap, 2, "cells = [(y % h, x % w) for y, x in cells]");
        self.line_if(clip, 2, "cells = [(y, x) for y, x in cells if 0 <= y < h and 0 <= x < w]");
        let cells = if self.has(Rule::Tank) { "sorted(cells)" } else { "cells" };
        self.line(2, &format!("for y, x in {cells}:"));
        if self.knows(Command::Tape) {
            self.line(3, "if (y, x) in tape:");
            self.line(4, "continue");
        }
        let new = self.blend();
        if self.has(Rule::Tank) {
            self.line(3, "if left[col] == 0:");
            self.line(4, "break");
            self.line(3, "left[col] -= 1");
        }
        self.line(3, &format!("g[y][x] = {new}"));
        self.line_if(self.has(Rule::Dry), 3, "when[y][x] = i");
    }

    /// Works out the colour that a cell takes, and says how it is written.
    fn blend(&mut self) -> &'static str {
        if !self.has(Rule::Mix) {
            return "col";
        }
        let wet = format!("i - when[y][x] <= {}", self.rules.wet);
        if !self.has(Rule::Mud) {
            if !self.has(Rule::Dry) {
                return "MIX.get(g[y][x] + col, col)";
            }
            self.line(3, "new = col");
            self.line(3, &format!("if {wet}:"));
            self.line(4, "new = MIX.get(g[y][x] + col, col)");
            return "new";
        }
        self.line(3, "old = g[y][x]");
        self.line(3, "new = col");
        if self.has(Rule::Dry) {
            self.line(3, &format!("if old != col and {wet}:"));
        } else {
            self.line(3, "if old not in (\".\", col):");
        }
        self.line(4, "new = MIX.get(old + col)");
        self.line(4, "if new is None:");
        self.line(5, "continue");
        "new"
    }
}
