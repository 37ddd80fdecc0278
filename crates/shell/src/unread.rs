//! Code that nobody read. Whoever calls a line harmless must know all code that it runs; so programs are known to do what their words say and
//! nothing else, or they are not. An interpreter, a build, an installer, a script of the project, a git command in a repository with
//! hooks: each runs code that may be anything by the time it runs, even where vib could read it before. (B1)

use std::path::Path;

use crate::git_names::{GLOBAL_VALUED, READS, WRITES};
use crate::options::Options;
use crate::value::Arg;
use crate::walk::Walk;

/// The shell's own commands, which no variable changes.
const OWN: &[&str] = &[
    "true",
    "false",
    ":",
    "wait",
    "exit",
    "return",
    "break",
    "continue",
    "times",
    "jobs",
    "fg",
    "bg",
    "disown",
    "suspend",
    "umask",
    "ulimit",
    "type",
    "caller",
    "dirs",
    "logout",
    "deactivate",
    "shopt",
    "setopt",
    "let",
    "getopts",
    "bind",
    "complete",
    "compgen",
    "enable",
    "test",
    "[",
    "[[",
    "eval",
    "exec",
    "command",
    "builtin",
    "trap",
    "alias",
    "unalias",
    "cd",
    "pushd",
    "chdir",
    "popd",
    "export",
    "declare",
    "typeset",
    "local",
    "readonly",
    "unset",
    "set",
    "shift",
    "read",
    "mapfile",
    "readarray",
    "hash",
    "history",
    "fc",
    "noglob",
    "nocorrect",
];

/// Programs that do what their words say. They load no code and no settings from the folder they run in; what they start stands in their
/// words and is judged as a command of its own.
const PLAIN: &[&str] = &[
    // Shells: what they are told to run is read, files are not (see `shell_runs_file`).
    "sh",
    "bash",
    "zsh",
    "dash",
    "ash",
    "ksh",
    "mksh",
    "rbash",
    "busybox",
    "toybox",
    // Looking.
    "ls",
    "dir",
    "vdir",
    "tree",
    "exa",
    "eza",
    "lsd",
    "pwd",
    "date",
    "cal",
    "whoami",
    "id",
    "groups",
    "hostname",
    "uname",
    "arch",
    "nproc",
    "uptime",
    "tty",
    "users",
    "who",
    "w",
    "last",
    "lsb_release",
    "printenv",
    "locale",
    "tput",
    "clear",
    "reset",
    "stty",
    "sleep",
    "usleep",
    "factor",
    "seq",
    "yes",
    "logname",
    "getconf",
    "sw_vers",
    "hostid",
    "numfmt",
    "expr",
    "bc",
    "basename",
    "dirname",
    "realpath",
    "readlink",
    "stat",
    "file",
    "du",
    "df",
    "which",
    "whereis",
    "locate",
    "md5sum",
    "sha1sum",
    "sha224sum",
    "sha256sum",
    "sha384sum",
    "sha512sum",
    "b2sum",
    "cksum",
    "sum",
    "md5",
    "shasum",
    "pathchk",
    "lsattr",
    "getfacl",
    "lsof",
    "grep",
    "egrep",
    "fgrep",
    "zgrep",
    "ag",
    "ugrep",
    "rgrep",
    "rg",
    "ripgrep",
    "wc",
    "cut",
    "paste",
    "uniq",
    "nl",
    "fold",
    "fmt",
    "column",
    "comm",
    "diff",
    "diff3",
    "sdiff",
    "colordiff",
    "cmp",
    "join",
    "expand",
    "unexpand",
    "od",
    "hexdump",
    "strings",
    "tsort",
    "pr",
    "look",
    "ptx",
    "hd",
    "colrm",
    "iconv",
    "jq",
    "gron",
    "cloc",
    "tokei",
    "scc",
    "nm",
    "objdump",
    "readelf",
    "size",
    "c++filt",
    "addr2line",
    "info",
    "apropos",
    "whatis",
    "sort",
    "shuf",
    "pgrep",
    "pidof",
    "ps",
    "top",
    "free",
    "vmstat",
    "iostat",
    "lscpu",
    "lsblk",
    "lsusb",
    "lspci",
    "lsmod",
    "dmesg",
    "netstat",
    "ss",
    "ip",
    "ifconfig",
    "route",
    "arp",
    "ping",
    "traceroute",
    "tracepath",
    "mtr",
    "host",
    "whois",
    "getent",
    "blkid",
    "findmnt",
    "pstree",
    "nvidia-smi",
    "dig",
    "nslookup",
    "drill",
    "echo",
    "printf",
    "cat",
    "zcat",
    "tac",
    "head",
    "tail",
    "less",
    "more",
    "bat",
    "batcat",
    "base64",
    "gbase64",
    "base32",
    "xxd",
    "rev",
    "tr",
    "dpkg-query",
    "apt-cache",
    "journalctl",
    "man",
    // Writing what is named.
    "tee",
    "mktemp",
    "touch",
    "mkdir",
    "mkfifo",
    "truncate",
    "split",
    "csplit",
    "rm",
    "unlink",
    "rmdir",
    "shred",
    "mv",
    "cp",
    "ln",
    "install",
    "rsync",
    "ditto",
    "dd",
    "chmod",
    "chown",
    "chgrp",
    "chattr",
    "setfacl",
    "xattr",
    "sed",
    "gsed",
    "awk",
    "gawk",
    "mawk",
    "nawk",
    "tar",
    "bsdtar",
    "gtar",
    "zip",
    "unzip",
    "gzip",
    "gunzip",
    "bzip2",
    "bunzip2",
    "xz",
    "unxz",
    "zstd",
    "unzstd",
    "lz4",
    "cpio",
    "sync",
    "dos2unix",
    "unix2dos",
    "sponge",
    "kill",
    "pkill",
    "killall",
    "renice",
    // Running what is named.
    "find",
    "gfind",
    "fd",
    "fdfind",
    "xargs",
    "gxargs",
    "parallel",
    "env",
    "genv",
    "nohup",
    "setsid",
    "timeout",
    "gtimeout",
    "nice",
    "ionice",
    "time",
    "gtime",
    "stdbuf",
    "flock",
    "sudo",
    "doas",
    "watch",
    "chrt",
    "taskset",
    "caffeinate",
    "unbuffer",
    // Talking to other machines, and to programs that run already.
    "curl",
    "wget",
    "http",
    "https",
    "xh",
    "httpie",
    "aria2c",
    "ssh",
    "scp",
    "sftp",
    "nc",
    "ncat",
    "netcat",
    "telnet",
    "aws",
    "gcloud",
    "gsutil",
    "bq",
    "az",
    "kubectl",
    "docker",
    "docker-compose",
    "podman",
    "systemctl",
    "redis-cli",
    "gh",
    "glab",
    "git",
    "vib",
];

