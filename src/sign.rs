//! Signatures of race folders: an Ed25519 key says which files with which bytes make up a race.
//!
//! What is signed is a text: a domain string, then one line a file with its SHA-256, in the order of the names. `signature.json`
//! in the folder holds the same list, the public key and the signature. A signature shows who vouches for the files and that
//! none was changed, added or taken out since; that the race is right is what `verify` shows.

use crate::digest::{hex, unhex};
use crate::format::{self, Format};
use crate::store::{RaceFiles, StoreError};
use crate::text::shown;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};

/// The file that holds the signature.
pub const FILE: &str = "signature.json";

/// What is signed first, so that a signature of a race is a signature of nothing else.
const DOMAIN: &str = "gauntlet race signature 1";

/// How a public key begins where people see it.
const PUBLIC: &str = "ed25519:";

/// How the line of a secret key begins.
const SECRET: &str = "ed25519-secret:";

/// Most files of a folder that are signed.
const FILES_MAX: usize = 1_000;

/// What signature.json says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Signed {
    /// The format of the file.
    pub format: Format,
    /// The public key, as `ed25519:` and 64 hex digits.
    pub public_key: String,
    /// The files, in the order of their names.
    pub files: Vec<SignedFile>,
    /// The signature, 128 hex digits.
    pub signature: String,
}

/// One file that was signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedFile {
    /// Its name.
    pub name: String,
    /// Its SHA-256, in hex.
    pub sha256: String,
}

/// What a look at a folder's signature found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// There is no signature.
    Unsigned,
    /// It holds, with this public key.
    Holds {
        /// The public key.
        public_key: String,
    },
    /// It does not: the file at fault and what is wrong with it, one or more.
    Broken {
        /// Files and faults.
        faults: Vec<(String, String)>,
    },
}

/// A new secret key from 32 random bytes.
#[must_use]
pub fn key(random: &[u8; 32]) -> SigningKey {
    SigningKey::from_bytes(random)
}

/// The public key of a secret one, as people see it.
#[must_use]
pub fn public_key(key: &SigningKey) -> String {
    format!("{PUBLIC}{}", hex(key.verifying_key().as_bytes()))
}

/// The text of a secret key's file.
#[must_use]
pub fn key_file(key: &SigningKey) -> String {
    format!(
        "# The secret key of {}.\n# Whoever has it can sign races in your name: keep it to yourself.\n{SECRET}{}\n",
        public_key(key),
        hex(key.as_bytes())
    )
}

/// Reads the text of a secret key's file.
///
/// # Errors
/// When it is none; the text fits after the file's name.
pub fn read_key(text: &str) -> Result<SigningKey, String> {
    let line = only_line(text).and_then(|line| line.strip_prefix(SECRET));
    match line.and_then(unhex::<32>) {
        Some(bytes) => Ok(SigningKey::from_bytes(&bytes)),
        None => Err(format!(
            "is no secret key: its line is {SECRET} and 64 hex digits, as `gauntlet sign --new-key` writes it"
        )),
    }
}

/// Reads a public key, as `ed25519:` and 64 hex digits, alone or as the only line of a text without its comments.
#[must_use]
pub fn read_public_key(text: &str) -> Option<String> {
    let line = only_line(text)?;
    let bytes = unhex::<32>(line.strip_prefix(PUBLIC)?)?;
    VerifyingKey::from_bytes(&bytes).ok().map(|_| line.to_owned())
}

fn only_line(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
    lines.next().filter(|_| lines.next().is_none())
}

/// Signs every file of a folder.
///
/// # Errors
/// When a file cannot be read, or the folder holds what cannot be signed: a folder, a link, a name with hidden characters.
pub fn sign(files: &RaceFiles, key: &SigningKey) -> Result<Signed, StoreError> {
    let mut signed = Vec::new();
    for (name, plain) in files.entries()? {
        if name == FILE {
            continue;
        }
        if !plain || !is_name(&name) || signed.len() == FILES_MAX {
            let what =
                "cannot be signed: a race folder holds up to 1000 plain files with plain names";
            return Err(StoreError::content(&files.file(&name), None, what));
        }
        let sha256 = files.sha256(&name)?;
        signed.push(SignedFile { name, sha256 });
    }
    let signature = key.sign(manifest(&signed).as_bytes());
    Ok(Signed {
        format: format::SIGNATURE.written(),
        public_key: public_key(key),
        files: signed,
        signature: hex(&signature.to_bytes()),
    })
}

/// Looks whether a folder's signature holds.
#[must_use]
pub fn check(files: &RaceFiles) -> Found {
    if !files.has(FILE) {
        return Found::Unsigned;
    }
    let broken = |what: String| Found::Broken { faults: vec![(FILE.to_owned(), what)] };
    let text = match files.text(FILE) {
        Ok(text) => text,
        Err(StoreError::Content { what, .. }) => return broken(what),
        Err(error) => return broken(error.to_string()),
    };
    let signed = match Signed::read(&text) {
        Ok(signed) => signed,
        Err(what) => return broken(what),
    };
    if let Err(what) = signed.holds() {
        return broken(what);
    }
    match compare(files, &signed) {
        Ok(faults) if faults.is_empty() => Found::Holds { public_key: signed.public_key },
        Ok(faults) => Found::Broken { faults },
        Err(error) => broken(error.to_string()),
    }
}

