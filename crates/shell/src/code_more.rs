//! Doors of languages that stand in no table of calls: other names for modules, editing in place, prompts, unpacking, saved objects.

use crate::code::Language;
use crate::code_names::{DELETERS, HOMES};
use crate::code_text::{calls, first_argument, first_string, is_one_string, strings};
use crate::findings::Weight;
use crate::value::{Arg, Data};
use crate::verdict::Place;
use crate::walk::Walk;

/// Modules whose calls are known by the module's own name.
const MODULES: &[&str] = &[
    "pathlib",
    "fileinput",
    "code",
    "os",
    "shutil",
    "pickle",
    "marshal",
    "tarfile",
    "zipfile",
    "subprocess",
    "tempfile",
    "glob",
];
/// Calls that open a prompt, which runs whatever comes in.
const PROMPTS: &[&str] = &[
    "code.interact",
    "InteractiveConsole",
    "InteractiveInterpreter",
    "set_trace(",
    "breakpoint()",
    "IPython.embed",
    "start_ipython",
    "binding.pry",
    "binding.irb",
    "repl.start",
    "Psy\\Shell",
    "psysh",
];
/// Calls that make objects of data, and run what stands in them.
const REVIVALS: &[&str] = &[
    "pickle.load",
    "pickle.loads",
    "Unpickler",
    "dill.load",
    "dill.loads",
    "cloudpickle.load",
    "cloudpickle.loads",
    "marshal.load",
    "marshal.loads",
    "yaml.unsafe_load",
    "yaml.unsafe_load_all",
    "jsonpickle.decode",
    "Marshal.load",
];
/// Words that take something away, beside the calls that are known to.
const TAKING: &[&str] =
    &[".delete", "File.delete", ".rename(", ".replace(", "os.remove", "FileUtils.rm", "FileUtils.mv"];
/// Calls that unpack into the folder that they name.
const UNPACKERS: &[&str] = &["extractall", "unpack_archive", "extract"];

/// The code with known modules under their own names: `from pathlib import Path as p` makes `Path` of `p`. Nothing: it has no other names.
pub(crate) fn with_own_names(language: Language, code: &str) -> Option<String> {
    if language != Language::Python {
        return None;
    }
    let mut out = code.to_owned();
    for line in code.split(['\n', ';']).map(str::trim).take(100) {
        let (module, names) = match line.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            Some((module, names)) => (Some(module.trim()), names),
            None => match line.strip_prefix("import ") {
                Some(names) => (None, names),
                None => continue,
            },
        };
        for name in names.trim_matches(['(', ')']).split(',').take(16) {
            let Some((own, other)) = name.split_once(" as ").map(|(own, other)| (own.trim(), other.trim()))
            else {
                continue;
            };
            if MODULES.contains(&module.unwrap_or(own)) && !other.is_empty() && other != own {
                out = with_word(&out, other, own);
            }
        }
    }
    for (constant, text) in [("os.pardir", "\"..\""), ("os.curdir", "\".\""), ("os.sep", "\"/\"")] {
        out = out.replace(constant, text);
    }
    (out != code).then_some(out)
}

