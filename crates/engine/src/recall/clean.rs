//! Memories pass the gate once, when they are folded into the index, and not again with every answer: what lies in the index
//! is the gate's own output, with its counts and the name of the gate. What was not folded yet, or passed another gate (other
//! settings, another vib), passes with the answer.

use std::cell::RefCell;

use ::memory::recall::Document;
use redact::{Counts, Gate};
use serde::{Deserialize, Serialize};
use store::{ContentHash, Phase, Progress};

use crate::{Engine, redaction};

/// Stands between two fields that pass the gate together.
const BETWEEN: &str = " \u{1f} ";

/// That a memory passed, and what was taken out.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Passed {
    gate: String,
    secrets: usize,
    private: usize,
    summarised: usize,
    withheld: bool,
}

impl Passed {
    /// What was taken out, if it was this gate.
    pub(super) fn counts(&self, gate: &str) -> Option<Counts> {
        let Self { secrets, private, summarised, withheld, .. } = *self;
        (self.gate == gate).then_some(Counts { secrets, private, summarised, withheld })
    }
}

/// The name of the gate in force: it changes with the settings and with vib.
pub(super) fn gate_name(engine: &Engine) -> String {
    let private = redaction::private(engine.context(), engine.project().root(), engine.project().config());
    let rules = redact::Scanner::shared().rules().len();
    let all = format!("{} {rules} {private:?}", env!("CARGO_PKG_VERSION"));
    ContentHash::of(all.as_bytes()).to_hex()[..16].to_owned()
}

/// Cleans memories on their way into the index.
pub(super) struct Cleaner<'p> {
    progress: &'p dyn Progress,
    gate: RefCell<Option<Gate>>,
    make: Box<dyn Fn() -> (Gate, String)>,
    name: RefCell<String>,
}

impl<'p> Cleaner<'p> {
    /// Tells how many memories went through.
    pub(super) fn new(engine: &Engine, progress: &'p dyn Progress) -> Self {
        let private =
            redaction::private(engine.context(), engine.project().root(), engine.project().config());
        let name = gate_name(engine);
        let make = Box::new(move || (Gate::new(private.clone()), name.clone()));
        Self { progress, gate: RefCell::new(None), make, name: RefCell::new(String::new()) }
    }

    pub(super) fn clean(&self, document: &mut Document) {
        let mut gate = self.gate.borrow_mut();
        let gate = gate.get_or_insert_with(|| {
            let (gate, name) = (self.make)();
            self.name.replace(name);
            self.progress.begin(Phase::Indexing, None);
            gate
        });
        self.progress.advance(1);
        let Ok(mut note) = serde_json::from_str::<serde_json::Value>(&document.note) else { return };
        let mut counts = Counts::default();
        let [by, origin] = ["by", "ref"].map(|name| note[name].as_str().map(str::to_owned));
        let mut fields: Vec<&str> = vec![&document.text, &document.class];
        let optional = [by.as_deref(), document.session.as_deref(), origin.as_deref()];
        fields.extend(optional.map(Option::unwrap_or_default));
        fields.extend(document.paths.iter().map(String::as_str));
        let mut clean = cleaned(&fields, gate, &mut counts).into_iter();
        let mut next = || clean.next().unwrap_or_default();
        (document.text, document.class) = (next(), next());
        // A field that is not there passes as an empty one.
        let (clean_by, clean_session, clean_origin) = (next(), next(), next());
        note["by"] = by.map(|_| clean_by).into();
        document.session = document.session.take().map(|_| clean_session);
        if origin.is_some() {
            note["ref"] = clean_origin.into();
        }
        for path in &mut document.paths {
            *path = next();
        }
        let Counts { secrets, private, summarised, withheld } = counts;
        let passed = Passed { gate: self.name.borrow().clone(), secrets, private, summarised, withheld };
        note["passed"] = serde_json::to_value(passed).unwrap_or_default();
        document.note = note.to_string();
    }
}

/// Fields that passed the gate: in one go if they come out as many as they went in, or else one by one.
pub(super) fn cleaned(fields: &[&str], gate: &mut Gate, counts: &mut Counts) -> Vec<String> {
    if !fields.iter().any(|field| field.contains('\u{1f}')) {
        let whole = gate.clean(&fields.join(BETWEEN));
        let parts: Vec<String> = whole.as_str().split(BETWEEN).map(str::to_owned).collect();
        if parts.len() == fields.len() {
            counts.add(whole.counts());
            return parts;
        }
    }
    let each = fields.iter().map(|field| {
        let clean = gate.clean(field);
        counts.add(clean.counts());
        clean.into_string()
    });
    each.collect()
}
