//! Finds credentials that have no format of their own, by the name they stand beside: `acme_api_key = <random>`.
//!
//! A secret word (`token`, `secret`, `password`…) found by the keyword pass is looked at in three steps, all hand-written
//! because the words are frequent in any source tree: the name around the word ([`name`]), the gap behind it and the value
//! after the gap ([`gap`]), and the judgement whether this value beside this name is a secret ([`judge`]).

mod code;
mod gap;
mod judge;
mod name;
pub(crate) mod place;
mod spoken;
mod typed;
mod whole;

pub(crate) use judge::says_words;

use crate::finding::Span;
use crate::rule::{KEYWORDS, OWNERS};

/// What kind of value a secret word announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Generated: only random-looking values count.
    Token,
    /// Chosen by a person: short and readable values count as well.
    Password,
    /// The same in another language than English: see [`spoken`].
    SpokenToken,
    /// A chosen value, in another language.
    SpokenPassword,
}

/// What a finding is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A report, on a file that lies there.
    Report(place::Place),
    /// What leaves: what may be a secret goes as well, and the whole of it.
    Gate,
}

/// The words that announce a secret; part of the scanner's keyword pass.
pub(crate) static WORDS: &[(&str, Kind)] = &[
    ("token", Kind::Token),
    ("secret", Kind::Token),
    ("key", Kind::Token),
    ("cred", Kind::Token),
    ("private", Kind::Token),
    ("access", Kind::Token),
    ("auth", Kind::Token),
    ("bearer", Kind::Token),
    ("license", Kind::Token),
    ("_pat", Kind::Token),
    ("password", Kind::Password),
    ("passwd", Kind::Password),
    ("passphrase", Kind::Password),
    ("pwd", Kind::Password),
    ("pass", Kind::Password),
    ("_pw", Kind::Password),
    ("_psk", Kind::Password),
    ("identified by", Kind::Password),
    // Korean
    ("비밀번호", Kind::SpokenPassword),
    ("비번", Kind::SpokenPassword),
    ("암호", Kind::SpokenPassword),
    ("패스워드", Kind::SpokenPassword),
    ("토큰", Kind::SpokenToken),
    ("인증키", Kind::SpokenToken),
    ("인증 키", Kind::SpokenToken),
    ("비밀키", Kind::SpokenToken),
    ("비밀 키", Kind::SpokenToken),
    ("시크릿", Kind::SpokenToken),
    ("api 키", Kind::SpokenToken),
    ("api키", Kind::SpokenToken),
    ("액세스 키", Kind::SpokenToken),
    ("접근 키", Kind::SpokenToken),
    // Chinese, simplified and traditional
    ("密码", Kind::SpokenPassword),
    ("密碼", Kind::SpokenPassword),
    ("口令", Kind::SpokenPassword),
    ("密钥", Kind::SpokenToken),
    ("密鑰", Kind::SpokenToken),
    ("金鑰", Kind::SpokenToken),
    ("令牌", Kind::SpokenToken),
    ("權杖", Kind::SpokenToken),
    ("私钥", Kind::SpokenToken),
    // Japanese
    ("パスワード", Kind::SpokenPassword),
    ("暗証番号", Kind::SpokenPassword),
    ("合言葉", Kind::SpokenPassword),
    ("トークン", Kind::SpokenToken),
    ("秘密鍵", Kind::SpokenToken),
    ("シークレット", Kind::SpokenToken),
    ("キー", Kind::SpokenToken),
    // German
    ("passwort", Kind::SpokenPassword),
    ("kennwort", Kind::SpokenPassword),
    ("zugangsdaten", Kind::SpokenPassword),
    ("schlüssel", Kind::SpokenToken),
    ("geheimnis", Kind::SpokenToken),
    // French
    ("mot de passe", Kind::SpokenPassword),
    ("clé", Kind::SpokenToken),
    ("jeton", Kind::SpokenToken),
    // Spanish
    ("contraseña", Kind::SpokenPassword),
    ("clave", Kind::SpokenToken),
    // Portuguese
    ("senha", Kind::SpokenPassword),
    ("palavra-passe", Kind::SpokenPassword),
    ("chave", Kind::SpokenToken),
    // Dutch, Polish, Turkish, Vietnamese
    ("wachtwoord", Kind::SpokenPassword),
    ("hasło", Kind::SpokenPassword),
    ("şifre", Kind::SpokenPassword),
    ("Şifre", Kind::SpokenPassword),
    ("mật khẩu", Kind::SpokenPassword),
    // Russian; case is known for ASCII only
    ("пароль", Kind::SpokenPassword),
    ("Пароль", Kind::SpokenPassword),
    ("ПАРОЛЬ", Kind::SpokenPassword),
    ("ключ", Kind::SpokenToken),
    ("Ключ", Kind::SpokenToken),
    ("токен", Kind::SpokenToken),
    ("Токен", Kind::SpokenToken),
    ("секрет", Kind::SpokenToken),
    ("Секрет", Kind::SpokenToken),
];