/// Options with which such a program runs another one, loads code, or settings that name some: long, and short letters.
const RUNS: &[(&[&str], &[&str], &str)] = &[
    (
        &["tar", "bsdtar", "gtar"],
        &[
            "--use-compress-program",
            "--to-command",
            "--checkpoint-action",
            "--rmt-command",
            "--rsh-command",
            "--info-script",
            "--new-volume-script",
        ],
        "IF",
    ),
    (&["rsync"], &["--rsh", "--rsync-path"], "e"),
    (&["sort"], &["--compress-program"], ""),
    (&["rg", "ripgrep"], &["--pre", "--hostname-bin"], ""),
    (&["split"], &["--filter"], ""),
    (&["man"], &["--pager", "--html"], "PH"),
    (&["bat", "batcat"], &["--pager"], ""),
    (&["ssh", "scp", "sftp"], &[], "FS"),
    (&["wget"], &["--use-askpass", "--execute", "--config"], "e"),
    (&["zip"], &["--unzip-command"], "T"),
    (&["curl"], &["--engine", "--config"], "K"),
    (&["install"], &["--strip-program"], ""),
    (&["nm", "objdump", "readelf", "size"], &["--plugin"], ""),
    (&["sed", "gsed"], &["--file"], "f"),
    (&["kubectl"], &["--kubeconfig"], ""),
    (&["docker", "docker-compose", "podman"], &["--config"], ""),
    (&["gcloud", "az", "aws"], &["--configuration", "--profile-file"], ""),
    (&["sh", "bash", "zsh", "dash", "ash", "ksh", "mksh", "rbash"], &["--rcfile", "--init-file"], ""),
];

/// Words of `gh` and `glab` that are their own; any other may be an extension.
const HUB_WORDS: &[&str] = &[
    "pr", "mr", "issue", "run", "ci", "repo", "api", "auth", "release", "workflow", "search", "browse",
    "gist", "snippet", "label", "status", "ruleset", "secret", "variable", "cache", "org", "project",
    "config", "version", "help",
];

/// Commands of git that are its own and start nothing but what the repository's settings and their words say.
const GIT_MORE: &[&str] = &[
    "branch",
    "checkout",
    "switch",
    "restore",
    "reset",
    "stash",
    "tag",
    "push",
    "remote",
    "config",
    "worktree",
    "clean",
    "gc",
    "prune",
    "reflog",
    "symbolic-ref",
    "update-ref",
    "sparse-checkout",
    "submodule",
    "replace",
    "multi-pack-index",
    "commit-graph",
];

