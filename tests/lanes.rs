//! Every lane file that is shipped can be raced: it parses, and it is named as its file.

use gauntlet::lane::file::{LaneFile, LaneKind};
use std::fs;

#[test]
fn every_lane_file_parses() {
    let mut kinds = Vec::new();
    for entry in fs::read_dir("lanes").expect("the folder") {
        let path = entry.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).expect("text");
        let lane =
            LaneFile::parse(&path.to_string_lossy(), &text).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(lane.name, name);
        assert_ne!(lane.title, name, "{name} has a title for people");
        assert_eq!(lane.sim.is_some(), name.starts_with("pacer-"), "{name}");
        kinds.push(lane.kind);
    }
    let servers = kinds.iter().filter(|kind| **kind == LaneKind::Http).count();
    assert!(servers >= 5 && kinds.len() >= 12);
}
