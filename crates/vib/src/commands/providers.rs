//! `vib providers`

use std::sync::atomic::Ordering;
use std::time::Instant;

use engine::report::prices;
use engine::{Engine, Error, Result};
use providers::settings::{Listing, Origin};
use providers::{
    Caller, Happening, Key, Machine, Message, NoLimit, Policy, Price, Provider, Question, Role, Stopped,
    Tool, Usage, World, capabilities, codes,
};
use serde::Serialize;

use super::bisect::stop_on_signals;
use crate::answer::{Answer, Refused};
use crate::cli::Session;
use crate::render;

/// The models that vib's own loop can ask: list them, try one, read the rules
///
/// Providers are those of your settings (`[run.providers.NAME]`) and those whose well-known variable is set: ANTHROPIC_API_KEY, OPENAI_API_KEY, OLLAMA_HOST.
/// Keys stay where they are, in variables or in the system's keyring; vib writes them nowhere.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Those there are: model, class, whether the key is there, what is known of the price
    List,
    /// Ask one of them a tiny question, for real; says what is wrong, and what would be done about it
    Check {
        /// Its name, or NAME/MODEL
        name: String,
    },
    /// What is done when a model does not answer, in plain words
    Explain,
}

/// What `vib providers` says.
#[derive(Debug, Serialize)]
pub(crate) struct ProvidersReport {
    pub(crate) providers: Vec<ProviderLine>,
    /// What is wrong in the settings.
    pub(crate) problems: Vec<String>,
    /// Those that are asked, in their order, as `name/model`.
    pub(crate) order: Vec<String>,
    pub(crate) allow_weaker: bool,
    /// When the table of models was last compared with its source.
    pub(crate) models_as_of: &'static str,
    pub(crate) models_from: &'static str,
    pub(crate) prices_as_of: &'static str,
}

/// One provider.
#[derive(Debug, Serialize)]
pub(crate) struct ProviderLine {
    pub(crate) name: String,
    pub(crate) dialect: &'static str,
    pub(crate) url: String,
    /// None: nobody named one.
    pub(crate) model: Option<String>,
    /// None: unknown.
    pub(crate) class: Option<u8>,
    pub(crate) tools: bool,
    pub(crate) context: u32,
    pub(crate) max_output: u32,
    pub(crate) key: KeyLine,
    /// Dollars for a million tokens.
    pub(crate) price: Option<Price>,
    /// `settings`, or the variable that makes it one.
    pub(crate) from: String,
}

/// A key: where it is, and whether it is there. Never the key.
#[derive(Debug, Serialize)]
pub(crate) struct KeyLine {
    /// `variable`, `keyring` or `none`.
    pub(crate) kind: &'static str,
    pub(crate) name: Option<String>,
    pub(crate) present: bool,
    /// Why that cannot be said.
    pub(crate) problem: Option<String>,
}

/// What `vib providers check` says.
#[derive(Debug, Serialize)]
pub(crate) struct CheckReport {
    pub(crate) provider: String,
    pub(crate) answers: bool,
    /// The model that answered, as the server names it.
    pub(crate) model: Option<String>,
    /// What it said, cleaned.
    pub(crate) text: Option<String>,
    pub(crate) milliseconds: u64,
    pub(crate) usage: Option<Usage>,
    pub(crate) dollars: Option<f64>,
    /// What happened on the way, as codes.
    pub(crate) happened: Vec<String>,
    pub(crate) code: Option<String>,
    /// `retry`, `switch`, `adapt` or `fatal`: what would be done about it in a run.
    pub(crate) class: Option<&'static str>,
    pub(crate) message: Option<String>,
    pub(crate) next: Option<String>,
}

/// What `vib providers explain` says.
#[derive(Debug, Serialize)]
pub(crate) struct ExplainReport {
    pub(crate) attempts: u32,
    pub(crate) longest_wait_seconds: u64,
    pub(crate) connect_seconds: u64,
    pub(crate) first_byte_seconds: u64,
    pub(crate) idle_seconds: u64,
    pub(crate) whole_seconds: u64,
    pub(crate) notice_percent: u32,
    pub(crate) faults: Vec<FaultLine>,
    pub(crate) settings_file: Option<String>,
    /// How a key gets into the keyring of this system.
    pub(crate) keyring: Option<String>,
}

/// One code.
#[derive(Debug, Serialize)]
pub(crate) struct FaultLine {
    pub(crate) code: &'static str,
    pub(crate) class: &'static str,
    pub(crate) meaning: &'static str,
}

pub(crate) fn run(args: &Args, session: &mut Session) -> Result<Answer> {
    let engine = session.engine_for_settings()?;
    match &args.command {
        None | Some(Command::List) => list(&engine, session),
        Some(Command::Check { name }) => check(&engine, name, session),
        Some(Command::Explain) => Ok(explain(&engine, session)),
    }
}

/// The engine's table of prices, as providers want it.
pub(crate) fn price(model: &str) -> Option<Price> {
    prices::per_million(model).map(|price| Price {
        input: price.input,
        output: price.output,
        cache_read: price.cache_read,
        cache_write: price.cache_write,
    })
}

/// The providers of this person; `listing.chosen(names, world, &price)` are those that are asked.
pub(crate) fn listing(engine: &Engine, world: &dyn World) -> Listing {
    providers::settings::list(engine.project().config().providers(), world, &price)
}