impl Signed {
    /// Reads the text of signature.json.
    ///
    /// # Errors
    /// When it is none; the text fits after the file's name.
    pub fn read(text: &str) -> Result<Self, String> {
        let format = serde_json::from_str::<serde_json::Value>(text)
            .ok()
            .and_then(|value| serde_json::from_value::<Format>(value.get("format")?.clone()).ok());
        if let Some(format) = format {
            format::SIGNATURE.check_readable(&format).map_err(|error| error.to_string())?;
        }
        let signed: Self =
            serde_json::from_str(text).map_err(|error| format!("cannot be read: {error}"))?;
        let names = |pair: &[SignedFile]| pair[0].name < pair[1].name;
        if !signed.files.windows(2).all(names) || !signed.files.iter().all(|it| is_name(&it.name)) {
            return Err(String::from("its files are not in the order of their names, once each"));
        }
        Ok(signed)
    }

    /// Whether the key signed this list. Nothing is said of the files themselves.
    ///
    /// # Errors
    /// When it did not; the text fits after the file's name.
    pub fn holds(&self) -> Result<(), String> {
        let key = self.public_key.strip_prefix(PUBLIC).and_then(unhex::<32>);
        let key = key.and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
        let key = key.ok_or("names no public key")?;
        let signature = unhex::<64>(&self.signature).ok_or("holds no signature")?;
        key.verify_strict(manifest(&self.files).as_bytes(), &Signature::from_bytes(&signature))
            .map_err(|_| {
                format!("the signature is not one of {} over these files", self.public_key)
            })
    }

    /// The file's text: indented JSON with a line end.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

/// The text that is signed.
fn manifest(files: &[SignedFile]) -> String {
    let line = |file: &SignedFile| format!("{}  {}\n", file.sha256, file.name);
    format!("{DOMAIN}\n{}", files.iter().map(line).collect::<String>())
}

/// A name that is one word on its line of the manifest, and no path.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.chars().any(|c| crate::text::is_hidden(c) || matches!(c, '/' | '\\'))
}

/// Every file that is not as it was signed.
fn compare(files: &RaceFiles, signed: &Signed) -> Result<Vec<(String, String)>, StoreError> {
    let mut faults = Vec::new();
    let mut fault = |name: &str, what: &str| faults.push((shown(name, 100), what.to_owned()));
    let there = files.entries()?;
    for file in &signed.files {
        match there.iter().find(|(name, _)| *name == file.name) {
            None => fault(&file.name, "was signed and is missing"),
            Some((_, false)) => fault(&file.name, "was signed and is no plain file any more"),
            Some(_) if files.sha256(&file.name)? != file.sha256 => {
                fault(&file.name, "was changed after it was signed");
            }
            Some(_) => {}
        }
    }
    for (name, _) in &there {
        if name != FILE && !signed.files.iter().any(|file| file.name == *name) {
            fault(name, "was added after the race was signed");
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::digest::sha256_hex;

    /// Key and signature come from OpenSSL, over the text that the module's head describes.
    #[test]
    fn the_signature_is_pinned() {
        let key = key(&[5; 32]);
        let file = |name: &str, bytes: &[u8]| SignedFile {
            name: name.to_owned(),
            sha256: sha256_hex(bytes),
        };
        let files = vec![file("a.txt", b"x"), file("b.txt", b"y")];
        let signature = hex(&key.sign(manifest(&files).as_bytes()).to_bytes());
        assert_eq!(
            public_key(&key),
            "ed25519:6e7a1cdd29b0b78fd13af4c5598feff4ef2a97166e3ca6f2e4fbfccd80505bf1"
        );
        assert_eq!(
            signature,
            "087b0ec1319d35b0b29ce912f3e8d615e417e37b4831add95a57ed9ef7696dc2\
             e8d9f07a9c96b114a377d780ada4c3507f87b6b4d6e7142a8e37e5dfcf18c901"
        );
        let format = format::SIGNATURE.written();
        let signed = Signed { format, public_key: public_key(&key), files, signature };
        assert_eq!(Signed::read(&signed.to_json()).unwrap().holds(), Ok(()));
        assert_eq!(read_key(&key_file(&key)).unwrap().to_bytes(), [5; 32]);
        assert_eq!(read_public_key(&key_file(&key)), None, "a secret key is no public one");
    }

    #[test]
    fn a_key_that_signs_anything_is_refused() {
        // The neutral element and a point of small order: with them a signature can be made that fits many texts.
        for weak in ["01".to_owned() + &"00".repeat(31), "00".repeat(32)] {
            let signed = Signed {
                format: format::SIGNATURE.written(),
                public_key: format!("{PUBLIC}{weak}"),
                files: Vec::new(),
                signature: format!("01{}", "00".repeat(63)),
            };
            assert!(signed.holds().is_err(), "{weak}");
        }
    }
}
