//! What the shell's own commands print. A builtin that is known to be silent prints nothing; a few print what can be worked
//! out; what all others print is not known, because a substitution puts it into the line: `rm -rf $(dirs -l)`.

use crate::options::Options;
use crate::value::{Arg, Data, HOLE, Taint};
use crate::walk::Walk;

impl Walk<'_> {
    /// What a builtin prints that was just looked at.
    pub(crate) fn builtin_prints(&mut self, name: &str, args: &[Arg]) -> Data {
        let first = args.first().map_or("", |arg| arg.text.as_str());
        // `-p`, `-px`: a cluster with this letter.
        let flag = |letter: char| {
            args.iter().any(|arg| {
                arg.text.starts_with('-') && !arg.text.starts_with("--") && arg.text.contains(letter)
            })
        };
        let assigns = args.iter().any(|arg| !arg.text.starts_with('-') || !arg.known());
        let silent = match name {
            "true" | "false" | ":" | "wait" | "exit" | "return" | "break" | "continue" | "disown"
            | "suspend" | "logout" | "deactivate" | "let" | "getopts" | "test" | "[" | "[[" | "unalias"
            | "unset" | "shift" | "read" | "mapfile" | "readarray" | "setopt" | "exec" => true,
            "cd" | "chdir" => first != "-" && self.vars.get("CDPATH").is_none_or(Vec::is_empty),
            "export" | "readonly" => assigns && !flag('p'),
            "local" => true,
            "declare" | "typeset" if flag('f') || flag('F') => return self.functions_shown(args, flag('F')),
            "declare" | "typeset" => assigns && !flag('p'),
            "set" if args.len() == 1 && matches!(first, "-o" | "+o") => {
                return if first == "+o" { Data::text("set +o posix\n") } else { unknown(args) };
            }
            "set" => !args.is_empty(),
            // Printed so that it can be brought back: `old=$(shopt -p nullglob); …; eval "$old"`.
            "shopt" if flag('p') && assigns && args.iter().all(Arg::known) => {
                let names = args.iter().filter(|arg| !arg.text.starts_with('-'));
                return Data::text(
                    names.map(|name| format!("shopt -u '{}'\n", name.text)).collect::<String>(),
                );
            }
            "shopt" => flag('s') || flag('u') || flag('q'),
            "umask" | "ulimit" => args.iter().any(|arg| !arg.text.starts_with('-')),
            "alias" => !args.is_empty() && args.iter().all(|arg| arg.text.contains('=')),
            "trap" => !args.is_empty() && !flag('p') && !flag('l'),
            "hash" if flag('t') => return self.where_programs_are(args),
            "hash" => !args.is_empty() && !flag('l'),
            "type" if flag('p') || flag('P') => return self.where_programs_are(args),
            "compgen" => return self.completions(args),
            "bind" | "complete" | "enable" => assigns && !flag('p'),
            "history" => flag('c') || flag('a') || flag('w') || flag('d'),
            _ => false,
        };
        if silent { Data::nothing() } else { unknown(args) }
    }

    /// `type -P NAME`, `command -v NAME`, `which NAME`: the programs of these names.
    pub(crate) fn where_programs_are(&self, args: &[Arg]) -> Data {
        let names: Vec<&Arg> = args.iter().filter(|arg| !arg.text.starts_with('-')).collect();
        if names.is_empty() || names.iter().any(|name| !name.known() || name.glob) {
            return unknown(args);
        }
        Data::text(names.iter().map(|name| self.where_program_is(&name.text) + "\n").collect::<String>())
    }

    /// vib is where its own program is; any other program is one of the system.
    fn where_program_is(&self, name: &str) -> String {
        if name.contains('/') {
            return name.to_owned();
        }
        if let Some(alias) = self.aliases.get(name).filter(|alias| alias.starts_with('/')) {
            return alias.clone();
        }
        let own = self.ctx.own_programs.iter().find(|own| own.file_name().is_some_and(|file| file == name));
        own.map_or_else(|| format!("/usr/bin/{name}"), |own| own.to_string_lossy().into_owned())
    }

    /// `readlink -f X`, `realpath X`: where the links lead that are there.
    pub(crate) fn resolved_names(&self, args: &[Arg]) -> Data {
        let options = Options::of(args, &["--relative-to", "--relative-base"]);
        let relative = options.flags.iter().any(|(flag, _)| flag.starts_with("--relative"));
        let mut text = String::new();
        for word in &options.words {
            let real = self.file_key(word).filter(|_| !word.glob && word.known() && !relative).map(|path| {
                let real = self.ctx.files.resolve(std::path::Path::new(&path));
                real.map_or(path, |real| real.to_string_lossy().into_owned())
            });
            match real {
                Some(real) => text.push_str(&(real + "\n")),
                None => return unknown(args),
            }
        }
        Data::text(text)
    }

    /// `git rev-parse --git-dir` and the like: folders of the repository that is there.
    pub(crate) fn folder_of_git(&self, words: &[&str]) -> Option<String> {
        let here = std::path::Path::new(self.cwd.as_deref()?);
        let root = here
            .ancestors()
            .find(|folder| self.ctx.files.is_repository(folder))
            .or(here.starts_with(&self.ctx.project_root).then_some(self.ctx.project_root.as_path()))?;
        let root = root.to_string_lossy();
        match words {
            ["--show-toplevel"] => Some(root.into_owned()),
            ["--git-dir" | "--absolute-git-dir" | "--git-common-dir"] => Some(format!("{root}/.git")),
            ["--path-format=absolute", "--git-dir" | "--git-common-dir"] => Some(format!("{root}/.git")),
            ["--git-path", path] => Some(format!("{root}/.git/{path}")),
            _ => None,
        }
    }

    /// `compgen -W "a b"` prints these words, `compgen -G PATTERN` what it matches; the rest is not known.
    fn completions(&mut self, args: &[Arg]) -> Data {
        let options = Options::of(args, &["-W", "-G", "-A", "-P", "-S", "-X", "-F", "-C", "-o"]);
        let letters: Vec<&str> = options.flags.iter().map(|(flag, _)| flag.as_str()).collect();
        let words = options.values(&["-W"]).next();
        let plain = letters.iter().all(|flag| matches!(*flag, "-W" | "-o" | "--"));
        match words.filter(|words| plain && words.known() && !words.text.contains(['$', '`', '\\'])) {
            Some(words) => {
                let begins = options.words.first().map_or("", |word| word.text.as_str());
                let fits = words.text.split_whitespace().filter(|word| word.starts_with(begins));
                Data::text(fits.map(|word| format!("{word}\n")).collect::<String>())
            }
            None => unknown(args),
        }
    }

    /// `declare -f NAME`: the function as it was written, `ssh host "$(declare -f work); work"`.
    fn functions_shown(&self, args: &[Arg], names_only: bool) -> Data {
        let names: Vec<&Arg> = args.iter().filter(|arg| !arg.text.starts_with('-')).collect();
        let bodies: Option<Vec<String>> =
            names.iter().map(|name| self.functions.get(&name.text).map(|body| format!("{body}\n"))).collect();
        match bodies.filter(|bodies| !names_only && !bodies.is_empty()) {
            Some(bodies) => Data::text(bodies.concat()),
            None => unknown(args),
        }
    }

    /// Whether `printenv` is asked for variables that are known.
    pub(crate) fn prints_known(&self, args: &[Arg]) -> bool {
        let mut names = args.iter().filter(|arg| !arg.text.starts_with('-')).peekable();
        names.peek().is_some() && names.all(|name| self.vars.contains_key(&name.text))
    }

    /// `printenv NAME`: the value of a variable, where it is known.
    pub(crate) fn printed_variables(&self, args: &[Arg]) -> Data {
        let names = args.iter().filter(|arg| !arg.text.starts_with('-'));
        let mut text = String::new();
        for name in names {
            let value = if name.known() { self.value_of(&name.text).text } else { HOLE.to_string() };
            text.push_str(&value);
            text.push('\n');
        }
        Data::text(text)
    }
}

fn unknown(args: &[Arg]) -> Data {
    Data::unknown(args.iter().fold(Taint::default(), |taint, arg| taint.and(arg.taint)))
}