fn list(engine: &Engine, session: &Session) -> Result<Answer> {
    let world = Machine::new(engine.context());
    let listing = listing(engine, &world);
    let config = engine.project().config();
    let mut problems = listing.problems.clone();
    let order = match listing.chosen(config.list("run.provider"), &world, &price) {
        Ok(chosen) => chosen.iter().map(Provider::label).collect(),
        Err(error) => {
            problems.push(format!("`run.provider`: {error}; {}", error.next()));
            Vec::new()
        }
    };
    let line = |listed: &providers::settings::Listed| {
        let provider = &listed.provider;
        ProviderLine {
            name: provider.name.clone(),
            dialect: provider.dialect.word(),
            url: provider.url.clone(),
            model: Some(provider.model.clone()).filter(|model| !model.is_empty()),
            class: Some(provider.class).filter(|class| *class > 0),
            tools: provider.tools,
            context: provider.context,
            max_output: provider.max_output,
            key: key_line(&provider.key, &world),
            price: provider.price,
            from: match listed.origin {
                Origin::Settings => "settings".to_owned(),
                Origin::BuiltIn(variable) => variable.to_owned(),
            },
        }
    };
    let report = ProvidersReport {
        providers: listing.listed.iter().map(line).collect(),
        problems,
        order,
        allow_weaker: config.flag("run.allow_weaker"),
        models_as_of: capabilities::DATE,
        models_from: capabilities::SOURCES,
        prices_as_of: prices::DATE,
    };
    Ok(Answer::new(&session.printer, &report, render::providers))
}

fn key_line(key: &Key, world: &dyn World) -> KeyLine {
    let (kind, name, present) = match key {
        Key::None => ("none", None, Ok(true)),
        Key::Variable(name) => ("variable", Some(name.clone()), Ok(world.variable(name).is_some())),
        Key::Keyring(account) => {
            ("keyring", Some(account.clone()), world.keyring(account).map(|key| key.is_some()))
        }
    };
    KeyLine { kind, name, present: present == Ok(true), problem: present.err() }
}

fn check(engine: &Engine, name: &str, session: &Session) -> Result<Answer> {
    let world = Machine::new(engine.context());
    let found = listing(engine, &world).named(name, &price);
    let provider = found.map_err(|error| Error::Usage(format!("{error}; {}", error.next())))?;
    let label = provider.label();
    let question = tiny_question(provider.tools);
    // What it is asked is one word: nobody waits for minutes here. Whatever answers is told, so a weaker model needs no consent.
    let second = std::time::Duration::from_secs;
    let policy = Policy {
        allow_weaker: true,
        first_byte: second(60),
        idle: second(30),
        whole: second(90),
        ..Policy::default()
    };
    let stopped = stop_on_signals();
    let stop = || stopped.load(Ordering::Relaxed);
    let mut happened = Vec::new();
    let mut tell = |happening: Happening| match happening {
        Happening::Retry { code, .. } => happened.push(format!("retry {code}")),
        Happening::Switched { to, why, .. } => happened.push(format!("{why} {to}")),
        Happening::Adapted { what } => happened.push(what),
        Happening::Text(_) | Happening::Charged { .. } => {}
    };
    let began = Instant::now();
    let result = Caller::new(vec![provider], &world, policy).ask(&question, &mut tell, &mut NoLimit, &stop);
    let milliseconds = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut gate = engine.own_gate();
    let mut clean = |text: &str| gate.clean(text).into_string();
    let mut report = CheckReport {
        provider: label,
        answers: result.is_ok(),
        model: None,
        text: None,
        milliseconds,
        usage: None,
        dollars: None,
        happened: happened.iter().map(|line| clean(line)).collect(),
        code: None,
        class: None,
        message: None,
        next: None,
    };
    match result {
        Ok(reply) => {
            let words = reply.parts.iter().find_map(|part| match part {
                providers::Part::Text(text) => Some(text.chars().take(200).collect::<String>()),
                _ => None,
            });
            report.model = Some(clean(&reply.model));
            report.text = words.map(|text| clean(&text));
            report.usage = Some(reply.usage);
            report.dollars = reply.dollars;
            Ok(Answer::new(&session.printer, &report, render::provider_checked))
        }
        Err(why) => {
            let refused = told(&mut report, &why, &mut clean);
            Ok(Answer::refused(&session.printer, &report, refused, render::provider_checked))
        }
    }
}

fn told(report: &mut CheckReport, why: &Stopped, clean: &mut dyn FnMut(&str) -> String) -> Refused {
    report.code = Some(why.code().to_owned());
    report.class = codes::class(why.code());
    report.message = Some(clean(&why.message()));
    report.next = Some(why.next());
    Refused { code: "provider_does_not_answer", message: clean(&why.message()), next: why.next() }
}

/// As small as a question can be that still shows whether tools are taken.
fn tiny_question(tools: bool) -> Question {
    let tool = Tool {
        name: "nothing".to_owned(),
        description: "Does nothing. Do not call it.".to_owned(),
        schema: serde_json::json!({"type": "object", "properties": {}}),
    };
    Question {
        system: String::new(),
        messages: vec![Message::text(Role::User, "Answer with the one word: ready")],
        tools: if tools { vec![tool] } else { Vec::new() },
        max_output: 64,
    }
}

fn explain(engine: &Engine, session: &Session) -> Answer {
    let policy = Policy::default();
    let file = engine.context().config().map(project::config::user_file);
    let fault = |(code, class, meaning): &codes::FaultRow| FaultLine { code, class, meaning };
    let report = ExplainReport {
        attempts: policy.attempts,
        longest_wait_seconds: policy.longest_wait.as_secs(),
        connect_seconds: policy.connect.as_secs(),
        first_byte_seconds: policy.first_byte.as_secs(),
        idle_seconds: policy.idle.as_secs(),
        whole_seconds: policy.whole.as_secs(),
        notice_percent: providers::ledger::NOTICE,
        faults: codes::FAULTS.iter().map(fault).collect(),
        settings_file: file.map(|file| file.display().to_string()),
        keyring: providers::keyring::how_to_put("NAME"),
    };
    Answer::new(&session.printer, &report, render::providers_explained)
}
