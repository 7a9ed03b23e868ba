//! Keeps the compiled image in the user's cache folder and loads it from there.
//!
//! Loading compiled code is as much trust as running a binary, so the folder must be ours and
//! nobody else may write to it; a SHA-256 beside the code tells damage. Anything odd is made
//! anew. The folder's name holds the recipe (what goes into the image), the engine and the host's
//! features, so that nothing stale is ever found. A folder is made under a temporary name and
//! renamed, so that two processes may prepare at once.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

use super::error::JudgeError;
use super::{image, library};

/// Version of wasmtime, as the log names it; a test compares it with the lock file.
pub(super) const ENGINE: &str = "wasmtime 44.0.3, CPython 3.14";
const WASMTIME: &str = "44.0.3";
/// Package that brings interpreter and runtime.
const RUNTIME: &str = "eryx-runtime 0.5.0";
/// Raise when `image.rs` or `host.rs` change what goes into the image or how it is compiled.
const RECIPE: u32 = 2;

const CODE: &str = "image.cwasm";
const ABOUT: &str = "image.json";

/// What stands beside the compiled image.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    format: u32,
    engine: String,
    image_sha256: String,
    code_sha256: String,
    code_bytes: u64,
}

/// A compiled image that has been checked and loaded.
pub(super) struct Loaded {
    pub(super) component: Component,
    pub(super) image_sha256: String,
}

/// The place for this engine's compiled image.
pub(super) fn place(engine: &Engine) -> Result<PathBuf, JudgeError> {
    let recipe = sha256(&[
        RUNTIME.as_bytes(),
        &RECIPE.to_le_bytes(),
        image::DRIVER.as_bytes(),
        library::SHA256.as_bytes(),
    ]);
    let host = {
        use std::hash::{Hash as _, Hasher as _};
        // Fixed keys: the same in every process of one build.
        let mut hasher = std::hash::DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        hasher.finish()
    };
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    let recipe = recipe.get(..16).unwrap_or_default();
    Ok(base()?.join(format!("judge-{recipe}-wasmtime{WASMTIME}-{arch}-{os}-{host:016x}")))
}

/// `gauntlet` in the user's cache folder.
fn base() -> Result<PathBuf, JudgeError> {
    let var = |name| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let own = var("GAUNTLET_CACHE_DIR");
    let cache = own.or_else(|| {
        if cfg!(target_os = "macos") {
            var("HOME").map(|home| home.join("Library/Caches"))
        } else {
            // The convention: a relative path there counts for nothing.
            var("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .or_else(|| var("HOME").map(|home| home.join(".cache")))
        }
    });
    cache.map(|cache| cache.join("gauntlet")).ok_or(JudgeError::NoCacheFolder)
}

/// Whether a compiled image is there; a look at names and sizes, not at contents.
pub(super) fn is_there(place: &Path) -> bool {
    let about = read_about(place);
    let code = fs::metadata(place.join(CODE));
    matches!((about, code), (Ok(about), Ok(code)) if code.len() == about.code_bytes)
}

/// Checks and loads the compiled image.
pub(super) fn load(engine: &Engine, place: &Path) -> Result<Loaded, JudgeError> {
    let broken = |why: String| JudgeError::Cache { path: place.to_path_buf(), why };
    for path in [place.to_path_buf(), place.join(CODE), place.join(ABOUT)] {
        check_owner(&path).map_err(&broken)?;
    }
    let about = read_about(place).map_err(&broken)?;
    if about.format != 1 || about.engine != ENGINE {
        return Err(broken(format!("it was made by another engine ({})", about.engine)));
    }
    let path = place.join(CODE);
    let found = sha256_of(&path).map_err(|e| broken(format!("{CODE}: {e}")))?;
    if found != about.code_sha256 {
        return Err(broken(format!("{CODE} is damaged: its SHA-256 is not the noted one")));
    }
    let component = deserialize(engine, &path).map_err(|e| broken(format!("{e:#}")))?;
    Ok(Loaded { component, image_sha256: about.image_sha256 })
}

/// Loads compiled code into this process.
#[expect(
    unsafe_code,
    reason = "compiled code can do anything, so `Component::deserialize_file` trusts its file; \
              the caller has checked that nobody else may write there and that it is unchanged"
)]
fn deserialize(engine: &Engine, path: &Path) -> wasmtime::Result<Component> {
    // SAFETY: see the reason above; the engine itself refuses code of another version or host.
    unsafe { Component::deserialize_file(engine, path) }
}

