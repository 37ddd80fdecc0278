//! Splits a program's arguments into options and words, as most programs do.

use crate::value::Arg;

/// A program's arguments, sorted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    /// Options as written and, for clusters like `-rf`, one by one; with their value where one is known to follow.
    pub flags: Vec<(String, Option<Arg>)>,
    /// Everything else.
    pub words: Vec<Arg>,
    /// Position in the arguments of each word.
    pub at: Vec<usize>,
}

impl Options {
    /// Sorts `args`; `valued` lists the options that take a value.
    pub(crate) fn of(args: &[Arg], valued: &[&str]) -> Self {
        let mut sorted = Self::default();
        let mut n = 0;
        let mut only_words = false;
        while n < args.len() {
            let arg = &args[n];
            let text = arg.text.as_str();
            if only_words || !text.starts_with('-') || text == "-" {
                sorted.words.push(arg.clone());
                sorted.at.push(n);
            } else if text == "--" {
                only_words = true;
            } else if let Some(long) = text.strip_prefix("--") {
                match long.split_once('=') {
                    Some((name, value)) => {
                        sorted.flags.push((format!("--{name}"), Some(arg.with_text(value))));
                    }
                    // A shortened option takes its value too.
                    None if valued.contains(&text)
                        || text.len() >= 5 && valued.iter().any(|name| name.starts_with(text)) =>
                    {
                        n += 1;
                        sorted.flags.push((text.to_owned(), args.get(n).cloned()));
                    }
                    None => sorted.flags.push((text.to_owned(), None)),
                }
            } else {
                n += sorted.short(arg, args.get(n + 1), valued);
            }
            n += 1;
        }
        sorted
    }

    /// A cluster of short options; returns how many further arguments it used.
    fn short(&mut self, arg: &Arg, next: Option<&Arg>, valued: &[&str]) -> usize {
        let text = arg.text.as_str();
        if valued.contains(&text) {
            self.flags.push((text.to_owned(), next.cloned()));
            return 1;
        }
        if let Some((name, value)) = text.split_once('=') {
            self.flags.push((name.to_owned(), Some(arg.with_text(value))));
        }
        for (at, c) in text.char_indices().skip(1) {
            let name = format!("-{c}");
            let rest = &text[at + c.len_utf8()..];
            if valued.contains(&name.as_str()) {
                if rest.is_empty() {
                    self.flags.push((name, next.cloned()));
                    return 1;
                }
                self.flags.push((name, Some(arg.with_text(rest))));
                return 0;
            }
            self.flags.push((name, None));
        }
        if text.chars().count() > 2 {
            self.flags.push((text.to_owned(), None));
        }
        0
    }

    /// Whether one of these options is given. A long option may be shortened, as GNU programs allow.
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.flags.iter().any(|(flag, _)| names.iter().any(|name| same(flag, name)))
    }

    /// The values of these options, in order.
    pub(crate) fn values<'s>(&'s self, names: &'s [&str]) -> impl Iterator<Item = &'s Arg> + 's {
        self.flags
            .iter()
            .filter(|(flag, _)| names.iter().any(|name| same(flag, name)))
            .filter_map(|(_, value)| value.as_ref())
    }

    /// The text of the nth word, or nothing.
    pub(crate) fn word(&self, n: usize) -> &str {
        self.words.get(n).map_or("", |arg| arg.text.as_str())
    }
}

fn same(flag: &str, name: &str) -> bool {
    flag == name
        || (flag.len() >= 3 && flag.starts_with("--") && name.starts_with(flag) && !name.contains('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_values_and_words() {
        let args: Vec<Arg> = ["-rf", "x", "-n5", "-o", "out", "--file=f", "--", "-y"].map(Arg::new).to_vec();
        let got = Options::of(&args, &["-n", "-o", "--file"]);
        assert!(got.has(&["-f"]) && got.has(&["-r"]) && got.has(&["-n"]));
        assert_eq!(
            got.values(&["-o", "--file", "-n"]).map(|a| a.text.as_str()).collect::<Vec<_>>(),
            ["5", "out", "f"]
        );
        assert_eq!(got.words.iter().map(|a| a.text.as_str()).collect::<Vec<_>>(), ["x", "-y"]);
    }
}