/// Puts one name in the place of another, outside of texts.
fn with_word(code: &str, name: &str, own: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(code.len());
    let (mut rest, mut open) = (code, None::<char>);
    while let Some(c) = rest.chars().next() {
        let before = out.chars().next_back();
        let is_start = open.is_none() && !before.is_some_and(|c| is_part(c) || c == '.');
        if is_start && let Some(after) = rest.strip_prefix(name).filter(|after| !after.starts_with(is_part)) {
            out.push_str(own);
            rest = after;
            continue;
        }
        match open {
            Some(quote) if c == quote && before != Some('\\') => open = None,
            None if matches!(c, '"' | '\'') => open = Some(c),
            _ => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

impl Walk<'_> {
    /// Judges these doors. `code`: with what is constant put together.
    pub(crate) fn code_more(&mut self, language: Language, code: &str, about: &str) {
        let has = |names: &[&str]| names.iter().any(|name| code.contains(name));
        self.state_in_code(code);
        if code.contains("inplace") && has(&["fileinput", "FileInput"]) {
            for call in calls(code, "fileinput.input").into_iter().chain(calls(code, "FileInput")).take(8) {
                for file in strings(call).iter().filter(|text| text.len() > 2 && !text.contains('\n')) {
                    self.writes(&Arg::new(self.without_tilde(file)), "edited in place");
                }
            }
        }
        for name in ["openSync", "fs.open", "sysopen"] {
            for call in calls(code, name).into_iter().take(16) {
                let writes = strings(call).get(1).is_some_and(|mode| mode.contains(['w', 'a', '+']))
                    || ["O_TRUNC", "O_WRONLY", "O_RDWR", "O_CREAT"].iter().any(|flag| call.contains(flag));
                if let Some(path) = first_string(call).filter(|_| writes) {
                    self.writes(&Arg::new(path), "code");
                }
            }
        }
        if language == Language::Perl {
            for (at, _) in code.match_indices("truncate").take(8) {
                let rest = code[at + "truncate".len()..].trim_start().trim_start_matches('(').trim_start();
                if rest.starts_with(['"', '\''])
                    && let Some(path) = first_string(rest)
                {
                    self.writes(&Arg::new(path), "code");
                }
            }
        }
        for call in UNPACKERS.iter().flat_map(|name| calls(code, name)).take(8) {
            let named = call.split_once("path=").map(|(_, rest)| rest);
            let folder = match call.contains(',') || named.is_some() {
                true => strings(call).last().cloned(),
                false => first_string(call).filter(|_| is_one_string(first_argument(call))),
            };
            if let Some(folder) = folder.filter(|text| text.starts_with(['/', '~', '.'])) {
                let folder = Arg::new(self.without_tilde(&folder));
                self.fills(&[Arg::new(".")], &folder, "unpacks an archive");
                self.works_in(&folder, about);
            }
        }
        if code.contains("ioctl") && has(&["TIOCSTI", "0x5412", "21522"]) || code.contains("TIOCSTI") {
            self.found.unknown(
                Weight::Ask,
                "types_elsewhere",
                "types into the terminal that it runs in, where nobody can see what it does",
                about,
            );
        }
        self.remembers_written(code);
        if !self.reading.is_empty() {
            return;
        }
        if has(PROMPTS) {
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "opens a prompt, which runs code that is not visible here",
                about,
            );
        }
        if REVIVALS.iter().any(|name| !calls(code, name).is_empty()) {
            self.found.unknown(
                Weight::Ask,
                "runs_unknown_code",
                "makes objects of saved data, which may hold code that is not visible here",
                about,
            );
        }
        let home = self.ctx.home.to_string_lossy().into_owned();
        let names_home = has(HOMES) || strings(code).iter().any(|text| is_in_home(text, &home));
        let is_inside =
            |text: &String| !matches!(self.place_of(&Arg::new(text.clone())).1, Place::Outside | Place::Home);
        let only_inside =
            !has(HOMES) && strings(code).iter().filter(|text| is_in_home(text, &home)).all(is_inside);
        if names_home && !only_inside && (has(TAKING) || DELETERS.iter().any(|name| code.contains(name))) {
            self.found.loses(false);
            self.found.unknown(
                Weight::Ask,
                "deletes_unknown",
                "takes files away or moves them, and names a home folder",
                about,
            );
        }
    }

    /// Code that names vib's own records opens them, and may keep vib from writing them.
    fn state_in_code(&mut self, code: &str) {
        for text in strings(code).into_iter().filter(|text| text.starts_with(['/', '~', '.', 'f'])).take(64) {
            let text = text.strip_prefix("file:").unwrap_or(&text);
            let path = Arg::new(self.without_tilde(text));
            if text.len() > 3 && self.place_of(&path).1 == Place::VibState {
                self.writes(&path, "opened by code");
            }
        }
    }

    /// What code writes into a file is what runs when the same line runs that file.
    fn remembers_written(&mut self, code: &str) {
        let mut written: Vec<(String, String)> = Vec::new();
        for name in ["writeFileSync", "writeFile", "file_put_contents", "File.write", "outputFileSync"] {
            for call in calls(code, name).into_iter().take(8) {
                if let [path, text, ..] = strings(call).as_slice() {
                    written.push((path.clone(), text.clone()));
                }
            }
        }
        // `open("a", "w").write("…")`, `Path("a").write_text("…")`, and the same over several lines.
        let texts: Vec<&str> =
            ["write", "write_text", "writelines"].iter().flat_map(|name| calls(code, name)).take(8).collect();
        let files: Vec<String> = ["open", "Path"]
            .iter()
            .flat_map(|name| calls(code, name))
            .filter_map(first_string)
            .take(8)
            .collect();
        if let ([file], false) = (files.as_slice(), texts.is_empty()) {
            let text: Vec<String> = texts.iter().flat_map(|call| strings(call)).collect();
            written.push((file.clone(), text.join("\n")));
        }
        for (file, text) in written.into_iter().filter(|(file, text)| !file.is_empty() && !text.is_empty()) {
            self.remember_file(&Arg::new(file), &Data::text(text), false);
        }
    }
}

fn is_in_home(text: &str, home: &str) -> bool {
    text.starts_with("~/")
        || text == "~"
        || text.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
