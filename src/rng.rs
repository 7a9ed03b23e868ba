//! Random numbers that are the same on every platform, forever: named ChaCha20 streams and an integer sampler of our own.
//!
//! Every choice that a task, a pacer or a simulation makes comes from a [`Stream`]. A stream is a key (a SHA-256 over what it
//! is for) and a number, so that drawing more from one never moves another. The sampler is ours because the range
//! algorithms of libraries change between releases, and it works on `u32` because `usize` differs between platforms.

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use sha2::{Digest, Sha256};

/// A 32-byte key from which numbered streams are opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key([u8; 32]);

impl Key {
    /// The SHA-256 over the parts, each preceded by its length, so that no two lists of parts share a key.
    ///
    /// The first part names the domain, for instance `"gauntlet task 1"`.
    #[must_use]
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash.finalize().into())
    }

    /// Opens stream `number` of this key, at its beginning.
    #[must_use]
    pub fn stream(&self, number: u64) -> Stream {
        let mut rng = ChaCha20Rng::from_seed(self.0);
        rng.set_stream(number);
        Stream(rng)
    }
}

/// A stream of random numbers, drawn in integers only.
#[derive(Debug, Clone)]
pub struct Stream(ChaCha20Rng);

impl Stream {
    /// The next 32 bits.
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A uniform number in `0..n`; 0 when `n` is 0.
    ///
    /// Rejection keeps it exact: words below `2^32 mod n` are drawn again.
    pub fn below(&mut self, n: u32) -> u32 {
        if n < 2 {
            return 0;
        }
        let reject = n.wrapping_neg() % n;
        loop {
            let word = self.word();
            if word >= reject {
                return word % n;
            }
        }
    }

    /// A uniform number in `low..=high`; `low` when the two are the wrong way round.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        match high.checked_sub(low) {
            Some(u32::MAX) => self.word(),
            Some(span) => low + self.below(span + 1),
            None => low,
        }
    }

    /// A uniform index of a list of `len` items; 0 when the list is empty.
    ///
    /// Lists here are far shorter than 2^32; longer ones are drawn from their first 2^32 - 1 items.
    pub fn index(&mut self, len: usize) -> usize {
        self.below(u32::try_from(len).unwrap_or(u32::MAX)) as usize
    }

    /// True in `of_100` of 100 cases.
    pub fn percent(&mut self, of_100: u32) -> bool {
        self.below(100) < of_100
    }

    /// One item of a list, or nothing from an empty one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        items.get(self.index(items.len()))
    }

    /// Puts a list into a uniform order (Fisher and Yates, from the end).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.index(last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_pinned() {
        let key = Key::of(&[b"gauntlet test", b"21"]);
        let mut stream = key.stream(3);
        let words: Vec<u32> = (0..4).map(|_| stream.word()).collect();
        let below: Vec<u32> = (0..8).map(|_| stream.below(10)).collect();
        let mut order: Vec<u32> = (0..8).collect();
        stream.shuffle(&mut order);
        insta::assert_debug_snapshot!((words, below, order));
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(Key::of(&[b"ab", b"c"]), Key::of(&[b"a", b"bc"]));
    }

    #[test]
    fn streams_do_not_move_each_other() {
        let key = Key::of(&[b"x"]);
        let mut first = key.stream(1);
        for _ in 0..100 {
            first.word();
        }
        assert_eq!(key.stream(2).word(), key.stream(2).word());
        assert_ne!(key.stream(1).word(), key.stream(2).word());
    }

    #[test]
    fn edges() {
        let mut stream = Key::of(&[b"x"]).stream(0);
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
        assert_eq!(stream.between(5, 4), 5);
        assert_eq!(stream.pick::<u8>(&[]), None);
        assert!((0..1000).all(|_| (3..=7).contains(&stream.between(3, 7))));
        let mut seen = [false; 5];
        (0..200).for_each(|_| seen[stream.index(5)] = true);
        assert_eq!(seen, [true; 5]);
    }
}
