//! One text, looked at: its findings with everything a report says about them.

use std::borrow::Cow;

use redact::{Place, Revocation, Scanner};
use sha2::{Digest, Sha256};

use super::exposure::Exposure;

/// Rule id of a file that is a secret as a whole and cannot be read as text.
pub(super) const SECRET_FILE: &str = "secret-file";

/// A secret in plain sight. Nothing here can print it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Found {
    /// The file.
    pub path: String,
    /// Line of the first character, from 1.
    pub line: usize,
    /// Column of the first character, in bytes, from 1.
    pub column: usize,
    /// Line of the last character.
    pub end_line: usize,
    /// Id of the rule.
    pub rule: &'static str,
    /// What the rule finds.
    pub about: &'static str,
    /// The last four characters, if the secret is long enough for that.
    pub last4: String,
    /// The oldest commit of the scan that added it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// When that was, seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub committed_s: Option<i64>,
    /// It could be in use: a format that a provider issues and that nothing in it speaks against, or plainly random.
    #[serde(skip)]
    pub(crate) live: bool,
    /// How far it got, where git tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exposure: Option<Exposure>,
    /// How it is revoked, where the provider is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revoke: Option<&'static Revocation>,
    /// Why it is one, if somebody asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Tells this secret from others, for the baseline. Never leaves the program.
    #[serde(skip)]
    pub(super) digest: Digested,
}

/// Why a finding is one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Why {
    /// What kind of file it lies in.
    pub place: Place,
    /// Length in characters.
    pub length: usize,
    /// Shannon entropy, hundredths of a bit a character.
    pub entropy_centibits: u32,
    /// The name it stands beside, where a name made it a finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the key itself says: `checksum_fits`, `checksum_wrong`, ….
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<&'static str>,
    /// Where the provider's format is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<&'static str>,
}

impl Found {
    /// True if both are the same secret.
    pub(crate) fn same_secret(&self, other: &Self) -> bool {
        self.digest == other.digest
    }
}

/// A hash of the secret and its length; compared, never shown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Digested {
    pub(super) hash: [u8; 32],
    pub(super) length: usize,
}

/// Finds the secrets in a file's content.
pub(crate) fn look(path: &str, bytes: &[u8], first_line: usize) -> Vec<Found> {
    look_as(path, path, bytes, first_line)
}

/// The same where only a part of the path says what the file is for: what lies above the folder that a person named does not.
pub(super) fn look_as(path: &str, hint: &str, bytes: &[u8], first_line: usize) -> Vec<Found> {
    let Some(text) = readable(bytes) else {
        let about = redact::secret_file(path).filter(|_| is_key_store(path));
        return about.map(|_| whole_file(path, bytes)).into_iter().collect();
    };
    Scanner::shared()
        .scan(&text, Some(hint))
        .into_iter()
        .map(|finding| {
            let secret = &text[finding.start..finding.end];
            let reason = Scanner::shared().why(&text, Some(hint), &finding);
            let breaks = secret.trim_ascii_end().iter().filter(|byte| **byte == b'\n').count();
            Found {
                path: path.to_owned(),
                line: finding.line + first_line - 1,
                column: finding.column,
                end_line: finding.line + first_line - 1 + breaks,
                rule: finding.rule,
                about: redact::about(finding.rule),
                last4: finding.last4,
                commit: None,
                committed_s: None,
                live: reason.live,
                exposure: None,
                revoke: redact::revocation(finding.rule),
                why: Some(Why {
                    place: reason.place,
                    length: reason.length,
                    entropy_centibits: (reason.entropy * 100.0) as u32,
                    name: reason.name,
                    proof: reason.proof.map(redact::proof::Proof::code),
                    source: reason.source,
                }),
                digest: digest(secret),
            }
        })
        .collect()
}

fn whole_file(path: &str, bytes: &[u8]) -> Found {
    Found {
        path: path.to_owned(),
        line: 1,
        column: 1,
        end_line: 1,
        rule: SECRET_FILE,
        about: "Key store or password database",
        last4: String::new(),
        commit: None,
        committed_s: None,
        live: false,
        exposure: None,
        revoke: None,
        why: None,
        digest: digest(bytes),
    }
}

fn digest(secret: &[u8]) -> Digested {
    Digested { hash: Sha256::digest(secret).into(), length: secret.len() }
}

/// The text of a file: as it is, or UTF-16 turned into UTF-8; `None` if it is no text.
fn readable(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    match redact::wide::order(bytes) {
        Some(order) => Some(Cow::Owned(redact::wide::decode(bytes, order).into_bytes())),
        None if bytes.iter().take(8_000).any(|byte| *byte == 0) => None,
        None => Some(Cow::Borrowed(bytes)),
    }
}

/// Binary containers made to hold keys; of all other binary files only the name is telling, which is not enough.
fn is_key_store(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    [".p12", ".pfx", ".jks", ".keystore", ".kdbx", "wallet.dat"].iter().any(|end| path.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use redact::template::expand;

    #[test]
    fn a_secret_in_utf_16_is_found_and_a_picture_is_left_alone() {
        let line = expand("first\ntoken = \"ghp_<an:36>\"\n", 1);
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(line.encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let found = look("a.ps1", &wide, 1);
        assert_eq!((found.len(), found[0].line, found[0].rule), (1, 2, "github-token"));
        let mut picture = line.into_bytes();
        picture.insert(0, 0);
        assert!(look("a.png", &picture, 1).is_empty());
        assert_eq!(look("release.p12", &picture, 1)[0].rule, "secret-file");
    }
}
