//! Which providers a person has: those of their settings (`[run.providers.NAME]`), and those whose well-known variables are set.
//!
//! Only the user's own file counts: a project that could name a provider could send its code, and a key, wherever it likes.

use crate::capabilities;
use crate::model::{Dialect, Key, Price, Provider};
use crate::world::CallerWorld;

/// What a million tokens of a model cost, from whoever keeps that table.
pub type Prices<'a> = &'a dyn Fn(&str) -> Option<Price>;

/// Where an entry comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// The person's settings.
    Settings,
    /// This variable is set.
    BuiltIn(&'static str),
}

/// A provider, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// The provider. Its model is empty where nobody named one yet.
    pub provider: Provider,
    /// Where it comes from.
    pub origin: Origin,
}

/// All there are.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Listing {
    /// Those of the settings first, then the built-in ones.
    pub listed: Vec<Listed>,
    /// What is wrong in the settings, one sentence each; such an entry is not used.
    pub problems: Vec<String>,
}

/// What providers with well-known names need not say: name, dialect, address, variable, model.
const WELL_KNOWN: [(&str, Dialect, &str, &str, &str); 3] = [
    ("anthropic", Dialect::Anthropic, "https://api.anthropic.com", "ANTHROPIC_API_KEY", "claude-sonnet-5-5"),
    ("openai", Dialect::OpenAiChat, "https://api.openai.com/v1", "OPENAI_API_KEY", "gpt-5.6-terra"),
    ("ollama", Dialect::OpenAiChat, "http://127.0.0.1:11434/v1", "OLLAMA_HOST", ""),
];

/// What is assumed of a model that nobody described: small enough to fit most.
const UNKNOWN_CONTEXT: u32 = 32_768;
const UNKNOWN_OUTPUT: u32 = 4_096;

/// All providers of a person. `table` is `run.providers` of their own file.
pub fn list(table: &toml::Table, world: &dyn CallerWorld, prices: Prices<'_>) -> Listing {
    let mut listing = Listing::default();
    for (name, entry) in table {
        match read(name, entry, prices) {
            Ok(provider) => listing.listed.push(Listed { provider, origin: Origin::Settings }),
            Err(problem) => listing.problems.push(format!("`run.providers.{name}`: {problem}")),
        }
    }
    for (name, dialect, url, variable, model) in WELL_KNOWN {
        let Some(value) = world.variable(variable).filter(|_| !table.contains_key(name)) else { continue };
        let is_address = variable == "OLLAMA_HOST";
        let url = if is_address { ollama(value.reveal()) } else { url.to_owned() };
        if crate::http::check_url(&url).is_err() {
            listing
                .problems
                .push(format!("`{variable}`: it is no address of this machine, and no `https://` one"));
            continue;
        }
        let key = if is_address { Key::None } else { Key::Variable(variable.to_owned()) };
        let provider = described(name, dialect, &url, model, key, prices);
        listing.listed.push(Listed { provider, origin: Origin::BuiltIn(variable) });
    }
    listing
}

impl Listing {
    /// The providers to ask, in their order. `wanted` are names, or `name/model`; without any, the first that can be asked, alone: what is written
    /// here goes to somebody else only if the person named them.
    pub fn chosen(
        &self,
        wanted: &[String],
        world: &dyn CallerWorld,
        prices: Prices<'_>,
    ) -> Result<Vec<Provider>, NotChosen> {
        if wanted.is_empty() {
            let mut usable = self
                .listed
                .iter()
                .map(|listed| &listed.provider)
                .filter(|provider| !provider.model.is_empty());
            let with_key = usable.clone().find(|provider| crate::caller::key(provider, world).is_ok());
            return Ok(with_key.or_else(|| usable.next()).cloned().into_iter().collect());
        }
        wanted.iter().map(|word| self.named(word, prices)).collect()
    }