/// Makes the image and compiles it: what stands beside the code, and the code.
async fn compile(engine: &Engine) -> Result<(Vec<u8>, Vec<u8>), JudgeError> {
    let image = image::build(engine).await.map_err(|e| JudgeError::Prepare(format!("{e:#}")))?;
    let image_sha256 = sha256(&[&image]);
    let code =
        engine.precompile_component(&image).map_err(|e| JudgeError::Prepare(format!("{e:#}")))?;
    drop(image);
    let about = About {
        format: 1,
        engine: ENGINE.into(),
        image_sha256,
        code_sha256: sha256(&[&code]),
        code_bytes: code.len() as u64,
    };
    let about =
        serde_json::to_vec_pretty(&about).map_err(|e| JudgeError::Prepare(e.to_string()))?;
    Ok((about, code))
}

/// Makes the image, compiles it and puts it in its place.
pub(super) async fn make(engine: &Engine, place: &Path) -> Result<(), JudgeError> {
    let pid = std::process::id();
    let (new, old) = (sibling(place, "new", pid), sibling(place, "old", pid));
    let _ = fs::remove_dir_all(&new);
    // Before the long work, which would be for nothing where no folder can be made.
    private_folder(&new).map_err(file("make", &new))?;
    let compiled = compile(engine).await;
    if compiled.is_err() {
        let _ = fs::remove_dir_all(&new);
    }
    let (about, code) = compiled?;
    write(&new.join(CODE), &code)?;
    write(&new.join(ABOUT), &about)?;
    // A folder cannot be renamed onto a full one: what is there goes aside first. Should another
    // process come in between, its folder is as good as ours.
    if place.exists() {
        let _ = fs::rename(place, &old);
    }
    let put = fs::rename(&new, place);
    let _ = fs::remove_dir_all(&old);
    if let Err(error) = put {
        let _ = fs::remove_dir_all(&new);
        if !is_there(place) {
            return Err(file("put the prepared sandbox in", place)(error));
        }
    }
    Ok(())
}

fn sibling(place: &Path, tag: &str, pid: u32) -> PathBuf {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    place.with_file_name(format!(".{name}.{tag}-{pid}"))
}

fn file<'a>(what: &'static str, path: &'a Path) -> impl Fn(std::io::Error) -> JudgeError + 'a {
    move |source| JudgeError::File { what, path: path.to_path_buf(), source }
}

fn read_about(place: &Path) -> Result<About, String> {
    let bytes = fs::read(place.join(ABOUT)).map_err(|e| format!("{ABOUT}: {e}"))?;
    serde_json::from_slice(&bytes).map_err(|e| format!("{ABOUT}: {e}"))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), JudgeError> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .map_err(file("write", path))
}

/// Makes a folder that only its owner may enter.
fn private_folder(path: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Says why a file or folder is not to be trusted.
#[cfg(unix)]
fn check_owner(path: &Path) -> Result<(), String> {
    use std::os::unix::fs::MetadataExt as _;
    let about = fs::symlink_metadata(path).map_err(|e| format!("{}: {e}", path.display()))?;
    if about.file_type().is_symlink() {
        return Err(format!("{} is a link", path.display()));
    }
    if about.uid() != rustix::process::geteuid().as_raw() {
        return Err(format!("{} belongs to another user", path.display()));
    }
    if about.mode() & 0o022 != 0 {
        return Err(format!("others may write to {}", path.display()));
    }
    Ok(())
}

/// Where there are no owners and modes, the folder of the user is trusted.
#[cfg(not(unix))]
fn check_owner(path: &Path) -> Result<(), String> {
    fs::symlink_metadata(path).map(|_| ()).map_err(|e| format!("{}: {e}", path.display()))
}

fn sha256(parts: &[&[u8]]) -> String {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    hex(&hasher.finalize())
}

fn sha256_of(path: &Path) -> std::io::Result<String> {
    let mut file = fs::File::open(path)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        let read = std::io::Read::read(&mut file, &mut buffer)?;
        match buffer.get(..read) {
            None | Some([]) => return Ok(hex(&hasher.finalize())),
            Some(bytes) => hasher.update(bytes),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
