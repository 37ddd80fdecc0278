//! A setting's value: read from TOML or from what a person typed, shown back in the same form.

use std::fmt;

use crate::{Error, Result};

use super::keys::{Key, Kind};

/// A value in force.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Flag(bool),
    /// A count.
    Number(u64),
    /// Bytes.
    Size(u64),
    /// Patterns.
    List(Vec<String>),
    /// A word.
    Text(String),
}

impl Value {
    /// Reads what a person typed: `true`, `100`, `2GB`, `a, b`, a word.
    pub fn parse(key: &Key, text: &str) -> Result<Self> {
        let text = text.trim();
        let parsed = match key.kind {
            Kind::Flag(_) => match text {
                "true" | "yes" | "on" => Some(Self::Flag(true)),
                "false" | "no" | "off" => Some(Self::Flag(false)),
                _ => None,
            },
            Kind::Number(_) => text.parse().ok().map(Self::Number),
            Kind::Size(_) => parse_size(text).map(Self::Size),
            Kind::List(_) | Kind::Names => Some(Self::List(
                text.split(',').map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect(),
            )),
            Kind::Choice(words) => words.contains(&text).then(|| Self::Text(text.to_owned())),
            Kind::Words => Some(Self::List(text.split_whitespace().map(str::to_owned).collect())),
            Kind::Folder => {
                let fits =
                    text.is_empty() || text.starts_with("~/") || std::path::Path::new(text).is_absolute();
                fits.then(|| Self::Text(text.to_owned()))
            }
        };
        let value = parsed.ok_or_else(|| bad(key, text))?;
        value.checked(key)
    }

    /// Reads a value of a settings file.
    pub fn from_toml(key: &Key, raw: &toml::Value) -> Result<Self> {
        let value = match (key.kind, raw) {
            (Kind::Flag(_), toml::Value::Boolean(flag)) => Self::Flag(*flag),
            (Kind::Number(_), toml::Value::Integer(number)) => {
                Self::Number(u64::try_from(*number).map_err(|_| bad(key, &raw.to_string()))?)
            }
            (Kind::Size(_), toml::Value::Integer(number)) => {
                Self::Size(u64::try_from(*number).map_err(|_| bad(key, &raw.to_string()))?)
            }
            (Kind::List(_) | Kind::Names | Kind::Words, toml::Value::Array(items)) => {
                let items = items.iter().map(|item| item.as_str().map(str::to_owned)).collect::<Option<_>>();
                Self::List(items.ok_or_else(|| bad(key, &raw.to_string()))?)
            }
            (Kind::Size(_) | Kind::Choice(_) | Kind::Words | Kind::Folder, toml::Value::String(text)) => {
                return Self::parse(key, text);
            }
            _ => return Err(bad(key, &raw.to_string())),
        };
        value.checked(key)
    }

    /// Patterns must be patterns.
    fn checked(self, key: &Key) -> Result<Self> {
        if let (Self::List(items), Kind::List(_)) = (&self, key.kind) {
            for item in items {
                if globset::Glob::new(item.strip_prefix('!').unwrap_or(item)).is_err() {
                    return Err(bad(key, item));
                }
            }
        }
        Ok(self)
    }
}

fn bad(key: &Key, value: &str) -> Error {
    let wants = match key.kind {
        Kind::Flag(_) => "`true` or `false`".to_owned(),
        Kind::Number(_) => "a whole number, 0 or more".to_owned(),
        Kind::Size(_) => "a size such as `512KB`, `20MB` or `2GB`".to_owned(),
        Kind::List(_) => "file patterns such as `.env.*`, separated by commas".to_owned(),
        Kind::Words => "words separated by blanks, or a list of texts".to_owned(),
        Kind::Names => "names, separated by commas".to_owned(),
        Kind::Folder => "the whole path of a folder, such as `~/models/words`, or nothing".to_owned(),
        Kind::Choice(words) => words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
    };
    Error::ConfigBadValue { key: key.name.to_owned(), value: value.to_owned(), wants }
}

fn parse_size(text: &str) -> Option<u64> {
    let split = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let shift = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(1 << shift)
}

impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(formatter, "{flag}"),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Size(bytes) => {
                let (mut amount, mut unit) = (*bytes, "");
                for next in ["KB", "MB", "GB", "TB"] {
                    if amount == 0 || amount % 1024 != 0 {
                        break;
                    }
                    (amount, unit) = (amount / 1024, next);
                }
                write!(formatter, "{amount}{unit}")
            }
            Self::List(items) => formatter.write_str(&items.join(", ")),
            Self::Text(text) => formatter.write_str(text),
        }
    }
}