    /// The provider of this name, or `name/model`.
    pub fn named(&self, word: &str, prices: Prices<'_>) -> Result<Provider, NotChosen> {
        let (name, model) = word.split_once('/').map_or((word, None), |(name, model)| (name, Some(model)));
        let found = self.listed.iter().map(|listed| &listed.provider).find(|provider| provider.name == name);
        let Some(provider) = found else {
            let known = self.listed.iter().map(|listed| listed.provider.name.clone()).collect();
            return Err(NotChosen::Unknown { name: name.to_owned(), known });
        };
        match model {
            Some(model) if !model.is_empty() && model != provider.model => {
                let Provider { name, dialect, url, key, price, .. } = provider;
                let mut other = described(name, *dialect, url, model, key.clone(), prices);
                // What the person wrote about this provider's price is all that is known of a model of no table.
                other.price = other.price.or(*price);
                Ok(other)
            }
            _ if provider.model.is_empty() => Err(NotChosen::NoModel { name: name.to_owned() }),
            _ => Ok(provider.clone()),
        }
    }
}

/// Why a name leads to no provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotChosen {
    /// There is none of this name.
    Unknown {
        /// The name.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// It does not say which model.
    NoModel {
        /// The provider.
        name: String,
    },
}

impl NotChosen {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Unknown { .. } => "unknown_provider",
            Self::NoModel { .. } => "no_model",
        }
    }

    /// What to do.
    pub fn next(&self) -> String {
        match self {
            Self::Unknown { known, .. } if known.is_empty() => "see `vib providers explain`".to_owned(),
            Self::Unknown { known, .. } => format!("take one of these: {}", known.join(", ")),
            Self::NoModel { name } => format!("name one: `{name}/MODEL`"),
        }
    }
}

impl std::fmt::Display for NotChosen {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unknown { name, .. } => write!(formatter, "there is no provider `{name}`"),
            Self::NoModel { name } => {
                write!(formatter, "nobody said which model `{name}` should answer with")
            }
        }
    }
}

impl std::error::Error for NotChosen {}

/// A provider as far as the tables know its model.
fn described(name: &str, dialect: Dialect, url: &str, model: &str, key: Key, prices: Prices<'_>) -> Provider {
    let known = capabilities::of(model);
    Provider {
        name: name.to_owned(),
        dialect,
        url: url.to_owned(),
        model: model.to_owned(),
        key,
        tools: known.is_none_or(|known| known.tools),
        context: known.map_or(UNKNOWN_CONTEXT, |known| known.context),
        max_output: known.map_or(UNKNOWN_OUTPUT, |known| known.max_output),
        class: known.map_or(0, |known| known.class),
        price: prices(model),
    }
}

/// `OLLAMA_HOST` as ollama reads it: a host, a host with a port, or an address; what listens everywhere is asked on this machine.
fn ollama(host: &str) -> String {
    let host = host.trim().trim_end_matches('/');
    let (scheme, rest, default_port) = match host.split_once("://") {
        Some((scheme, rest)) => (scheme, rest, ""),
        None => ("http", host, ":11434"),
    };
    let rest = rest.replace("0.0.0.0", "127.0.0.1");
    let port = rest.rsplit_once(':').map(|(_, port)| port);
    let has_port =
        port.is_some_and(|port| !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit()));
    let local = if rest.starts_with(':') { "127.0.0.1" } else { "" };
    format!("{scheme}://{local}{rest}{}/v1", if has_port { "" } else { default_port })
}

