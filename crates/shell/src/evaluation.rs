//! What bash computes: text that is evaluated as arithmetic runs the commands in its subscripts, `a[$(...)]`, even when it
//! comes out of a variable, a quoted word or the name of a variable.

use crate::value::{Arg, HOLE};
use crate::walk::Walk;

/// Deepest chain of variables that name each other.
const MAX_CHAIN: usize = 8;

/// Variables that bash itself declares as numbers: what they are set to is computed.
const NUMBERS: &[&str] =
    &["RANDOM", "SECONDS", "LINENO", "HISTCMD", "BASHPID", "SRANDOM", "OPTIND", "EPOCHSECONDS"];

impl Walk<'_> {
    /// Text that bash evaluates as arithmetic, or a name of a variable that may have a subscript.
    pub(crate) fn evaluated(&mut self, text: &str) {
        let mut seen = Vec::new();
        self.evaluated_once(text, &mut seen);
    }

    fn evaluated_once(&mut self, text: &str, seen: &mut Vec<String>) {
        if seen.len() >= MAX_CHAIN || text.len() > 16 * 1024 || seen.iter().any(|old| old == text) {
            return;
        }
        seen.push(text.to_owned());
        if text.contains('[') && (text.contains("$(") || text.contains('`') || text.contains("${")) {
            // Quotes do not stop it: bash takes them off before it evaluates.
            let plain: String = text.chars().filter(|c| !matches!(*c, '"' | '\'' | HOLE)).collect();
            self.expand_whole(&format!("\"{plain}\""));
        }
        let names: Vec<String> = text
            .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
            .take(32)
            .map(str::to_owned)
            .collect();
        for name in names {
            let values = self.vars.get(&name).cloned().unwrap_or_default();
            for value in values
                .iter()
                .filter(|value| value.text.contains(|c: char| c.is_ascii_alphabetic() || c == '_'))
            {
                self.evaluated_once(&value.text, seen);
            }
        }
    }

    /// The name of a variable, as given to `read`, `printf -v`, `unset`, `test -v`: a subscript in it is evaluated.
    pub(crate) fn evaluated_name(&mut self, name: &str) {
        if name.contains('[') {
            self.evaluated(name);
        }
    }

    /// A variable is set that may be a number: then its value is computed.
    pub(crate) fn computed_if_number(&mut self, name: &str, value: &Arg) {
        if NUMBERS.contains(&name) || self.integers.iter().any(|number| number == name) {
            self.evaluated(&value.text);
        }
    }

    /// The variable that a name stands for: `declare -n`.
    pub(crate) fn real_name(&self, name: &str) -> String {
        let mut name = name;
        for _ in 0..MAX_CHAIN {
            match self.namerefs.get(name) {
                Some(target) => name = target,
                None => break,
            }
        }
        name.to_owned()
    }
}
