//! Words that make something public, whatever the program is otherwise known for: a builder that is told to `publish` or given `--push`
//! builds nothing that a checkpoint could bring back.

use std::path::Path;

use crate::findings::Weight;
use crate::options::Options;
use crate::value::Arg;
use crate::walk::Walk;

/// Parts of a sub-command: `gh-deploy`, `app:publish`.
const WORDS: &[&str] = &["deploy", "publish", "submit", "upload", "push"];
/// The same where nothing stands before them: else they may be the value of an option (`--config Release`).
const FIRST_WORDS: &[&str] = &["release"];
/// Options that say it.
const FLAGS: &[&str] = &["--push", "--publish", "--deploy", "--upload"];
/// Sub-commands that run what the next word names.
const RUNNERS: &[&str] = &["run", "run-many", "task", "exec", "action"];
/// Ends of names of files: such a word is what is worked on.
const LONGEST_ENDING: usize = 4;

impl Walk<'_> {
    /// Says so if the words of a command speak of it. The caller knows that nothing else is known of them.
    pub(crate) fn speaks_of_publishing(&mut self, argv: &[Arg], options: &Options, about: &str) {
        let is_value_off = |value: &Option<Arg>| {
            value.as_ref().is_some_and(|value| matches!(value.text.as_str(), "false" | "0" | "no" | "never"))
        };
        let flag =
            options.flags.iter().any(|(flag, value)| FLAGS.contains(&flag.as_str()) && !is_value_off(value));
        let first = options.word(0);
        let word = match options.words.first() {
            Some(word) if self.is_publishing(word, WORDS) => true,
            Some(word) if options.at.first() == Some(&0) && self.is_publishing(word, FIRST_WORDS) => true,
            Some(_) if RUNNERS.contains(&first) => {
                options.words.get(1).is_some_and(|word| self.is_publishing(word, WORDS))
            }
            _ => false,
        };
        let only_shows = argv.iter().any(|arg| {
            arg.text.starts_with("--dry")
                || matches!(arg.text.as_str(), "--help" | "-h" | "--check" | "--snapshot" | "--list")
        });
        if (flag || word) && !only_shows {
            self.found.verdict.network = true;
            self.found.add(
                Weight::Ask,
                "publishes",
                "is told to make something public, which cannot be called back",
                about,
            );
        }
    }

    fn is_publishing(&self, word: &Arg, list: &[&str]) -> bool {
        let lower = word.text.to_lowercase();
        let is_file = lower.rsplit_once('.').is_some_and(|(_, ending)| ending.len() <= LONGEST_ENDING);
        if lower.len() > 40 || lower.contains(['/', '=', ' ', ',']) || is_file {
            return false;
        }
        // A folder of that name is what is worked on: `mypy deploy`.
        let is_there =
            || self.file_key(word).is_some_and(|key| self.ctx.files.kind(Path::new(&key)).is_some());
        lower.split([':', '-', '_']).any(|part| list.contains(&part)) && !is_there()
    }
}
