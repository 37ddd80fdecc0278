//! Does it help? Failures whose fix was told, against those whose fix was held back on purpose: how many passed at the next try. (M3, M4)
//!
//! Only what was told counts as told. With few cases the interval is wide, and then nothing is concluded.

use ::memory::learn::interval::{Share, difference};
use ::memory::log::Event;
use serde::Serialize;
use serde_json::Value;

use super::use_of;
use crate::memory::project_log;
use crate::{Engine, Result};

/// What is known about use.
#[derive(Debug, Clone, Serialize)]
pub struct Help {
    /// Failures whose fix was told: passed at the next try, and all.
    pub told: Share,
    /// The same for those whose fix was held back.
    pub held_back: Share,
    /// How much more often it passed at the next try when it was told: lowest and highest, with 95 % confidence; none: too few to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<(f64, f64)>,
    /// Sayings of the person that were told: applied to something the agent then did, and all (each once a session).
    pub sayings: Share,
    /// In so many sessions of a hundred, nothing that vib learnt is told.
    pub hold_out_percent: u64,
    /// One sentence.
    pub sentence: String,
}

/// Fewer cases than this on one side say nothing.
const LEAST: u64 = 8;

/// What the log says about it.
pub fn help(engine: &Engine) -> Result<Help> {
    let (mut told, mut held_back) = (Share::default(), Share::default());
    for event in project_log(engine).read()?.events.iter().filter(|event| event.kind == super::fixes::MENDED)
    {
        let Some((was_held_back, at_once)) = case(event) else { continue };
        let side = if was_held_back { &mut held_back } else { &mut told };
        side.all += 1;
        side.yes += u64::from(at_once);
    }
    let mut sayings = Share::default();
    for used in use_of::all(engine).values() {
        sayings.all += u64::from(used.told);
        sayings.yes += u64::from(used.applied.min(used.told));
    }
    let gain = (told.all >= LEAST && held_back.all >= LEAST).then(|| difference(told, held_back));
    let hold_out_percent = engine.project().config().number("memory.hold_out");
    let sentence = sentence(told, held_back, gain, sayings, hold_out_percent);
    Ok(Help { told, held_back, gain, sayings, hold_out_percent, sentence })
}

/// A failure for which a fix was known: whether it was held back, and whether the next try passed.
fn case(event: &Event) -> Option<(bool, bool)> {
    event.body.get("told")?.as_str()?;
    let held_back = event.body.get("held_back") == Some(&Value::Bool(true));
    Some((held_back, event.body.get("again").and_then(Value::as_u64).unwrap_or(0) == 0))
}

fn sentence(
    told: Share,
    held_back: Share,
    gain: Option<(f64, f64)>,
    sayings: Share,
    hold_out: u64,
) -> String {
    let percent = |share: f64| (share * 100.0).round();
    let rules = if sayings.all == 0 {
        "Nothing that you said in a chat was told yet.".to_owned()
    } else {
        format!(
            "What you said was told {} times, and {} times the agent then did something that it is about.",
            sayings.all, sayings.yes
        )
    };
    let fixes = match (told.all, gain) {
        (0, _) => "No known fix was told yet.".to_owned(),
        (_, None) => format!(
            "A known fix was told {} times, and {} times the next try passed; {} times it was held back to compare. That is too few \
             to say whether telling helps{}.",
            told.all,
            told.yes,
            held_back.all,
            if hold_out == 0 { " (comparing is switched off: `memory.hold_out` is 0)" } else { "" }
        ),
        (_, Some((low, high))) => {
            let verdict = if low > 0.0 {
                "telling helps"
            } else if high < 0.0 {
                "telling does harm: `vib memory drop ID` takes single ones back"
            } else {
                "whether telling helps cannot be said yet"
            };
            format!(
                "When a known fix was told, the next try passed in {} of {} cases; when it was held back, in {} of {}. The difference \
                 is between {} and {} points (95 %): {verdict}.",
                told.yes,
                told.all,
                held_back.yes,
                held_back.all,
                percent(low),
                percent(high)
            )
        }
    };
    format!("{rules} {fixes}")
}
