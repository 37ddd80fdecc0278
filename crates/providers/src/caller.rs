//! Asks one question: again, somebody else, differently, or not at all.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::time::Duration;

use crate::choose::{Choice, choose};
use crate::dialect::{self, Manner};
use crate::draft::Draft;
use crate::exchange::{Listener, Outcome, exchange};
use crate::fault::{Adaptation, Class, Fault};
use crate::happening::{Happening, Stopped};
use crate::http::Way;
use crate::model::{Dialect, End, Key, ModelQuestion, Part, Provider, Reply, TokenUsage};
use crate::policy::Policy;
use crate::purse::Purse;
use crate::secret::Secret;
use crate::world::CallerWorld;
use crate::{estimate, shorten, substitute};

/// Asks the providers of a person, in their order. Not `Debug`: the world may hold keys.
pub struct Caller<'world> {
    providers: Vec<Provider>,
    /// How each wants to be asked, as far as it complained.
    manners: Vec<Manner>,
    world: &'world dyn CallerWorld,
    policy: Policy,
    current: usize,
    /// Models that answered in place of others, and were told.
    told: BTreeSet<(String, String)>,
}

/// Why a provider is left.
enum Left {
    Stopped(Stopped),
    Fault { fault: Fault, failures: u32 },
}

impl From<Stopped> for Left {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

/// What goes along while one question is asked.
struct Asking<'a> {
    question: Cow<'a, ModelQuestion>,
    was_shortened: bool,
    tell: RefCell<&'a mut dyn FnMut(Happening)>,
    purse: &'a mut dyn Purse,
    stop: &'a dyn Fn() -> bool,
}

impl Asking<'_> {
    fn tell(&self, happening: Happening) {
        (self.tell.borrow_mut())(happening);
    }

    /// Leaves old results of tools out, once. `false`: there is nothing to leave out, or it was done already.
    fn shorten(&mut self, target: u64) -> bool {
        if self.was_shortened {
            return false;
        }
        let Some(shorter) = shorten::shorten(&self.question, target) else { return false };
        self.question = Cow::Owned(shorter);
        self.was_shortened = true;
        self.tell(Happening::Adapted { what: Adaptation::Shorten.word().to_owned() });
        true
    }
}

impl<'world> Caller<'world> {
    /// The first provider is asked first, the others when it cannot answer.
    pub fn new(providers: Vec<Provider>, world: &'world dyn CallerWorld, policy: Policy) -> Self {
        let manners = vec![Manner::default(); providers.len()];
        Self { providers, manners, world, policy, current: 0, told: BTreeSet::new() }
    }

    /// Who answers now.
    pub fn current(&self) -> Option<&Provider> {
        self.providers.get(self.current)
    }

    /// A person agreed to a weaker model.
    pub fn allow_weaker(&mut self) {
        self.policy.allow_weaker = true;
    }

    /// Asks. `tell` hears everything that happens meanwhile; `stop` is looked at several times a second.
    pub fn ask(
        &mut self,
        question: &ModelQuestion,
        tell: &mut dyn FnMut(Happening),
        purse: &mut dyn Purse,
        stop: &dyn Fn() -> bool,
    ) -> Result<Reply, Stopped> {
        if self.providers.is_empty() {
            return Err(Stopped::NoProvider);
        }
        let mut asking = Asking {
            question: Cow::Borrowed(question),
            was_shortened: false,
            tell: RefCell::new(tell),
            purse,
            stop,
        };
        let mut tried = BTreeSet::new();
        loop {
            match self.ask_current(&mut asking) {
                Ok(reply) => return Ok(reply),
                Err(Left::Stopped(stopped)) => return Err(stopped),
                Err(Left::Fault { fault, failures }) => {
                    tried.insert(self.current);
                    self.switch(&fault, failures, &tried, &asking)?;
                }
            }
        }
    }

    /// Asks the current provider until it answers or has to be left.
    fn ask_current(&mut self, asking: &mut Asking<'_>) -> Result<Reply, Left> {
        let mut failures = 0;
        loop {
            let fault = match self.call(asking) {
                Ok(reply) => return Ok(reply),
                Err(Left::Stopped(stopped)) => return Err(Left::Stopped(stopped)),
                Err(Left::Fault { fault, .. }) => fault,
            };
            match fault.class {
                Class::Adapt(adaptation) => self.adapt(adaptation, fault, asking)?,
                Class::Again => {
                    failures += 1;
                    let wait = self.wait(failures, &fault);
                    let Some(after) = wait.filter(|_| failures < self.policy.attempts) else {
                        return Err(Left::Fault { fault, failures });
                    };
                    asking.tell(Happening::Retry { code: fault.code.to_owned(), after });
                    if !self.world.sleep(after, asking.stop) {
                        return Err(Stopped::Cancelled.into());
                    }
                }
                Class::Switch | Class::Fatal => return Err(Left::Fault { fault, failures: failures + 1 }),
            }
        }
    }

