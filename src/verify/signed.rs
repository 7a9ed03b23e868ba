//! Who vouches for a folder, and whether the season is the one that was sealed.

use super::{Demands, Report, differs};
use crate::sign::{self, Found};
use crate::store::RaceFiles;

/// Checks the folder's own signature, where it has one.
pub(super) fn examine(files: &RaceFiles, report: &mut Report) {
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
