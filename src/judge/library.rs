//! The Python standard library, as one archive in memory for [`image`](super::image).
//!
//! The package `eryx` carries the library and unpacks it into the system's folder for temporary files, where others may
//! write. So what is read there is only taken when its archive has the SHA-256 that stands here. The archive is stored, not
//! compressed, in sorted order and with one fixed date: the same bytes on every machine.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use eryx::embedded_stdlib::EmbeddedStdlib;
use zip::write::{SimpleFileOptions, ZipWriter};

/// SHA-256 of the archive; part of the recipe of the image.
pub(super) const SHA256: &str = "493ae6250427c9bfd5992f4cee144848bb24832b7f0b59f902d764f1c43cb2b2";

/// Parts of the library that an answer cannot use: screens, installers, native bridges, tests.
const LEFT_OUT: &[&str] = &[
    "_pyrepl",
    "componentize_py_async_support",
    "componentize_py_runtime.py",
    "componentize_py_types.py",
    "config-3.14-wasm32-wasi",
    "ctypes",
    "curses",
    "dbm",
    "dill",
    "ensurepip",
    "idlelib",
    "multiprocessing",
    "pydoc_data",
    "site-packages",
    "test",
    "tkinter",
    "turtle.py",
    "turtledemo",
    "venv",
];

/// Largest file of the library, in bytes; the real ones are far below.
const FILE_BYTES_MAX: u64 = 4 << 20;

/// The archive.
pub(super) fn archive() -> Result<Vec<u8>, String> {
    let library =
        EmbeddedStdlib::get().map_err(|error| format!("unpacking the library: {error}"))?;
    let root = library.path();
    let mut names = Vec::new();
    list(root, "", &mut names).map_err(|error| format!("reading {}: {error}", root.display()))?;
    names.sort();
    let bytes =
        pack(root, &names).map_err(|error| format!("packing {}: {error}", root.display()))?;
    let found = crate::digest::sha256_hex(&bytes);
    if found == SHA256 {
        Ok(bytes)
    } else {
        Err(format!(
            "the Python library in {} is not the one that the judge knows (SHA-256 {found}); remove that folder and try again",
            root.display()
        ))
    }
}

/// The Python files below a folder, as names from the root with `/`.
fn list(root: &Path, below: &str, names: &mut Vec<String>) -> std::io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if below.is_empty() && LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        let path = if below.is_empty() { name } else { format!("{below}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() {
            list(root, &path, names)?;
        } else if kind.is_file() && path.ends_with(".py") {
            names.push(path);
        }
    }
    Ok(())
}

fn pack(root: &Path, names: &[String]) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let options = SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Stored)
        .last_modified_time(zip::DateTime::from_date_and_time(2026, 1, 1, 0, 0, 0)?)
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        let path = root.join(name);
        if fs::metadata(&path)?.len() > FILE_BYTES_MAX {
            return Err(format!("{name} is too large").into());
        }
        archive.start_file(name.as_str(), options)?;
        archive.write_all(&fs::read(&path)?)?;
    }
    Ok(archive.finish()?.into_inner())
}
