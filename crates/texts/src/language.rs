//! In which language somebody is spoken to.

use project::Context;
use serde::{Deserialize, Serialize};

/// A language that vib speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Korean.
    Ko,
    /// Chinese, simplified.
    Zh,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::En, Self::Ko, Self::Zh];

    /// Its short name, as used for folders, settings and in HTML.
    pub fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ko => "ko",
            Self::Zh => "zh",
        }
    }

    /// The language with this name: `ko`, `ko_KR.UTF-8`, `zh-Hans`. None for languages that vib does not speak.
    pub fn from_code(name: &str) -> Option<Self> {
        let first = name.split(['_', '-', '.', '@']).next().unwrap_or(name);
        Self::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(first))
    }

    /// What the environment says, in the order in which programs look: `LC_ALL`, `LC_MESSAGES`, `LANG`.
    pub fn of_environment(context: &Context) -> Self {
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| context.variable(name));
        set.as_deref().and_then(|value| value.to_str()).and_then(Self::from_code).unwrap_or_default()
    }

    /// The language of somebody's words, where the script tells; else what the environment says.
    pub fn of_words(text: &str, context: &Context) -> Self {
        Self::of_script(text).unwrap_or_else(|| Self::of_environment(context))
    }

    /// The language that the script of somebody's words tells: Hangul or Han. Latin letters tell nothing.
    pub fn of_script(text: &str) -> Option<Self> {
        let hangul = |letter: char| matches!(letter, '\u{ac00}'..='\u{d7a3}');
        let han = |letter: char| matches!(letter, '\u{4e00}'..='\u{9fff}');
        // Kana are Japanese, which vib reads and does not write: then the language of the system.
        let kana = |letter: char| matches!(letter, '\u{3041}'..='\u{30ff}');
        if text.chars().any(hangul) {
            Some(Self::Ko)
        } else if text.chars().any(han) && !text.chars().any(kana) {
            Some(Self::Zh)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Language;

    #[test]
    fn names_of_languages_are_understood_as_systems_write_them() {
        for (name, language) in [
            ("en", Some(Language::En)),
            ("ko_KR.UTF-8", Some(Language::Ko)),
            ("zh-Hans-CN", Some(Language::Zh)),
            ("ZH", Some(Language::Zh)),
            ("C.UTF-8", None),
            ("kok_IN", None),
            ("", None),
        ] {
            assert_eq!(Language::from_code(name), language, "{name}");
        }
    }
}
