//! The Python source for a reading of the rules: the reference solution, and with one rule read in its default way, a slip.

use super::rules::{Rule, Rules};
use std::fmt::Write;

/// A complete function for exactly these rules.
#[must_use]
pub(super) fn source(rules: &Rules) -> String {
    let mut code = Code(String::new());
    code.head(rules);
    code.turn(rules);
    code.target(rules);
    code.advance();
    code.meal(rules);
    code.line(1, "return [ticks, len(body), score, body[0], cause]");
    code.0
}

struct Code(String);

impl Code {
    fn line(&mut self, depth: usize, text: &str) {
        for _ in 0..depth {
            self.0.push_str("    ");
        }
        self.0.push_str(text);
        self.0.push('\n');
    }

    fn lines(&mut self, depth: usize, lines: &[&str]) {
        for line in lines {
            self.line(depth, line);
        }
    }

    /// The end of the game for a reason.
    fn die(&mut self, depth: usize, cause: &str) {
        self.line(depth, &format!("cause = '{cause}'"));
        self.line(depth, "break");
    }

    fn head(&mut self, rules: &Rules) {
        self.line(0, "def snake(w, h, body, d, foods, cmds):");
        self.line(1, "body = [list(p) for p in body]");
        self.line(1, "d = 'URDL'.index(d)");
        let mut counters = String::from("ticks = score = growth = eaten = ");
        if rules.has(Rule::Hunger) {
            counters.push_str("idle = ");
        }
        counters.push('0');
        self.line(1, &counters);
        if rules.has(Rule::Streak) {
            self.line(1, "last = None");
        }
        if rules.has(Rule::Stone) {
            self.line(1, "stones = []");
        }
        self.line(1, "cause = 'done'");
    }

    fn turn(&mut self, rules: &Rules) {
        self.lines(1, &["for key in cmds:", "    ticks += 1"]);
        if rules.has(Rule::Keys) {
            self.line(2, "new = (d + 'URDL'.index(key)) % 4");
        } else {
            self.line(2, "new = 'URDL'.index(key)");
        }
        if rules.has(Rule::Reverse) {
            self.line(2, "if (new - d) % 4 == 2:");
            self.die(3, "reverse");
            self.line(2, "d = new");
        } else {
            self.lines(2, &["if (new - d) % 4 != 2:", "    d = new"]);
        }
    }

    fn target(&mut self, rules: &Rules) {
        self.line(2, "r = body[0][0] + (-1, 0, 1, 0)[d]");
        self.line(2, "c = body[0][1] + (0, 1, 0, -1)[d]");
        if rules.has(Rule::Edge) {
            self.line(2, "r, c = r % h, c % w");
        } else {
            self.line(2, "if not (0 <= r < h and 0 <= c < w):");
            self.die(3, "wall");
        }
        if rules.has(Rule::Portal) {
            let [a, b] = rules.portal;
            let _ = writeln!(
                self.0,
                "        if (r, c) == ({}, {}):\n            r, c = {}, {}\n        \
                 elif (r, c) == ({}, {}):\n            r, c = {}, {}",
                a.r, a.c, b.r, b.c, b.r, b.c, a.r, a.c
            );
        }
        if rules.has(Rule::Stone) {
            self.line(2, "if [r, c] in stones:");
            self.die(3, "stone");
        }
        if rules.has(Rule::Tail) {
            self.line(2, "if [r, c] in body:");
        } else {
            self.line(2, "if [r, c] in (body if growth else body[:-1]):");
        }
        self.die(3, "self");
    }

    fn advance(&mut self) {
        self.line(2, "body.insert(0, [r, c])");
        self.lines(2, &["if growth:", "    growth -= 1", "else:", "    body.pop()"]);
    }

    fn meal(&mut self, rules: &Rules) {
        self.line(2, "if eaten < len(foods) and foods[eaten][:2] == [r, c]:");
        self.line(3, "v = foods[eaten][2]");
        self.line(3, "eaten += 1");
        if rules.has(Rule::Growth) {
            self.line(3, "growth += v");
        } else {
            self.line(3, "growth += 1");
        }
        if rules.has(Rule::Streak) {
            self.line(3, &format!("if last is not None and ticks - last <= {}:", rules.streak));
            self.lines(3, &["    v *= 2", "last = ticks"]);
        }
        self.line(3, "score += v");
        if rules.has(Rule::Stone) {
            self.line(3, "stones.append([r, c])");
        }
        if !rules.has(Rule::Hunger) {
            return;
        }
        self.lines(3, &["idle = 0"]);
        self.lines(2, &["else:", "    idle += 1"]);
        self.line(3, &format!("if idle == {}:", rules.hunger));
        self.line(4, "idle = 0");
        if rules.has(Rule::Toll) {
            self.line(4, "score = max(0, score - 1)");
        }
        self.line(4, "if len(body) == 2:");
        self.die(5, "starved");
        self.line(4, "body.pop()");
    }
}
