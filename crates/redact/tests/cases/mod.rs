//! Labelled cases: `@LABEL CLASS [path=…] [as=…]`, a template, `---`. The secret of a case stands between `⟦` and `⟧`.
//!
//! `secret`: a report names it and the gate takes the whole of it. `gate`: the gate takes the whole of it. `harmless`: no report.
//! `plain`: no report, and the gate leaves it byte for byte.

#![allow(dead_code, reason = "each program uses a part of it")]

use vib_redact::template::expand;
use vib_redact::{Gate, PrivacyContext, Scanner};

/// One case, drawn once.
pub struct Case {
    pub label: String,
    pub class: String,
    pub path: Option<String>,
    written: String,
    /// What must be gone behind the gate.
    secrets: Vec<String>,
    /// The text without the marks.
    pub text: String,
}

/// What went wrong with a case.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    pub not_reported: bool,
    pub left_over: bool,
    pub false_alarm: bool,
    pub touched: bool,
}

impl Outcome {
    pub fn is_right(self) -> bool {
        self == Self::default()
    }
}

/// All cases of a file, each drawn `draws` times.
pub fn cases(file: &str, draws: u64) -> Vec<Case> {
    let mut cases = Vec::new();
    for case in file.split("\n---\n") {
        let (head, template) = case.split_once('\n').unwrap_or((case, ""));
        let mut words = head.trim_start_matches('@').split(' ');
        let label = words.next().unwrap_or_default().to_owned();
        let (mut class, mut path, mut written) = (Vec::new(), None, String::new());
        for word in words {
            match word.split_once('=') {
                Some(("path", value)) => path = Some(value.to_owned()),
                Some(("as", value)) => value.clone_into(&mut written),
                _ => class.push(word),
            }
        }
        for seed in 0..draws {
            let marked = expand(template.trim_end_matches('\n'), seed);
            let secrets = marked
                .split('⟦')
                .skip(1)
                .filter_map(|rest| Some(rest.split_once('⟧')?.0.to_owned()))
                .collect();
            let text = marked.replace(['⟦', '⟧'], "");
            let (label, class, path, written) =
                (label.clone(), class.join(" "), path.clone(), written.clone());
            cases.push(Case { label, class, path, written, secrets, text });
        }
    }
    cases
}

/// Tries one case.
pub fn tried(case: &Case) -> Outcome {
    let reported = !Scanner::shared().scan(&case.text, case.path.as_deref()).is_empty();
    match case.label.as_str() {
        "secret" => {
            Outcome { not_reported: !reported, left_over: leaves_something(case), ..Outcome::default() }
        }
        "gate" => Outcome { left_over: leaves_something(case), ..Outcome::default() },
        "plain" => {
            let out = Gate::new(PrivacyContext::default()).clean(&case.text);
            Outcome { false_alarm: reported, touched: out.as_str() != case.text, ..Outcome::default() }
        }
        _ => Outcome { false_alarm: reported, ..Outcome::default() },
    }
}

/// What the gate makes of it, in the form in which it is written.
pub fn cleaned(case: &Case) -> String {
    let input = written(&case.text, &case.written);
    let mut out = String::new();
    let _ = Gate::new(PrivacyContext::default()).clean_stream(input.as_slice(), |clean| {
        out.push_str(clean.as_str());
        Ok(())
    });
    out
}

/// Whether any six characters of the secret in a row are still there, as letters or as their hex digits.
fn leaves_something(case: &Case) -> bool {
    let out = cleaned(case);
    let plain = out.replace([' ', '\n'], "").to_lowercase();
    case.secrets.iter().flat_map(|secret| secret.lines()).any(|secret| {
        let letters: Vec<char> = secret.chars().collect();
        letters.windows(6).map(|six| six.iter().collect::<String>()).any(|six| {
            let hex: String = six.bytes().map(|byte| format!("{byte:02x}")).collect();
            out.contains(&six) || plain.contains(&hex)
        })
    })
}

fn written(text: &str, form: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>();
    let shown = |bytes: &[u8]| -> String {
        bytes.iter().map(|byte| if byte.is_ascii_graphic() { char::from(*byte) } else { '.' }).collect()
    };
    let lines = |line: &dyn Fn(usize, &[u8]) -> String| -> Vec<u8> {
        bytes.chunks(16).enumerate().map(|(at, part)| line(at * 16, part)).collect::<String>().into_bytes()
    };
    match form {
        "utf16le" => [0xff, 0xfe].into_iter().chain(text.encode_utf16().flat_map(u16::to_le_bytes)).collect(),
        "utf16be" => [0xfe, 0xff].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect(),
        "xxd" => lines(&|at, part| {
            let pairs: Vec<String> = hex(part).chunks(2).map(<[String]>::concat).collect();
            format!("{at:08x}: {:<39}  {}\n", pairs.join(" "), shown(part))
        }),
        "hexdump" => lines(&|at, part| {
            let (first, second) = part.split_at(part.len().min(8));
            format!(
                "{at:08x}  {:<23}  {:<23}  |{}|\n",
                hex(first).join(" "),
                hex(second).join(" "),
                shown(part)
            )
        }),
        "hex" => hex(bytes).concat().into_bytes(),
        "entities" => bytes
            .iter()
            .map(|byte| match byte % 3 {
                0 => format!("&#{byte};"),
                1 => format!("&#x{byte:x};"),
                _ => char::from(*byte).to_string(),
            })
            .collect::<String>()
            .into_bytes(),
        _ => bytes.to_vec(),
    }
}