/// Commands of git that start other programs by their nature.
const GIT_STARTS: &[&str] = &[
    "difftool",
    "mergetool",
    "lfs",
    "flow",
    "svn",
    "imap-send",
    "send-email",
    "credential",
    "request-pull",
    "instaweb",
    "gui",
    "citool",
    "filter-branch",
    "daemon",
    "p4",
    "cvsserver",
    "bugreport",
    "diagnose",
    "submodule",
    "maintenance",
];

/// Variables that make programs read settings, code or helpers from elsewhere.
const STEERING: &[&str] = &[
    "PATH",
    "HOME",
    "SHELL",
    "ENV",
    "BASH_ENV",
    "ZDOTDIR",
    "EDITOR",
    "VISUAL",
    "KUBECONFIG",
    "AWS_CONFIG_FILE",
    "DOCKER_CONFIG",
    "CURL_HOME",
    "WGETRC",
    "TAR_OPTIONS",
    "RSYNC_RSH",
    "RIPGREP_CONFIG_PATH",
    "SSH_ASKPASS",
    "GREP_OPTIONS",
    "GH_CONFIG_DIR",
    "LOCPATH",
    "NLSPATH",
    "GCONV_PATH",
    "AWKPATH",
    "AWKLIBPATH",
    "POSIXLY_CORRECT_PATH",
    "MANPATH",
    "BAT_CONFIG_PATH",
];

/// Of git's variables those that only say who, when or how loud.
const GIT_HARMLESS: &[&str] = &[
    "GIT_AUTHOR_NAME",
    "GIT_AUTHOR_EMAIL",
    "GIT_AUTHOR_DATE",
    "GIT_COMMITTER_NAME",
    "GIT_COMMITTER_EMAIL",
    "GIT_COMMITTER_DATE",
    "GIT_TERMINAL_PROMPT",
    "GIT_TRACE",
    "GIT_OPTIONAL_LOCKS",
    "GIT_MERGE_AUTOEDIT",
    "GIT_LFS_SKIP_SMUDGE",
    "GIT_CURL_VERBOSE",
];

