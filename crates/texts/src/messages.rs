//! Messages by id.

use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
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

/// The files, by what they are about. A message's id begins with its area and a dash, so no two areas can claim the same id.
pub const AREAS: &[(&str, [&str; 3])] = &[
    area!("board"),
    area!("changes"),
    area!("chat"),
    area!("common"),
    area!("error"),
    area!("explain"),
    area!("gate"),
    area!("history"),
    area!("lane"),
    area!("overview"),
    area!("protection"),
    area!("providers"),
    area!("recover"),
    area!("runs"),
    area!("setup"),
    area!("undo"),
    area!("verdict"),
    area!("web"),
];

type Bundle = FluentBundle<FluentResource>;

/// What was read so far: an area in a language is read when its first message is asked for, and then once.
static READ: [[OnceLock<Bundle>; 3]; AREAS.len()] = [const { [const { OnceLock::new() }; 3] }; AREAS.len()];

/// The messages of one language.
#[derive(Debug, Clone, Copy)]
pub struct Texts {
    language: Language,
}

impl Texts {
    /// The messages of this language; nothing is read before something is said.
    pub fn new(language: Language) -> Self {
        Self { language }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The message with this id. An id that does not exist is shown as it is, in brackets: better than nothing.
    pub fn say(&self, id: &str, values: &[(&str, Value<'_>)]) -> String {
        let bundle = bundle_of(id, self.language);
        let pattern = bundle.and_then(|bundle| Some((bundle, bundle.get_message(id)?.value()?)));
        let Some((bundle, pattern)) = pattern else { return format!("[{id}]") };
        let arguments: FluentArgs<'_> =
            values.iter().map(|(name, value)| (*name, plain(name, value))).collect();
        let mut problems = Vec::new();
        bundle.format_pattern(pattern, Some(&arguments), &mut problems).into_owned()
    }
}

fn bundle_of(id: &str, language: Language) -> Option<&'static Bundle> {
    let area = id.split_once('-')?.0;
    let at = AREAS.iter().position(|(name, _)| *name == area)?;
    Some(READ[at][language as usize].get_or_init(|| read(AREAS[at].1[language as usize], language)))
}

fn read(text: &str, language: Language) -> Bundle {
    let name: LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut bundle = FluentBundle::new_concurrent(vec![name]);
    // The marks that keep right-to-left names apart would end up in terminals and files as noise.
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(grouped));
    // What a broken file has in good order is still used; the tests let none be broken.
    let resource = match FluentResource::try_new(text.to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    bundle.add_resource_overriding(resource);
    bundle
}

/// A line of a file is no count, and is written without groups.
fn plain<'v>(name: &str, value: &Value<'v>) -> Value<'v> {
    match value {
        FluentValue::Number(number) if name == "line" => FluentValue::from(number.as_string().into_owned()),
        value => value.clone(),
    }
}

/// Numbers are counts here, and long ones are written in groups, as all three languages do: `12,345`.
fn grouped<M>(value: &FluentValue<'_>, _: &M) -> Option<String> {
    let FluentValue::Number(number) = value else { return None };
    let digits = number.as_string();
    if digits.len() < 4 || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    Some(out)
}
