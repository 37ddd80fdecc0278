//! Runners that put an environment around another command: `uv run`, `poetry run`, `bundle exec`, `nix develop -c`.

use crate::options::Options;
use crate::run::is_known;
use crate::value::{Arg, Data};
use crate::walk::Walk;

/// Options of these runners that use the next argument.
const VALUED: &[&str] = &[
    "-n",
    "--name",
    "-p",
    "--prefix",
    "--python",
    "--with",
    "--with-requirements",
    "--with-editable",
    "--extra",
    "--group",
    "--env-file",
    "--project",
    "--directory",
    "--package",
    "--index",
    "--cwd",
    "--spec",
    "--from",
    "-e",
    "--env",
    "-C",
    "-P",
];

impl Walk<'_> {
    /// The command inside a runner. `None` when there is none, or when it is the name of a task of the project.
    pub(crate) fn runner(&mut self, name: &str, argv: &[Arg], stdin: &Data, about: &str) -> Option<Data> {
        let options = Options::of(&argv[1..], VALUED);
        // Words of the runner's own before the command: the sub-command, and the folder of `direnv exec`.
        let own = match (name, options.word(0)) {
            (
                "uv" | "poetry" | "pdm" | "rye" | "hatch" | "pipenv" | "pixi" | "conda" | "mamba"
                | "micromamba" | "pipx",
                "run",
            )
            | ("bundle" | "bundler" | "tox", "exec") => 1,
            ("uv", "tool") if options.word(1) == "run" => 2,
            ("direnv", "exec") => 2,
            ("uvx", _) => 0,
            ("nix", "develop" | "shell") => {
                let at = argv.iter().position(|arg| matches!(arg.text.as_str(), "-c" | "--command"))?;
                return Some(self.run(&argv[at + 1..], stdin.clone()));
            }
            ("vib", command @ ("verify" | "bisect" | "fence")) => {
                let at = argv.iter().position(|arg| arg.text == "--")?;
                // `vib fence shell … --` is for the clients' shells alone: it would be a proof of a fence that they are behind. (B7)
                if command == "fence"
                    && argv.get(at.wrapping_sub(1)).is_none_or(|before| before.text != "fence")
                {
                    return None;
                }
                // It runs in a copy, behind a fence that vib puts up itself.
                let own_fence = usize::from(command == "verify");
                self.found.fenced_by_vib += own_fence;
                let out = self.run(&argv[at + 1..], stdin.clone());
                self.found.fenced_by_vib -= own_fence;
                return Some(out);
            }
            ("hyperfine", _) => {
                for text in argv[1..].iter().map(|arg| &arg.text).filter(|text| text.contains(' ')) {
                    self.probe_script(text, "a command to measure");
                }
                return None;
            }
            _ => return None,
        };
        let from = options.at.get(own)? + 1;
        let mut inner = argv[from..].to_vec();
        // `hatch run env:command`.
        if name == "hatch"
            && let Some((_, command)) = inner[0].text.clone().split_once(':')
        {
            inner[0] = inner[0].with_text(command);
        }
        let text = inner[0].text.as_str();
        let program = text.rsplit('/').next().unwrap_or_default();
        let is_program = text.starts_with("./") && !text.ends_with(".py")
            || is_known(program)
            || crate::code::language(program).is_some();
        let out = is_program.then(|| self.run(&inner, stdin.clone()));
        // Which options take a value is not known of every runner: what looks like a command is one.
        if !is_program || from > own + 1 {
            self.suspects(argv, about);
        }
        out
    }
}
