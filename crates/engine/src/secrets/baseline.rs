//! Findings that somebody looked at and accepted, so that a scan reports only new ones.
//!
//! The file may be committed, so nothing in it leads back to a secret: it holds rule, path and a fingerprint. Of a short secret,
//! which could be guessed from a full hash, the fingerprint keeps 16 bits: enough to notice that it changed, too little to find it.

use std::collections::BTreeSet;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::Found;
use crate::{Error, Result};

/// The file's name in vib's folder of the project.
pub(crate) const NAME: &str = "secrets-baseline.json";

/// Secrets from this length on cannot be guessed from a hash.
const UNGUESSABLE: usize = 20;

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Baseline {
    version: u32,
    /// Makes the fingerprints of two baselines incomparable.
    salt: String,
    known: BTreeSet<Known>,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Known {
    path: String,
    rule: String,
    fingerprint: String,
}

impl Baseline {
    pub(crate) fn knows(&self, found: &Found) -> bool {
        self.known.contains(&known(found, &self.salt))
    }
}

/// Reads a baseline; `None` if there is none.
pub(crate) fn read(file: &Path) -> Result<Option<Baseline>> {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(bad(file, error)),
    };
    let baseline: Baseline = serde_json::from_str(&text).map_err(|error| bad(file, error))?;
    if baseline.version > 1 {
        return Err(bad(file, format!("it has version {}, and this vib knows version 1", baseline.version)));
    }
    Ok(Some(baseline))
}

/// Writes all of `found` down as known, in the place of what was there.
pub(super) fn write(file: &Path, found: &[Found], salt: u64) -> Result<()> {
    let salt = format!("{salt:016x}");
    let known = found.iter().map(|found| known(found, &salt)).collect();
    let baseline = Baseline { version: 1, salt, known };
    let mut text = serde_json::to_string_pretty(&baseline).map_err(|error| bad(file, error))?;
    text.push('\n');
    if let Some(folder) = file.parent() {
        fs_err::create_dir_all(folder).map_err(project::Error::from)?;
        // In vib's own folder nothing may land in the user's git by accident; a shared baseline lies elsewhere.
        let own = folder.file_name().is_some_and(|name| name == ".vibelign");
        let ignore = folder.join(".gitignore");
        if own && !ignore.exists() {
            project::write_atomic(&ignore, b"*\n").map_err(project::Error::from)?;
        }
    }
    Ok(project::write_atomic(file, text.as_bytes()).map_err(project::Error::from)?)
}

fn known(found: &Found, salt: &str) -> Known {
    let mut hasher = Sha256::new();
    hasher.update(salt);
    hasher.update(found.digest.hash);
    let digits = if found.digest.length >= UNGUESSABLE { 16 } else { 4 };
    let hex: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Known {
        // One spelling on every system, so that a baseline can be shared.
        path: found.path.replace('\\', "/"),
        rule: found.rule.to_owned(),
        fingerprint: hex[..digits].to_owned(),
    }
}

fn bad(file: &Path, detail: impl std::fmt::Display) -> Error {
    Error::BadBaseline { file: file.to_path_buf(), detail: detail.to_string() }
}
