//! Messages by id.

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};
use unic_langid::LanguageIdentifier;

use crate::{Language, Value};

/// One file of messages in all languages, in the order of [`Language::ALL`].
macro_rules! area {
    ($name:literal) => {
        (
            $name,
            [
                include_str!(concat!("../messages/en/", $name, ".ftl")),
                include_str!(concat!("../messages/ko/", $name, ".ftl")),
                include_str!(concat!("../messages/zh/", $name, ".ftl")),
            ],
        )
    };
}

/// The files, by what they are about. A message's id begins with its area, so no two areas can claim the same id.
pub const AREAS: &[(&str, [&str; 3])] =
    &[area!("common"), area!("explain"), area!("recover"), area!("verdict"), area!("web")];

/// The messages of one language.
pub struct Texts {
    language: Language,
    bundle: FluentBundle<FluentResource>,
}

impl Texts {
    /// Reads the messages.
    pub fn new(language: Language) -> Self {
        let name: LanguageIdentifier = language.code().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new(vec![name]);
        // The marks that keep right-to-left names apart would end up in terminals and files as noise.
        bundle.set_use_isolating(false);
        for (_, files) in AREAS {
            // What a broken file has in good order is still used; the tests let none be broken.
            let resource = match FluentResource::try_new(files[language as usize].to_owned()) {
                Ok(resource) | Err((resource, _)) => resource,
            };
            bundle.add_resource_overriding(resource);
        }
        Self { language, bundle }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The message with this id. An id that does not exist is shown as it is, in brackets: better than nothing.
    pub fn say(&self, id: &str, values: &[(&str, Value<'_>)]) -> String {
        let Some(pattern) = self.bundle.get_message(id).and_then(|message| message.value()) else {
            return format!("[{id}]");
        };
        let arguments: FluentArgs<'_> = values.iter().map(|(name, value)| (*name, value.clone())).collect();
        let mut problems = Vec::new();
        self.bundle.format_pattern(pattern, Some(&arguments), &mut problems).into_owned()
    }
}

impl std::fmt::Debug for Texts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Texts").field("language", &self.language).finish_non_exhaustive()
    }
}