fn read(name: &str, entry: &toml::Value, prices: Prices<'_>) -> Result<Provider, String> {
    let is_plain = |one: char| one.is_ascii_alphanumeric() || "_-.".contains(one);
    if name.is_empty() || !name.chars().all(is_plain) {
        return Err("a name has letters, digits, `_`, `-` and `.`".to_owned());
    }
    let table = entry.as_table().ok_or("it has to be a section of its own")?;
    if ["key", "api_key", "token"].iter().any(|name| table.contains_key(*name)) {
        return Err("a key does not belong into a file: name its variable in `key_env`, or its account in `key_keyring`".to_owned());
    }
    let mut fields = Fields { table, known: Vec::new() };
    let well_known = WELL_KNOWN.iter().find(|(known, ..)| *known == name);
    let dialect = match fields.text("dialect")? {
        Some(word) => Dialect::of_word(&word)
            .ok_or(format!("`dialect` is `anthropic` or `openai-chat`, not `{word}`"))?,
        None => {
            well_known.map(|known| known.1).ok_or("`dialect` is missing: `anthropic` or `openai-chat`")?
        }
    };
    let url = match fields.text("url")? {
        Some(url) => url,
        None => well_known.map(|known| known.2.to_owned()).ok_or("`url` is missing")?,
    };
    crate::http::check_url(&url).map_err(|fault| match fault.code {
        "plain_http" => {
            "`url` is not encrypted: `http://` is for this machine, others need `https://`".to_owned()
        }
        _ => "`url` is no address that can be asked: `https://HOST/…`, without a name or a password in it"
            .to_owned(),
    })?;
    let model = match fields.text("model")? {
        Some(model) => model,
        None => well_known
            .map(|known| known.4.to_owned())
            .filter(|model| !model.is_empty())
            .ok_or("`model` is missing")?,
    };
    let key = match (fields.text("key_env")?, fields.text("key_keyring")?) {
        (Some(_), Some(_)) => return Err("`key_env` or `key_keyring`, not both".to_owned()),
        (Some(variable), None) => Key::Variable(variable_name(variable)?),
        (None, Some(account)) => Key::Keyring(account),
        (None, None) => match well_known {
            Some((_, _, _, variable, _)) if *variable != "OLLAMA_HOST" => {
                Key::Variable((*variable).to_owned())
            }
            _ => Key::None,
        },
    };
    let mut provider = described(name, dialect, &url, &model, key, prices);
    if let Some(tools) = fields.flag("tools")? {
        provider.tools = tools;
    }
    if let Some(context) = fields.number("context", u32::MAX)? {
        provider.context = context;
    }
    if let Some(most) = fields.number("max_output", u32::MAX)? {
        provider.max_output = most;
    }
    if let Some(class) = fields.number("class", 9)? {
        provider.class = u8::try_from(class).unwrap_or(u8::MAX);
    }
    let (input, output) = (fields.money("price_in")?, fields.money("price_out")?);
    let (read, write) = (fields.money("price_cache_read")?, fields.money("price_cache_write")?);
    provider.price = match (input, output) {
        (Some(input), Some(output)) => Some(Price {
            input,
            output,
            // Without a word on caches they cost what is read plainly: rather too much than too little.
            cache_read: read.unwrap_or(input),
            cache_write: write.unwrap_or(input),
        }),
        (None, None) if read.is_none() && write.is_none() => provider.price,
        _ => return Err("`price_in` and `price_out` go together".to_owned()),
    };
    fields.nothing_else()?;
    Ok(provider)
}

/// A variable's name; a key in its place is not repeated.
fn variable_name(name: String) -> Result<String, String> {
    let is_name = name.len() <= 64 && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
    if is_name {
        Ok(name)
    } else {
        Err("`key_env` is the name of a variable, never the key itself".to_owned())
    }
}

struct Fields<'a> {
    table: &'a toml::Table,
    known: Vec<&'static str>,
}

