//! Who vouches for a folder, whether the season is the one that was sealed, and what a published copy says was replaced.

use super::{Demands, Report, differs};
use crate::publish::redact::{self, Openings, Redactions};
use crate::sign::{self, Found};
use crate::store::RaceFiles;

/// Checks the folder's own signature, and what it says was replaced, where it has them.
pub(super) fn examine(files: &RaceFiles, report: &mut Report) {
    if files.has(redact::FILE) {
        match redactions(files) {
            Ok(redactions) => report.notes.push(published(&redactions)),
            Err(what) => report.differences.push(differs(redact::FILE, None, &what)),
        }
    }
    match sign::check(files) {
        Found::Unsigned => {}
        Found::Holds { public_key } => report.signed_by = Some(public_key),
        Found::Broken { faults } => {
            report.differences.extend(faults.iter().map(|(file, what)| differs(file, None, what)));
        }
    }
}

/// Adds to a report what is asked for and not there.
pub(super) fn demand(report: &mut Report, demands: &Demands) {
    if let Some(key) = &demands.key {
        let what = match &report.signed_by {
            Some(by) if by == key => None,
            Some(by) => Some(format!("the race is signed by {by}, and {key} is asked for")),
            None if report.differences.iter().any(|it| it.file == sign::FILE) => None,
            None => Some(format!("no signature that holds, and one of {key} is asked for")),
        };
        report.differences.extend(what.map(|what| differs(sign::FILE, None, &what)));
    }
    if let Some(sealed) = &demands.sealed {
        let what = match &report.season_seal {
            Some(seal) if *seal == sealed.seed_sha256 => None,
            Some(seal) => Some(format!(
                "its seed opens the seal {seal}, and {} was published",
                sealed.seed_sha256
            )),
            None => Some(String::from("does not open the seal that was published")),
        };
        report.differences.extend(what.map(|what| differs("season.toml", None, &what)));
    }
}

fn redactions(files: &RaceFiles) -> Result<Redactions, String> {
    let text = files.text(redact::FILE).map_err(|error| error.to_string())?;
    Redactions::read(&text)
}

fn published(redactions: &Redactions) -> String {
    if redactions.redactions.is_empty() {
        return String::from("a published copy in which nothing was replaced");
    }
    format!(
        "a published copy: {} replaced by placeholders; log, result and chain are of what stands here; {} commits to the original values and files",
        redactions.counts(),
        redact::FILE
    )
}

/// Adds to a report whether these openings open what was replaced.
pub(super) fn open(files: &RaceFiles, openings: &Openings, report: &mut Report) {
    let opened = redactions(files).and_then(|redactions| {
        let count = redactions.opened(openings)?;
        Ok(format!("{count} of {} replaced values are opened", redactions.redactions.len()))
    });
    match opened {
        Ok(note) => report.notes.push(note),
        Err(what) => report.differences.push(differs(redact::FILE, None, &what)),
    }
}
