//! Whether a key can be a real one, without asking anybody: checksums and structure that its provider builds in.
//!
//! A checksum that fits by chance is one in millions: such a key was issued. One that does not fit was typed, cut or made up. Nothing
//! here can tell whether a key was revoked since.
//!
//! Sources: GitHub, "Behind GitHub's new authentication token formats" (CRC32 in base 62, last six characters; npm took over the same
//! form); GitLab, "Routable tokens" (CRC32 in base 36, last seven); AWS, key ids as base 32 with the account number in them (the
//! layout that `aws sts get-access-key-info` reads); RFC 7515 and 7519 (JWT: a JSON header with `alg`).

use crate::base64;

/// What a key says about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Proof {
    /// Its checksum fits: it was issued.
    ChecksumFits,
    /// Its checksum does not fit: nobody issued it as it stands.
    ChecksumWrong,
    /// What is inside reads as it should.
    StructureFits,
    /// What is inside does not read as it should.
    StructureWrong,
    /// The key says itself that it is for tests only.
    ForTests,
}

impl Proof {
    /// Stable name.
    pub fn code(self) -> &'static str {
        match self {
            Self::ChecksumFits => "checksum_fits",
            Self::ChecksumWrong => "checksum_wrong",
            Self::StructureFits => "structure_fits",
            Self::StructureWrong => "structure_wrong",
            Self::ForTests => "for_tests",
        }
    }

    /// Nobody issued it, or it opens nothing that counts.
    pub fn is_against(self) -> bool {
        matches!(self, Self::ChecksumWrong | Self::StructureWrong | Self::ForTests)
    }
}

/// What the key of a rule proves; `None` where its provider builds nothing in.
pub fn of(rule: &str, secret: &[u8]) -> Option<Proof> {
    match rule {
        "github-token" => sealed(secret.get(4..)?, 30, 6, 62),
        "npm-token" => sealed(secret.strip_prefix(b"npm_")?, 30, 6, 62),
        "gitlab-token" => routable(secret),
        "aws-access-key" => aws(secret),
        "jwt" => jwt(secret),
        "stripe-key" => memchr::memmem::find(secret, b"_test_").map(|_| Proof::ForTests),
        "square-token" => secret.starts_with(b"sandbox-").then_some(Proof::ForTests),
        _ => None,
    }
}

/// A body and behind it its CRC32, in digits and letters, filled up with zeros.
fn sealed(body: &[u8], length: usize, digits: usize, base: u32) -> Option<Proof> {
    // Newer, longer forms carry more than this; they are judged by nobody but their issuer.
    if body.len() != length + digits || !body.iter().all(u8::is_ascii_alphanumeric) {
        return None;
    }
    let (body, sum) = body.split_at(length);
    Some(if written(crc32(body), base, digits) == sum { Proof::ChecksumFits } else { Proof::ChecksumWrong })
}

/// `glpat-PAYLOAD.VV.LLCCCCCCC`: the last seven characters are the CRC32 of all that stands before them.
fn routable(secret: &[u8]) -> Option<Proof> {
    let dots = secret.iter().filter(|byte| **byte == b'.').count();
    if dots != 2 || secret.len() < 20 {
        return None;
    }
    let (body, sum) = secret.split_at(secret.len() - 7);
    let lower = written(crc32(body), 36, 7).to_ascii_lowercase();
    Some(if lower == sum { Proof::ChecksumFits } else { Proof::ChecksumWrong })
}

/// The account number that a key id carries has twelve digits at most.
fn aws(secret: &[u8]) -> Option<Proof> {
    let body = secret.get(4..20)?;
    // Ids from before 2019 have no account in them.
    if !secret.starts_with(b"AKIA") && !secret.starts_with(b"ASIA") || matches!(body[0], b'I' | b'J') {
        return None;
    }
    let mut bits: u128 = 0;
    for byte in body {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'2'..=b'7' => byte - b'2' + 26,
            _ => return Some(Proof::StructureWrong),
        };
        bits = bits << 5 | u128::from(value);
    }
    let account = (bits >> 32 & 0x7fff_ffff_ff80) >> 7;
    Some(if account <= 999_999_999_999 { Proof::StructureFits } else { Proof::StructureWrong })
}

