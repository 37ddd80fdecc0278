//! Why a finding is one, and whether it could be in use: worked out when somebody asks, from the text around it.

use crate::finding::Finding;
use crate::keyed::place::{self, Place, is_plainly_random};
use crate::keyed::{KEYED_PASSWORD, KEYED_SECRET};
use crate::proof::{self, Proof};
use crate::rule::RULES;
use crate::scanner::Scanner;
use crate::value::{entropy, is_name_byte};

/// The reasons for a finding. The secret is not among them.
#[derive(Debug, Clone, PartialEq)]
pub struct Why {
    /// What kind of file it lies in.
    pub place: Place,
    /// Length in bytes.
    pub length: usize,
    /// Shannon entropy in bits a character.
    pub entropy: f32,
    /// The name it stands beside, where a name made it a finding.
    pub name: Option<String>,
    /// What the key itself says.
    pub proof: Option<Proof>,
    /// Where the format is described.
    pub source: Option<&'static str>,
    /// It could be in use: worth stopping somebody who is about to write it.
    pub live: bool,
}

/// Found by their format, but no key that anybody could use: hashes, ids, what is made to be public.
const NOT_LIVE: &[&str] =
    &["password-hash", "django-insecure-key", "sentry-dsn", "kubernetes-bootstrap-token", "cloud-signed-url"];
/// Made anew for every test, so that in a test it says nothing.
const COMMON_IN_TESTS: &[&str] =
    &["private-key", "private-key-base64", "jwt", "jwt-base64", "putty-private-key"];

impl Scanner {
    /// Why this finding of `text` is one.
    pub fn why(&self, text: impl AsRef<[u8]>, path_hint: Option<&str>, finding: &Finding) -> Why {
        let text = text.as_ref();
        let secret = text.get(finding.start..finding.end).unwrap_or_default();
        let place = path_hint.map(place::of).unwrap_or_default();
        let rule = RULES.iter().find(|rule| rule.id == finding.rule);
        let keyed = matches!(finding.rule, KEYED_SECRET | KEYED_PASSWORD);
        let proof = proof::of(finding.rule, secret);
        Why {
            place,
            length: secret.len(),
            entropy: entropy(secret),
            name: if keyed { name_before(text, finding.start) } else { None },
            proof,
            source: rule.and_then(|rule| rule.source),
            live: match rule {
                Some(rule) => {
                    let common = place != Place::Product && COMMON_IN_TESTS.contains(&rule.id);
                    !rule.chosen
                        && !common
                        && !NOT_LIVE.contains(&rule.id)
                        && !proof.is_some_and(Proof::is_against)
                }
                None => finding.rule == KEYED_SECRET && place == Place::Product && is_plainly_random(secret),
            },
        }
    }
}

/// The last word before the value that could be its name.
fn name_before(text: &[u8], start: usize) -> Option<String> {
    let near = &text[start.saturating_sub(160)..start];
    let line = memchr::memrchr(b'\n', near).map_or(near, |at| &near[at + 1..]);
    // A type or a call may stand between; the name is the longest word that holds a secret word, else the last one.
    let words = || line.split(|byte| !(is_name_byte(*byte) || matches!(byte, b'-' | b'.') || *byte >= 0x80));
    let telling = words().rfind(|word| word.len() >= 3 && crate::keyed::holds_word(word));
    let name = telling.or_else(|| words().rfind(|word| word.len() >= 2))?;
    Some(String::from_utf8_lossy(&name[..name.len().min(48)]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::seal;
    use crate::template::expand;

    fn why(text: &str, path: &str) -> Why {
        let found = Scanner::shared().scan(text, Some(path));
        Scanner::shared().why(text, Some(path), &found[0])
    }

    #[test]
    fn what_its_own_checksum_betrays_is_not_live_g5() {
        let body = expand("<an:30>", 1);
        let issued = why(&format!("token = ghp_{body}{}", seal(&body)), "src/a.ts");
        assert!(issued.live && issued.proof == Some(Proof::ChecksumFits));
        let made_up = why(&expand("token = ghp_<an:36>", 1), "src/a.ts");
        assert!(!made_up.live && made_up.proof == Some(Proof::ChecksumWrong));
    }

    #[test]
    fn a_name_makes_it_a_finding_and_is_told() {
        let why = why(&expand("const apiKey: string = \"<an:40>\";", 1), "src/a.ts");
        assert_eq!((why.name.as_deref(), why.length, why.place), (Some("apiKey"), 40, Place::Product));
        assert!(why.live && why.entropy > 3.5);
    }
}
