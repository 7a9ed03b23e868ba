//! The fuzz targets as ordinary tests: over every file of the corpus, and over mutations of it.
#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod targets;

use proptest::prelude::*;
use std::fs;
use std::path::Path;
use targets::TARGETS;

/// Pieces that parsers trip over.
const PIECES: &[&str] = &[
    "\0",
    "\u{feff}",
    "\u{202e}",
    "\r",
    "\r\n",
    "\"",
    "\\",
    "\\ud800",
    "\u{1b}[2J",
    "9999999999999999999",
    "-1",
    "1e309",
    "NaN",
    "null",
    "{",
    "}",
    "[",
    "]",
    "=",
    "data: ",
    "[DONE]",
    "TARGET 1: ",
    "```",
    "<think>",
    "</think>",
    "\\boxed{",
    "://",
    "@",
    "\u{ff11}",
    "💥",
];

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn every_file_of_the_corpus_is_survived() {
    let mut bytes = 0;
    for (name, target) in TARGETS {
        let files = corpus(name);
        assert!(!files.is_empty(), "{name} has a corpus");
        bytes += files.iter().map(Vec::len).sum::<usize>();
        files.iter().for_each(|file| target(file));
    }
    assert!(bytes < 300_000, "the corpus has {bytes} bytes: keep it small");
}

/// One change of some bytes: cut, double, flip, put a piece in, or go on with another file.
fn mutate(bytes: &mut Vec<u8>, other: &[u8], (how, at, much): (u8, u16, u8)) {
    let at = usize::from(at) * (bytes.len() + 1) / 65_536;
    let end = (at + usize::from(much)).min(bytes.len());
    match how % 6 {
        0 => drop(bytes.drain(at..end)),
        1 => {
            let part = bytes[at..end].to_vec();
            bytes.splice(at..at, part);
        }
        2 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= much | 1;
            }
        }
        3 => drop(bytes.splice(at..at, PIECES[usize::from(much) % PIECES.len()].bytes())),
        4 => bytes.truncate(at),
        _ => {
            bytes.truncate(at);
            bytes.extend_from_slice(&other[usize::from(much).min(other.len())..]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn mutations_of_the_corpus_are_survived(
        (pick, other) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        changes in prop::collection::vec((any::<u8>(), any::<u16>(), any::<u8>()), 1..6),
    ) {
        for (name, target) in TARGETS {
            let files = corpus(name);
            let mut bytes = files[pick.index(files.len())].clone();
            let other = files[other.index(files.len())].clone();
            changes.iter().for_each(|change| mutate(&mut bytes, &other, *change));
            target(&bytes);
        }
    }
}