impl Walk<'_> {
    /// A program is about to run under this name: notes if that runs code which nobody read.
    pub(crate) fn note_unread(&mut self, name: &str, argv: &[Arg], is_path: bool, about: &str) {
        if self.remote {
            return;
        }
        let is_own = OWN.contains(&name);
        if is_path
            || !is_own && !PLAIN.contains(&name)
            || self.is_steered && !is_own
            || runs_by_option(name, argv)
            || self.runs_file(name, argv)
        {
            self.found.unread(about);
        }
    }

    /// A variable is set for what runs.
    pub(crate) fn note_steering(&mut self, name: &str, value: &str) {
        let is_quiet = matches!(value, "" | "cat" | "true" | ":" | "0" | "1");
        let is_steering = STEERING.contains(&name)
            || name.starts_with("LD_")
            || name.starts_with("DYLD_")
            || name.starts_with("XDG_")
            || name.starts_with("LESS")
            || name.starts_with("BASH_FUNC_")
            || name.ends_with("PAGER")
            || name.starts_with("GIT_") && !GIT_HARMLESS.contains(&name);
        self.is_steered |= is_steering && (!is_quiet || matches!(name, "PATH" | "HOME"));
    }

    fn runs_file(&self, name: &str, argv: &[Arg]) -> bool {
        let word = |at: usize| Options::of(&argv[1..], &[]).word(at).to_owned();
        match name {
            "sh" | "bash" | "zsh" | "dash" | "ash" | "ksh" | "mksh" | "rbash" => shell_runs_file(argv),
            // gawk also loads libraries.
            "awk" | "gawk" | "mawk" | "nawk" => argv[1..].iter().any(|arg| {
                ["-f", "-l", "-i", "-E", "--file", "--load", "--include", "--exec"]
                    .iter()
                    .any(|flag| arg.text.starts_with(flag))
            }),
            "less" | "more" => argv[1..].iter().any(|arg| arg.text.starts_with('+')),
            "ssh" | "scp" | "sftp" => argv[1..].iter().any(|arg| {
                let text = arg.text.to_lowercase();
                text.contains("command") || text.contains("include") || text.contains("provider")
            }),
            "enable" => argv[1..].iter().any(|arg| arg.text == "-f"),
            "gh" | "glab" => !HUB_WORDS.contains(&word(0).as_str()) || self.repository_starts_programs(None),
            "vib" => match word(0).as_str() {
                "bisect" | "hook" | "serve" | "mcp" => true,
                "guard" => argv.iter().any(|arg| arg.text == "--run"),
                _ => false,
            },
            "git" => self.git_runs_unread(argv),
            _ => false,
        }
    }

    fn git_runs_unread(&self, argv: &[Arg]) -> bool {
        let mut at = 1;
        let mut folder: Option<String> = None;
        while let Some(arg) = argv.get(at).filter(|arg| arg.text.starts_with('-')) {
            let sorted = Options::of(&argv[at..argv.len().min(at + 2)], GLOBAL_VALUED);
            for (flag, value) in &sorted.flags {
                let value = value.as_ref().map_or("", |value| value.text.as_str());
                match flag.as_str() {
                    "-c" => {
                        let (key, value) = value.split_once('=').unwrap_or((value, "true"));
                        let is_off = matches!(value, "" | "cat" | "false" | "true" | ":");
                        if !is_off && !crate::git_programs::is_harmless(&key.to_lowercase(), value) {
                            return true;
                        }
                    }
                    "-C" => match crate::place::absolute(value, folder.as_deref().or(self.cwd.as_deref())) {
                        Some(there) => folder = Some(crate::place::normalise(&there)),
                        None => return true,
                    },
                    "--version" | "--help" | "-v" | "-h" => return false,
                    "--no-pager"
                    | "-P"
                    | "--paginate"
                    | "-p"
                    | "--literal-pathspecs"
                    | "--no-optional-locks"
                    | "--bare" => {}
                    _ => return true,
                }
            }
            at += 1 + usize::from(GLOBAL_VALUED.contains(&arg.text.as_str()));
        }
        let Some(command) = argv.get(at).map(|arg| arg.text.as_str()) else { return false };
        let args = &argv[at + 1..];
        let has = |names: &[&str]| args.iter().any(|arg| names.iter().any(|name| arg.text.starts_with(name)));
        let is_alias = self.ctx.git_aliases.iter().any(|(alias, _)| alias.eq_ignore_ascii_case(command));
        let is_own = READS.contains(&command) || WRITES.contains(&command) || GIT_MORE.contains(&command);
        // An alias stands for words that are judged in its place.
        if is_alias && !is_own {
            return self.repository_starts_programs(folder.as_deref());
        }
        let starts = match command {
            "submodule" => {
                args.first().is_some_and(|word| !matches!(word.text.as_str(), "status" | "init" | "summary"))
            }
            "maintenance" => !has(&["run"]),
            _ => GIT_STARTS.contains(&command),
        };
        let runs_by_words = has(&[
            "--upload-pack",
            "--receive-pack",
            "--exec",
            "-x",
            "--template",
            "--ext-diff",
            "--open-files-in-pager",
            "-O",
            "ext::",
        ]) && !(command == "clean" || command == "cherry-pick" || command == "log")
            || command == "clone" && has(&["-u", "-c", "--config", "--recurs"])
            || command == "bisect" && has(&["run"]);
        !is_own || starts || runs_by_words || self.repository_starts_programs(folder.as_deref())
    }

    /// Whether the repository around a folder, or around where the line is by now, makes git start programs.
    fn repository_starts_programs(&self, folder: Option<&str>) -> bool {
        match folder.or(self.cwd.as_deref()) {
            Some(folder) => crate::git_programs::starts_programs(self.ctx.files, Path::new(folder)),
            None => true,
        }
    }
}

/// Whether a shell runs something else than a text in its words: a file, or what it is fed.
fn shell_runs_file(argv: &[Arg]) -> bool {
    let mut words = argv[1..].iter();
    while let Some(arg) = words.next() {
        let text = arg.text.as_str();
        match text {
            "-o" | "+o" | "-O" | "+O" => {
                words.next();
            }
            "--version" | "--help" => return false,
            _ if text.starts_with("--") => {}
            _ if text.starts_with(['-', '+']) && text.len() > 1 => {
                // With `-n` it only reads the script.
                if text.starts_with('-') && text.contains('c') || text == "-n" {
                    return false;
                }
            }
            _ => return true,
        }
    }
    true
}

fn runs_by_option(name: &str, argv: &[Arg]) -> bool {
    let Some((_, long, short)) = RUNS.iter().find(|(names, ..)| names.contains(&name)) else { return false };
    let is_tar = name.ends_with("tar");
    argv[1..].iter().enumerate().any(|(at, arg)| {
        let text = arg.text.as_str();
        let name = text.split('=').next().unwrap_or_default();
        // `--use-comp` is understood as well.
        let is_long =
            text.starts_with("--") && name.len() > 4 && long.iter().any(|long| long.starts_with(name));
        let cluster = match text.strip_prefix('-') {
            Some(letters) if !text.starts_with("--") => letters,
            None if is_tar && at == 0 => text,
            _ => "",
        };
        is_long || cluster.chars().take_while(char::is_ascii_alphabetic).any(|letter| short.contains(letter))
    })
}