    /// How long to wait before the next try; none: longer than anybody should.
    fn wait(&self, failures: u32, fault: &Fault) -> Option<Duration> {
        let random = self.world.random();
        match fault.wait {
            Some(wait) if wait > self.policy.longest_wait => None,
            // Not all at once, when many were sent away together.
            Some(wait) => Some(wait + Duration::from_millis(random % 250)),
            None => {
                let plain = self.policy.first_wait.saturating_mul(1 << failures.saturating_sub(1).min(16));
                let share = 0.75 + (random % 1000) as f64 / 2000.0;
                Some(plain.mul_f64(share).min(self.policy.longest_wait))
            }
        }
    }

    fn adapt(&mut self, adaptation: Adaptation, fault: Fault, asking: &mut Asking<'_>) -> Result<(), Left> {
        if adaptation == Adaptation::Shorten {
            let context = self.providers.get(self.current).map_or(0, |provider| u64::from(provider.context));
            let now = estimate::question(&asking.question);
            // The server knows better what fits: clearly less than what it refused.
            let target = if context == 0 { now } else { now.min(context) } * 3 / 5;
            let fault = Fault { class: Class::Switch, ..fault };
            return if asking.shorten(target) { Ok(()) } else { Err(Left::Fault { fault, failures: 1 }) };
        }
        let is_chat = self.providers.get(self.current).is_some_and(|one| one.dialect == Dialect::OpenAiChat);
        // Only the chat dialect has other names, and asks a stream for what it took.
        let can = is_chat || adaptation == Adaptation::WithoutStream;
        let manner = self.manners.get_mut(self.current).filter(|_| can);
        let known = manner.map(|manner| match adaptation {
            Adaptation::WithoutStream => std::mem::replace(&mut manner.without_stream, true),
            Adaptation::WithoutStreamUsage => std::mem::replace(&mut manner.without_stream_usage, true),
            Adaptation::OtherNameOfLimit => std::mem::replace(&mut manner.other_name_of_limit, true),
            Adaptation::Shorten => true,
        });
        if known != Some(false) {
            // It complains about what it does not get any more.
            let fault = Fault { class: Class::Fatal, code: "malformed_request", ..fault };
            return Err(Left::Fault { fault, failures: 1 });
        }
        asking.tell(Happening::Adapted { what: adaptation.word().to_owned() });
        Ok(())
    }

    /// One call: reserved, made, settled.
    fn call(&mut self, asking: &mut Asking<'_>) -> Result<Reply, Left> {
        if (asking.stop)() {
            return Err(Stopped::Cancelled.into());
        }
        let left = |fault| Left::Fault { fault, failures: 1 };
        let (Some(provider), Some(manner)) =
            (self.providers.get(self.current), self.manners.get(self.current))
        else {
            return Err(Stopped::NoProvider.into());
        };
        if asking.question.needs_tools() && !provider.tools {
            return Err(left(Fault::new(Class::Switch, "tools_unsupported")));
        }
        let key = key(provider, self.world).map_err(left)?;
        let limit = u64::from(dialect::limit(provider, &asking.question));
        let room = u64::from(provider.context).saturating_sub(limit);
        if provider.context > 0 && estimate::question(&asking.question) > room {
            asking.shorten(room);
        }
        let estimated = estimate::question(&asking.question);
        let most = TokenUsage { input: estimated, output: limit, ..TokenUsage::default() };
        let dollars = |usage: &TokenUsage| provider.price.map(|price| price.of(usage));
        asking.purse.reserve(most.tokens(), dollars(&most)).map_err(Stopped::OverBudget)?;

        let request = dialect::request(provider, &asking.question, key, *manner);
        let mut refused = None;
        let outcome = {
            let mut model = |answered: &str| {
                let Some(lost) = substitute::lost(provider, answered) else { return true };
                if !lost.is_empty() && !self.policy.allow_weaker {
                    refused = Some((answered.to_owned(), lost));
                    return false;
                }
                let to = format!("{}/{answered}", provider.name);
                if self.told.insert((provider.label(), to.clone())) {
                    let why = "substituted".to_owned();
                    asking.tell(Happening::Switched { from: provider.label(), to, why, lost });
                }
                true
            };
            let mut text = |text| asking.tell(Happening::Text(text));
            let mut listener = Listener { model: &mut model, text: &mut text, stop: asking.stop };
            let way = way(self.world);
            exchange(request, provider.dialect, way, &self.policy, self.world.now_ms(), &mut listener)
        };

        let charged = match &outcome {
            Outcome::Answered(draft) | Outcome::CutBehindCall(draft) | Outcome::Unwanted(draft) => {
                Some(draft)
            }
            Outcome::Failed(_, draft) | Outcome::Stopped(draft) => draft.as_ref(),
        };
        let (usage, is_estimate) = charged.map(|draft| draft.taken(estimated)).unwrap_or_default();
        let dollars = dollars(&usage);
        asking.purse.settle(&usage, dollars);
        let is_answer = matches!(outcome, Outcome::Answered(_) | Outcome::CutBehindCall(_));
        if let Some(draft) = charged.filter(|_| !is_answer && usage.tokens() > 0) {
            let model = draft.model.clone().unwrap_or_else(|| provider.model.clone());
            asking.tell(Happening::Charged { provider: provider.name.clone(), model, usage, dollars });
        }

        let reply = |draft: Draft, end: End| Reply {
            end,
            usage,
            is_estimate,
            dollars,
            model: draft.model.clone().unwrap_or_else(|| provider.model.clone()),
            provider: provider.name.clone(),
            parts: draft.parts(self.world.random()),
        };
        match outcome {
            Outcome::Answered(draft) => {
                let end = draft.end.unwrap_or(End::Finished);
                let mut reply = reply(draft, end);
                // A server that announces calls and makes none is done.
                if end == End::Calls && !reply.parts.iter().any(|part| matches!(part, Part::Call { .. })) {
                    reply.end = End::Finished;
                }
                Ok(reply)
            }
            Outcome::CutBehindCall(draft) => {
                asking.tell(Happening::Adapted { what: "cut_behind_call".to_owned() });
                Ok(reply(draft, End::Calls))
            }
            Outcome::Failed(fault, _) => Err(left(fault)),
            Outcome::Stopped(_) => Err(Stopped::Cancelled.into()),
            Outcome::Unwanted(_) => {
                let (answered, lost) = refused.unwrap_or_default();
                let to = format!("{}/{answered}", provider.name);
                Err(Stopped::NeedsConsent { from: provider.label(), to, why: "substituted".to_owned(), lost }
                    .into())
            }
        }
    }