fn jwt(secret: &[u8]) -> Option<Proof> {
    let head = secret.split(|byte| *byte == b'.').next()?;
    let text = base64::text_of(head);
    // What jwt.io shows to everybody: subject 1234567890, John Doe.
    let payload = base64::text_of(secret.split(|byte| *byte == b'.').nth(1).unwrap_or_default());
    if [&b"\"1234567890\""[..], b"\"John Doe\""]
        .iter()
        .any(|told| memchr::memmem::find(&payload, told).is_some())
    {
        return Some(Proof::ForTests);
    }
    let json = text.first() == Some(&b'{') && text.last() == Some(&b'}');
    let named = memchr::memmem::find(&text, b"\"alg\"").is_some();
    Some(if json && named { Proof::StructureFits } else { Proof::StructureWrong })
}

fn written(mut number: u32, base: u32, digits: usize) -> Vec<u8> {
    const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let mut out = vec![b'0'; digits];
    for place in out.iter_mut().rev() {
        *place = DIGITS[(number % base) as usize];
        number /= base;
    }
    out
}

/// The checksum that GitHub and npm put behind thirty characters: for tests that need a key which could be real.
pub fn seal(body: &str) -> String {
    String::from_utf8(written(crc32(body.as_bytes()), 62, 6)).unwrap_or_default()
}

/// CRC-32 as in gzip and PNG.
fn crc32(text: &[u8]) -> u32 {
    static TABLE: [u32; 256] = {
        let (mut table, mut index) = ([0; 256], 0);
        while index < 256 {
            let (mut value, mut bit) = (index as u32, 0);
            while bit < 8 {
                value = if value & 1 == 1 { value >> 1 ^ 0xedb8_8320 } else { value >> 1 };
                bit += 1;
            }
            table[index] = value;
            index += 1;
        }
        table
    };
    !text.iter().fold(!0, |sum: u32, byte| sum >> 8 ^ TABLE[(sum as u8 ^ byte) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::expand;

    #[test]
    fn checksums_tell_issued_keys_from_made_up_ones() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926, "the value that every description of CRC-32 gives");
        for seed in 0..20 {
            let body = expand("<an:30>", seed);
            let (good, bad) = (format!("ghp_{body}{}", seal(&body)), expand("ghp_<an:36>", seed));
            assert_eq!(of("github-token", good.as_bytes()), Some(Proof::ChecksumFits));
            assert_eq!(of("github-token", bad.as_bytes()), Some(Proof::ChecksumWrong));
            let npm = format!("npm_{body}{}", seal(&body));
            assert_eq!(of("npm-token", npm.as_bytes()), Some(Proof::ChecksumFits));
        }
    }

    #[test]
    fn what_is_inside_a_key_is_read() {
        let id = |account: u128| -> Vec<u8> {
            let bits = account << 39;
            let letters = (0..16)
                .rev()
                .map(|place| b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[(bits >> (place * 5) & 31) as usize]);
            b"AKIA".iter().copied().chain(letters).collect()
        };
        assert_eq!(aws(&id(123_456_789_012)), Some(Proof::StructureFits));
        assert_eq!(aws(&id(0xff_ffff_ffff)), Some(Proof::StructureWrong));
        assert_eq!(aws(b"AKIA0189ABCDEFGHIJKL"), Some(Proof::StructureWrong));
        assert_eq!(aws(b"AKIAIOSFODNN7EXAMPLE"), None);
        assert_eq!(of("jwt", b"eyJhbGciOiJIUzI1NiJ9.e30.x"), Some(Proof::StructureFits));
        assert_eq!(of("jwt", b"eyJub3QiOiJhIGhlYWRlciJ9.e30.x"), Some(Proof::StructureWrong));
        assert_eq!(of("stripe-key", b"sk_test_abc"), Some(Proof::ForTests));
        assert_eq!(of("stripe-key", b"sk_live_abc"), None);
    }
}