/// No judgement of a secret word looks further than this to either side of it: the name, the gap, the value and what follows.
pub(crate) const REACH: usize = 2 << 10;

/// Rule id of a generated value beside a secret word.
pub(crate) const KEYED_SECRET: &str = "keyed-secret";
/// Rule id of a chosen value beside a password word.
pub(crate) const KEYED_PASSWORD: &str = "keyed-password";

/// Judges the secret word at `start..end` of `text`.
///
/// In a report, a value that begins like some provider's key is left to that provider's own rule: what the rule did not take is cut
/// short, masked or made up.
pub(crate) fn check(text: &[u8], start: usize, end: usize, kind: Kind, wanted: Wanted) -> Option<Span> {
    if matches!(kind, Kind::SpokenToken | Kind::SpokenPassword) {
        return spoken::check(text, start, end, kind, wanted);
    }
    let name = name::around(text, start, end)?;
    let careful = wanted != Wanted::Gate;
    let inlined = name.inlined_value(text);
    let value = if inlined.is_some() { None } else { gap::value_after(text, &name) };
    // The cheap looks first: nearly every hit in source code ends here.
    if inlined.is_none()
        && !value.as_ref().is_some_and(|value| judge::is_worth_a_look(&text[value.start..value.end], careful))
    {
        return None;
    }
    if name.is_harmless(text) {
        return None;
    }
    if careful
        && (is_owned(&text[name.start..name.end.min(name.start + 128)])
            || is_owned(name::previous_word(text, name.start)))
    {
        // Its rule reads no types: it is asked about the name and the value alone.
        return value
            .filter(|value| value.typed || value.wrapped)
            .and_then(|value| as_its_rule_says(&text[name.start..name.end], text, &value, wanted));
    }
    let claimed = |start: usize, end: usize| careful && is_claimed(&text[start..end]);
    if let Some((start, end)) = inlined.filter(|(start, end)| !claimed(*start, *end)) {
        if careful && is_claimed(&text[name.start..end]) {
            return None;
        }
        return Some(Span { start, end, rule: KEYED_SECRET, rank: u16::MAX });
    }
    let mut value = value?;
    if careful {
        if !judge::is_secret(text, &name, &value, kind, wanted) || claimed(value.start, value.end) {
            return None;
        }
    } else {
        value = whole::value(text, &name, value, kind)?;
    }
    let rule = if kind == Kind::Password { KEYED_PASSWORD } else { KEYED_SECRET };
    Some(Span { start: value.start, end: value.end, rule, rank: u16::MAX })
}

/// What the rule of a provider says about a value beside the provider's name, without what a language puts between them.
fn as_its_rule_says(name: &[u8], text: &[u8], value: &gap::Found, wanted: Wanted) -> Option<Span> {
    let Wanted::Report(place) = wanted else { return None };
    let plain = [name, b" = \"", &text[value.start..value.end], b"\""].concat();
    let behind = name.len() + 4;
    let found = crate::Scanner::shared().spans(&plain, crate::scanner::Rules::Report(place));
    let inside = found.iter().find(|span| span.start >= behind && span.end < plain.len())?;
    let (start, end) = (value.start + inside.start - behind, value.start + inside.end - behind);
    Some(Span { start, end, ..*inside })
}

/// Whether a word speaks of a secret.
pub(crate) fn holds_word(word: &[u8]) -> bool {
    let lower = word.to_ascii_lowercase();
    WORDS.iter().any(|(known, _)| memchr::memmem::find(&lower, known.as_bytes()).is_some())
}