impl Fields<'_> {
    fn get(&mut self, name: &'static str) -> Option<&toml::Value> {
        self.known.push(name);
        self.table.get(name)
    }

    fn text(&mut self, name: &'static str) -> Result<Option<String>, String> {
        match self.get(name) {
            None => Ok(None),
            Some(toml::Value::String(text)) if !text.trim().is_empty() => Ok(Some(text.trim().to_owned())),
            Some(_) => Err(format!("`{name}` is a text")),
        }
    }

    fn flag(&mut self, name: &'static str) -> Result<Option<bool>, String> {
        self.get(name).map(|value| value.as_bool().ok_or(format!("`{name}` is true or false"))).transpose()
    }

    fn number(&mut self, name: &'static str, most: u32) -> Result<Option<u32>, String> {
        let read =
            |value: &toml::Value| u32::try_from(value.as_integer()?).ok().filter(|number| *number <= most);
        self.get(name)
            .map(|value| read(value).ok_or(format!("`{name}` is a whole number up to {most}")))
            .transpose()
    }

    fn money(&mut self, name: &'static str) -> Result<Option<f64>, String> {
        let read = |value: &toml::Value| {
            let number = value.as_float().or(value.as_integer().map(|number| number as f64))?;
            (number.is_finite() && number >= 0.0).then_some(number)
        };
        self.get(name)
            .map(|value| read(value).ok_or(format!("`{name}` is dollars for a million tokens")))
            .transpose()
    }

    fn nothing_else(&self) -> Result<(), String> {
        let unknown = self.table.keys().find(|name| !self.known.contains(&name.as_str()));
        match unknown.map(String::as_str) {
            None => Ok(()),
            Some(name) => Err(format!("`{name}` is not known; there are {}", self.known.join(", "))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::Secret;
    use std::time::Duration;

    struct Set(&'static [(&'static str, &'static str)]);

    impl CallerWorld for Set {
        fn variable(&self, name: &str) -> Option<Secret> {
            self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| Secret::new(value))
        }
        fn keyring(&self, _account: &str) -> Result<Option<Secret>, String> {
            Ok(None)
        }
        fn now_ms(&self) -> i64 {
            0
        }
        fn sleep(&self, _time: Duration, _stop: &dyn Fn() -> bool) -> bool {
            true
        }
        fn random(&self) -> u64 {
            4
        }
    }

    fn price(model: &str) -> Option<Price> {
        (model == "gpt-5.6-terra").then_some(Price {
            input: 2.0,
            output: 12.0,
            cache_read: 0.2,
            cache_write: 2.0,
        })
    }

    #[test]
    fn a_price_of_the_settings_counts_for_another_model_of_that_provider_too() {
        let text = "[mine]\ndialect = 'openai-chat'\nurl = 'https://models.example/v1'\nmodel = 'small'\nprice_in = 1.0\nprice_out = 4.0\n";
        let listing = of(text, &Set(&[]));
        let price_of = |word: &str| listing.named(word, &price).unwrap().price.map(|price| price.output);
        assert_eq!(
            (price_of("mine"), price_of("mine/small"), price_of("mine/large")),
            (Some(4.0), Some(4.0), Some(4.0))
        );
        assert_eq!(price_of("mine/gpt-5.6-terra"), Some(12.0), "where the table knows better, it counts");
    }

    fn of(text: &str, world: &Set) -> Listing {
        list(&text.parse().unwrap(), world, &price)
    }

    #[test]
    fn well_known_variables_make_entries_and_settings_win_over_them() {
        let world = Set(&[("ANTHROPIC_API_KEY", "a"), ("OPENAI_API_KEY", "b"), ("OLLAMA_HOST", "0.0.0.0")]);
        let listing = of("[anthropic]\nmodel = 'claude-opus-5-5'\nkey_keyring = 'me'", &world);
        let told: Vec<(String, String, u8, bool, Origin)> = listing
            .listed
            .iter()
            .map(|one| {
                let provider = &one.provider;
                (
                    provider.label(),
                    provider.url.clone(),
                    provider.class,
                    provider.price.is_some(),
                    one.origin.clone(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (
                    "anthropic/claude-opus-5-5".to_owned(),
                    "https://api.anthropic.com".to_owned(),
                    3,
                    false,
                    Origin::Settings
                ),
                (
                    "openai/gpt-5.6-terra".to_owned(),
                    "https://api.openai.com/v1".to_owned(),
                    2,
                    true,
                    Origin::BuiltIn("OPENAI_API_KEY")
                ),
                (
                    "ollama/".to_owned(),
                    "http://127.0.0.1:11434/v1".to_owned(),
                    0,
                    false,
                    Origin::BuiltIn("OLLAMA_HOST")
                ),
            ]
        );
        // The keyring has nothing: the first one that can be asked is the next, and nobody besides it.
        let chosen = |wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(|&one| one.to_owned()).collect();
            let chosen = listing.chosen(&wanted, &world, &price);
            chosen
                .map(|list| list.iter().map(Provider::label).collect::<Vec<_>>())
                .map_err(|error| error.code())
        };
        assert_eq!(chosen(&[]), Ok(vec!["openai/gpt-5.6-terra".to_owned()]));
        assert_eq!(
            chosen(&["ollama/qwen3-coder", "anthropic"]),
            Ok(vec!["ollama/qwen3-coder".to_owned(), "anthropic/claude-opus-5-5".to_owned()])
        );
        assert_eq!(chosen(&["ollama"]), Err("no_model"));
        assert_eq!(chosen(&["nobody"]), Err("unknown_provider"));
        assert_eq!(of("", &Set(&[])), Listing::default());
    }

    #[test]
    fn an_address_of_a_variable_is_held_to_the_same_rules() {
        let listing = of("", &Set(&[("OLLAMA_HOST", "http://me:secret@models.example")]));
        assert!(listing.listed.is_empty() && listing.problems[0].starts_with("`OLLAMA_HOST`"), "{listing:?}");
        assert!(!listing.problems[0].contains("secret"));
    }

    #[test]
    fn ollamas_address_is_read_as_ollama_reads_it() {
        for (host, want) in [
            ("127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
            ("0.0.0.0:8080", "http://127.0.0.1:8080/v1"),
            ("localhost", "http://localhost:11434/v1"),
            (":9000", "http://127.0.0.1:9000/v1"),
            ("https://models.example/", "https://models.example/v1"),
            ("http://[::1]:11434", "http://[::1]:11434/v1"),
        ] {
            assert_eq!(ollama(host), want, "{host}");
        }
    }

    #[test]
    fn what_is_wrong_is_named_and_a_key_is_never_repeated() {
        let world = Set(&[]);
        let base = "[x]\ndialect = 'openai-chat'\nurl = 'https://x.example/v1'\nmodel = 'm'\n";
        assert_eq!(of(base, &world).listed[0].provider.key, Key::None);
        for (more, want) in [
            ("key = 'sk-secret-1'", "does not belong into a file"),
            ("key_env = 'sk-secret-1'", "never the key itself"),
            ("key_env = 'A'\nkey_keyring = 'b'", "not both"),
            ("nonsense = 1", "`nonsense` is not known"),
            ("class = 10", "`class` is a whole number up to 9"),
            ("price_in = 1", "go together"),
            ("price_in = -1\nprice_out = 2", "dollars for a million"),
            ("tools = 'yes'", "true or false"),
            ("context = -5", "`context`"),
        ] {
            let listing = of(&format!("{base}{more}"), &world);
            assert!(
                listing.listed.is_empty() && listing.problems[0].contains(want),
                "{more}: {:?}",
                listing.problems
            );
            assert!(!listing.problems[0].contains("secret"), "{:?}", listing.problems);
        }
        for (text, want) in [
            ("x = 1", "section of its own"),
            ("[x]", "`dialect` is missing"),
            ("[x]\ndialect = 'gemini'", "not `gemini`"),
            ("[x]\ndialect = 'anthropic'", "`url` is missing"),
            ("[x]\ndialect = 'anthropic'\nurl = 'http://x.example'", "not encrypted"),
            ("[x]\ndialect = 'anthropic'\nurl = 'https://a:secret@x.example'", "no address"),
            ("[x]\ndialect = 'anthropic'\nurl = 'https://x.example'", "`model` is missing"),
            ("['a b']\nmodel = 'm'", "a name has letters"),
            ("[ollama]\ntools = true", "`model` is missing"),
        ] {
            let listing = of(text, &world);
            assert!(
                listing.listed.is_empty() && listing.problems[0].contains(want),
                "{text}: {:?}",
                listing.problems
            );
            assert!(!listing.problems[0].contains("secret"), "{:?}", listing.problems);
        }
        let whole = format!(
            "{base}key_env = 'X_KEY'\ntools = false\ncontext = 8192\nmax_output = 512\nclass = 2\nprice_in = 1\nprice_out = 2.5"
        );
        let provider = &of(&whole, &world).listed[0].provider;
        assert_eq!(
            (provider.tools, provider.context, provider.max_output, provider.class),
            (false, 8192, 512, 2)
        );
        assert_eq!(
            provider.price,
            Some(Price { input: 1.0, output: 2.5, cache_read: 1.0, cache_write: 1.0 })
        );
    }
}