    /// Goes on with somebody else, if somebody else can answer and is not weaker, or the person agreed.
    fn switch(
        &mut self,
        fault: &Fault,
        failures: u32,
        tried: &BTreeSet<usize>,
        asking: &Asking<'_>,
    ) -> Result<(), Stopped> {
        let Some(from) = self.providers.get(self.current) else { return Err(Stopped::NoProvider) };
        let has_key = |provider: &Provider| key(provider, self.world).is_ok();
        let choice = if fault.class == Class::Fatal {
            Choice::Nobody
        } else {
            choose(&self.providers, self.current, tried, &asking.question, fault.code, &has_key)
        };
        match choice {
            Choice::To { at, told, lost } => {
                let Some(to) = self.providers.get(at) else { return Err(Stopped::NoProvider) };
                let (from, to, why) = (from.label(), to.label(), fault.code.to_owned());
                if !lost.is_empty() && !self.policy.allow_weaker {
                    return Err(Stopped::NeedsConsent { from, to, why, lost });
                }
                let lost = lost.into_iter().chain(told).collect();
                asking.tell(Happening::Switched { from, to, why, lost });
                self.current = at;
                Ok(())
            }
            Choice::Nobody => Err(Stopped::Fatal {
                code: fault.code.to_owned(),
                message: fault.message(&from.label(), failures),
                next: fault.next(&from.name),
            }),
        }
    }
}

/// The key of a provider, from where the person said it is.
pub(crate) fn key(provider: &Provider, world: &dyn CallerWorld) -> Result<Option<Secret>, Fault> {
    let missing = |place: &str| Fault::new(Class::Switch, "key_missing").saying(place);
    let found = match &provider.key {
        Key::None => return Ok(None),
        Key::Variable(name) => {
            world.variable(name).ok_or_else(|| missing(&format!("the variable `{name}` is not set")))?
        }
        Key::Keyring(account) => world
            .keyring(account)
            .map_err(|why| Fault::new(Class::Switch, "keyring").saying(&why))?
            .ok_or_else(|| {
                missing(&format!(
                    "the keyring has nothing for the service `vibelign` and the account `{account}`"
                ))
            })?,
    };
    if found.is_usable() { Ok(Some(found)) } else { Err(Fault::new(Class::Switch, "key_unusable")) }
}

fn way(world: &dyn CallerWorld) -> Way {
    let either = |names: [&str; 3]| names.iter().find_map(|name| world.variable(name));
    Way {
        proxy: either(["HTTPS_PROXY", "https_proxy", "ALL_PROXY"]),
        no_proxy: either(["NO_PROXY", "no_proxy", "NO_PROXY"]),
    }
}
