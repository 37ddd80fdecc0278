//! Keys that a person allowed although an agent wanted to write them, one by one, by fingerprint. (G5)
//!
//! The list lies in the project's private state folder, so no agent's edit reaches it and nothing of it lands in git. A fingerprint is
//! salted with the project's own id and leads back to no key: only keys that nobody can guess are stopped at all.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::text::Found;
use crate::person::ByPerson;
use crate::{Engine, Error, Result, private_file};

const NAME: &str = "secrets-allowed.json";
const VERSION: u32 = 1;
/// Words of a fingerprint: enough to tell keys of one project apart, short enough to type.
const WORDS: usize = 3;
const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
const VOWELS: &[u8; 4] = b"aiou";

#[derive(Debug, Serialize, Deserialize)]
struct File {
    version: u32,
    /// Fingerprint → when it was allowed, milliseconds since 1970.
    allowed: BTreeMap<String, i64>,
    /// What a newer vib wrote.
    #[serde(flatten)]
    more: serde_json::Map<String, serde_json::Value>,
}

/// What a person allowed in this project.
#[derive(Debug, Clone, Serialize)]
pub struct AllowedReport {
    /// The fingerprint that was allowed now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<String>,
    /// All of them.
    pub allowed: Vec<String>,
}

/// The name of a key in this project.
pub(crate) fn fingerprint(engine: &Engine, found: &Found) -> String {
    let mut hasher = Sha256::new();
    hasher.update(engine.project().id().to_string());
    hasher.update(found.digest.hash);
    let hash = hasher.finalize();
    let words: Vec<String> = hash.chunks_exact(2).take(WORDS).map(|pair| word([pair[0], pair[1]])).collect();
    words.join("-")
}

/// Sixteen bits as a word that can be said: `lusab`. Digits would look like a key themselves, and the gate would take them out.
fn word(pair: [u8; 2]) -> String {
    let bits = usize::from(u16::from_be_bytes(pair));
    let consonant = |shift: usize| char::from(CONSONANTS[bits >> shift & 15]);
    let vowel = |shift: usize| char::from(VOWELS[bits >> shift & 3]);
    [consonant(12), vowel(10), consonant(6), vowel(4), consonant(0)].iter().collect()
}

fn is_word(word: &str) -> bool {
    let fits = |(at, letter): (usize, u8)| match at % 2 {
        0 => CONSONANTS.contains(&letter),
        _ => VOWELS.contains(&letter),
    };
    word.len() == 5 && word.bytes().enumerate().all(fits)
}

/// Whether a person allowed this one. A list that cannot be read allows nothing.
pub(crate) fn is_allowed(engine: &Engine, fingerprint: &str) -> bool {
    read(engine).is_ok_and(|file| file.allowed.contains_key(fingerprint))
}

/// Allows one key, whoever writes it from now on.
pub fn allow(engine: &Engine, fingerprint: &str, _by: &ByPerson) -> Result<AllowedReport> {
    let fingerprint = fingerprint.trim().to_ascii_lowercase();
    if fingerprint.split('-').count() != WORDS || !fingerprint.split('-').all(is_word) {
        return Err(Error::NoFingerprint(fingerprint));
    }
    let mut file = read(engine)?;
    file.allowed.insert(fingerprint.clone(), engine.context().now_ms());
    let mut text = serde_json::to_vec_pretty(&file).map_err(|error| bad(engine, error))?;
    text.push(b'\n');
    private_file::write(&path(engine), &text).map_err(project::Error::from)?;
    Ok(AllowedReport { added: Some(fingerprint), allowed: file.allowed.into_keys().collect() })
}

/// What was allowed.
pub fn allowed(engine: &Engine) -> Result<AllowedReport> {
    Ok(AllowedReport { added: None, allowed: read(engine)?.allowed.into_keys().collect() })
}

fn read(engine: &Engine) -> Result<File> {
    match std::fs::read(path(engine)) {
        Ok(text) => serde_json::from_slice(&text).map_err(|error| bad(engine, error)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Ok(File { version: VERSION, allowed: BTreeMap::new(), more: serde_json::Map::new() })
        }
        Err(error) => Err(bad(engine, error)),
    }
}

fn path(engine: &Engine) -> PathBuf {
    engine.project().state().join(NAME)
}

fn bad(engine: &Engine, detail: impl std::fmt::Display) -> Error {
    Error::BadBaseline { file: path(engine), detail: detail.to_string() }
}