/// Whether the name is that of a provider all of whose keys have a rule.
fn is_owned(name: &[u8]) -> bool {
    let plain: Vec<u8> =
        name.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect();
    OWNERS.iter().any(|owner| plain.starts_with(owner.as_bytes()))
}

/// Whether the value begins as the keys of a provider with a rule of its own do.
fn is_claimed(value: &[u8]) -> bool {
    let telegram = value.iter().take_while(|b| b.is_ascii_digit()).count();
    if value.starts_with(b"eyJ") || (4..=16).contains(&telegram) && value[telegram..].starts_with(b":A") {
        return true;
    }
    let Some(first) = value.first().map(u8::to_ascii_lowercase) else { return false };
    KEYWORDS.iter().any(|(prefix, _)| {
        let marked = prefix.as_bytes()[0].to_ascii_lowercase() == first
            && prefix.ends_with(['_', '-', '.'])
            && prefix.len() >= 5
            && !matches!(*prefix, "live_" | "test_" | "secret_");
        marked && value.len() > prefix.len() && value[..prefix.len()].eq_ignore_ascii_case(prefix.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> bool {
        let lower = text.to_ascii_lowercase();
        WORDS.iter().any(|(word, kind)| {
            memchr::memmem::find_iter(lower.as_bytes(), word.as_bytes()).any(|at| {
                check(text.as_bytes(), at, at + word.len(), *kind, Wanted::Report(place::Place::Product))
                    .is_some()
            })
        })
    }

    #[test]
    fn finds_named_secrets_in_many_notations() {
        for text in [
            "acme_api_key = '5us4rjh9ebxtblpi3cnw2hq0d8fqpk7s'",
            "AUTH = \"admin_password\", \"S3cr3t!pw9x\"",
            "{\"mode\":\"pass\",\"Hx8!kq02Lz\"}",
            "acmeToken := `5us4rjh9ebxtblpi3cnw2hq0`",
            "var acmeToken string = \"5us4rjh9ebxtblpi3cnw2hq0\"",
            "<acmeToken>\n    5us4rjh9ebxtblp\n</acmeToken>",
            "System.setProperty(\"ACME_TOKEN\", \"5us4rjh9ebxtblpi3cnw2hq0\")",
            "acme SECRET 5us4rjh9ebxtblpi3cnw2hq0",
            "acme-PRIVATE-key-5us4rjh9ebxtblpi3cnw2hq0",
            "{\"config.ini\": \"ACME_TOKEN=5us4rjh9ebxtblpi3cnw2hq0\\nX=1\"}",
            "https://x.io/?access_token=38bb7b318cc6898c80317decb34525844bc9db55",
            "password = 'k7#Lm2!x'",
            "ACME_TOKEN=b4e0ab8c-53b8-2837-4a54-f79f2fe7e2e7",
            "aws_secret_access_key: str = \"q7Zr3VbX1nKd+8sWmPf2Lc/0YtHj5GaEuRoT4iQ9\"",
            "const AWS_SECRET_ACCESS_KEY: &str = \"q7Zr3VbX1nKd+8sWmPf2Lc/0YtHj5GaEuRoT4iQ9\";",
        ] {
            assert!(found(text), "{text}");
        }
    }

    #[test]
    fn leaves_code_and_prose_alone() {
        for text in [
            "CLIENT_SECRET = settings.GITHUB_API_SECRET",
            "project_key = PROJECT_NAME_ALIAS",
            "keyPressed = kVK_Return.u16",
            "public_key = \"9Cnzj4p4WGeKLs1Pt8QuKUpRKfFLfRYC9AIKjbJTWit\"",
            "password = os.environ['PASSWORD']",
            "password: string",
            "token = getToken(user1, user2)",
            "monkeys-audio:mx64-uwp=fail",
            "author = \"james.fake@ymail.com\",",
            "private static final String ID = \"abc\";",
            "api_key = \"<your-api-key>\"",
            "secret: ''",
            "key: sha256:9e51341f8d87894c927d0150be0a9676c7427850c11607bb2e8943292a029a91",
        ] {
            assert!(!found(text), "{text}");
        }
    }
}
