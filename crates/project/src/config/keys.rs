//! The table of settings. `docs/config.md` is generated from it.

use crate::{Error, Result};

use super::Value;

/// What the project's own file may do with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProjectRule {
    /// Anything: nothing that protects the user depends on it.
    Free,
    /// Add to the list, not take away.
    MayAdd,
    /// Raise the number (0, "without limit", counts as higher), not lower it.
    MayRaise,
    /// Choose a later word of the list, which is the stricter one, not an earlier one.
    MayTighten,
    /// Choose a later word of this list, which goes from mild to strict, not an earlier one.
    MayTightenBy(&'static [&'static str]),
    /// Nothing: only the user's file counts.
    UserOnly,
    /// Add to the list, if the user's own file switched the named flag on.
    MayAddIf(&'static str),
}

/// What a value looks like, with the built-in one.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// Yes or no.
    Flag(bool),
    /// A count.
    Number(u64),
    /// Bytes, written like `512KB`, `2GB`.
    Size(u64),
    /// Patterns.
    List(&'static [&'static str]),
    /// Names or phrases, taken literally, separated by commas. None by default.
    Names,
    /// One of some words; the first is the default.
    Choice(&'static [&'static str]),
    /// Names or words, each as it is.
    Words,
    /// The path of a folder, from the root or from `~`; none by default.
    Folder,
}

/// One setting.
#[derive(Debug)]
pub struct Key {
    /// The dotted name.
    pub name: &'static str,
    /// Shape and default.
    pub kind: Kind,
    /// What the project may do with it.
    pub project_rule: ProjectRule,
    /// One or two sentences for people.
    pub doc: &'static str,
}

/// Settings besides `guard.` that loosen what protects the person: what may leave, and what a patch may touch.
const ALSO_GUARDED: [&str; 3] = ["patch.keep_regions", "privacy.allow", "privacy.project_may_allow"];

impl Key {
    /// Whether changing it may make a program run or loosen a guard, so that more than a click is needed to do it.
    pub fn is_guarded(&self) -> bool {
        self.name.starts_with("guard.") || ALSO_GUARDED.contains(&self.name)
    }

    /// The built-in value.
    pub fn default_value(&self) -> Value {
        match self.kind {
            Kind::Flag(flag) => Value::Flag(flag),
            Kind::Number(number) => Value::Number(number),
            Kind::Size(bytes) => Value::Size(bytes),
            Kind::List(items) => Value::List(items.iter().map(|&item| item.to_owned()).collect()),
            Kind::Names => Value::List(Vec::new()),
            Kind::Choice(words) => Value::Text(words[0].to_owned()),
            Kind::Words => Value::List(Vec::new()),
            Kind::Folder => Value::Text(String::new()),
        }
    }
}

/// Every setting there is.
pub static KEYS: &[Key] = &[
    Key {
        name: "checkpoint.include",
        kind: Kind::List(&[
            ".env",
            ".env.*",
            ".envrc",
            ".dev.vars",
            "*.local.json",
            "*.local.toml",
            "*.local.yml",
            "*.local.yaml",
            "local.settings.json",
            "local.properties",
        ]),
        project_rule: ProjectRule::MayAdd,
        doc: "Small files to save even though `.gitignore` leaves them out. They stay on this machine: their content \
              is never shown in a diff or exported. A pattern with a `/` is also looked for inside ignored folders.",
    },
    Key {
        name: "checkpoint.include_max_size",
        kind: Kind::Size(1 << 20),
        project_rule: ProjectRule::MayRaise,
        doc: "An ignored file on the include list is saved only up to this size.",
    },
    Key {
        name: "checkpoint.sensitive",
        kind: Kind::List(&[
            ".env",
            ".env.*",
            ".envrc",
            ".dev.vars",
            ".netrc",
            ".npmrc",
            ".pypirc",
            ".pgpass",
            "*.pem",
            "*.key",
            "*.p12",
            "*.pfx",
            "*.keystore",
            "*.jks",
            "id_rsa",
            "id_dsa",
            "id_ecdsa",
            "id_ed25519",
            "credentials.json",
            "service-account*.json",
            "*.tfvars",
            "secrets.*",
        ]),
        project_rule: ProjectRule::MayAdd,
        doc: "Files that are saved and restored like any other, but whose content is never shown in a diff or \
              exported.",
    },
    Key {
        name: "checkpoint.skip_caches",
        kind: Kind::Flag(true),
        project_rule: ProjectRule::UserOnly,
        doc: "Leave out folders that a tool can make again: `node_modules`, `__pycache__`, Python virtual \
              environments (with a `pyvenv.cfg`) and folders marked with a valid `CACHEDIR.TAG`.",
    },
    Key {
        name: "checkpoint.max_file_size",
        kind: Kind::Size(0),
        project_rule: ProjectRule::MayRaise,
        doc: "Larger files are reported and not saved. 0: every file is saved.",
    },
    Key {
        name: "retention.days",
        kind: Kind::Number(30),
        project_rule: ProjectRule::MayRaise,
        doc: "For so many days everything is kept, as long as the store is not over its size. Older states are thinned: one \
              an hour for a week, one a day for three months, one a week after that. 0: nothing is thinned.",
    },
    Key {
        name: "retention.turns",
        kind: Kind::Number(0),
        project_rule: ProjectRule::MayRaise,
        doc: "If set: how many of the newest turns of agents (a prompt and all its steps) are kept. 0: no such limit.",
    },
    Key {
        name: "retention.manual",
        kind: Kind::Number(0),
        project_rule: ProjectRule::MayRaise,
        doc: "If set: how many of the newest checkpoints made by hand are kept. 0: no such limit. Pinned ones are always kept.",
    },
    Key {
        name: "retention.safety",
        kind: Kind::Number(0),
        project_rule: ProjectRule::MayRaise,
        doc: "If set: how many of the newest safety checkpoints (made before each restore) are kept. 0: no such limit.",
    },
    Key {
        name: "retention.max_store_size",
        kind: Kind::Size(10 << 30),
        project_rule: ProjectRule::MayRaise,
        doc: "When the store grows over this, states of agents go, the oldest first, then safety ones, then those made at \
              commits; a state with the last copy of a deleted file goes last, and vib says so. What you saved by hand or \
              pinned stays. 0: without limit.",
    },
    Key {
        name: "outside.max_store_size",
        kind: Kind::Size(1 << 30),
        project_rule: ProjectRule::UserOnly,
        doc: "What agents change outside every project is saved in a store of its own (`vib undo /path`), which grows up to \
              this size; then the oldest states go. 0: without limit.",
    },
    Key {
        name: "patch.keep_regions",
        kind: Kind::Choice(&["reason", "strict"]),
        project_rule: ProjectRule::MayTighten,
        doc: "Lines between `VIBE-KEEP START` and `VIBE-KEEP END`: `reason` lets a patch change them when a person gives a \
              reason; `strict` never does.",
    },
    Key {
        name: "guard.covered",
        kind: Kind::Choice(&["allow", "ask"]),
        project_rule: ProjectRule::MayTighten,
        doc: "A command that loses only what a checkpoint brings back: `allow` it, with a checkpoint, or `ask` as a \
              guard without checkpoints would. `VIBELIGN_GUARD_COVERED` in the environment wins.",
    },
    Key {
        name: "guard.approve",
        kind: Kind::Choice(&["list", "covered", "off"]),
        project_rule: ProjectRule::MayTightenBy(&["covered", "list", "off"]),
        doc: "What vib answers in your place when a client is about to ask you whether a step may run: yes to what your own policy \
              allows (`list`); also to what provably changes nothing, or only what a checkpoint that was taken brings back \
              (`covered`); nothing (`off`). Each such yes is in the history.",
    },
    Key {
        name: "guard.fence",
        kind: Kind::Choice(&["unknown", "all", "off"]),
        project_rule: ProjectRule::MayTightenBy(&["off", "unknown", "all"]),
        doc: "Which commands of agents run behind the fence, so that the kernel refuses them to write outside the project (see \
              `docs/fence.md`): those that vib cannot see through (`unknown`), every one that may change something (`all`), none (`off`). \
              Built in for Claude Code and OpenCode; for other clients it counts only if you set it.",
    },
    Key {
        name: "guard.fence_hide",
        kind: Kind::Words,
        project_rule: ProjectRule::MayAdd,
        doc: "Files and folders that commands behind the fence may not read, such as `~/.aws` or `~/.ssh` (git over ssh needs that one). \
              Nothing is hidden unless you say so.",
    },
    Key {
        name: "guard.llm_command",
        kind: Kind::Words,
        project_rule: ProjectRule::UserOnly,
        doc: "A program, with its arguments, that is asked about commands that vib does not understand (see \
              `docs/judge.md`). Empty: nobody is asked but you.",
    },
    Key {
        name: "guard.llm_env",
        kind: Kind::Words,
        project_rule: ProjectRule::UserOnly,
        doc: "Names of environment variables that the program of `guard.llm_command` may see, such as the one that \
              holds its key. Besides these it sees only `PATH` and the language.",
    },
    Key {
        name: "guard.llm_timeout",
        kind: Kind::Number(10),
        project_rule: ProjectRule::UserOnly,
        doc: "Seconds after which the program of `guard.llm_command` is stopped and you are asked.",
    },
    Key {
        name: "lane.fence",
        kind: Kind::Choice(&["auto", "off", "strict"]),
        project_rule: ProjectRule::MayTightenBy(&["off", "auto", "strict"]),
        doc: "The fence around a whole agent that vib starts (`vib drive`), so that the kernel refuses it to write outside its folder and its own \
              settings: where the kernel has one (`auto`), never (`off`), or nothing is started without it (`strict`).",
    },
    Key {
        name: "budget.run_cents",
        kind: Kind::Number(0),
        project_rule: ProjectRule::UserOnly,
        doc: "What one run of an agent that vib starts may cost, in cents of a dollar. At 80 % you are told, at 100 % it is cancelled. 0: \
              without limit.",
    },
    Key {
        name: "budget.run_tokens",
        kind: Kind::Number(0),
        project_rule: ProjectRule::UserOnly,
        doc: "How many tokens one run of an agent that vib starts may use, sent and received. 0: without limit.",
    },
    Key {
        name: "budget.day_cents",
        kind: Kind::Number(0),
        project_rule: ProjectRule::UserOnly,
        doc: "What all runs of a day in a project may cost together, in cents of a dollar. 0: without limit.",
    },
    Key {
        name: "budget.day_tokens",
        kind: Kind::Number(0),
        project_rule: ProjectRule::UserOnly,
        doc: "How many tokens all runs of a day in a project may use together. 0: without limit.",
    },
    Key {
        name: "stop.mode",
        kind: Kind::Choice(&["warn", "block", "off"]),
        project_rule: ProjectRule::MayTightenBy(&["off", "warn", "block"]),
        doc: "When an agent says that it is done while something is open (a check that failed, items of its own list): tell you (`warn`), \
              let it go on instead, at most twice (`block`), or say nothing (`off`). See `docs/gates.md`.",
    },
    Key {
        name: "stop.gates",
        kind: Kind::Names,
        project_rule: ProjectRule::MayAdd,
        doc: "What has to be in order when an agent says that it is done: `tests`, `tasks`, `acceptance`, `regressions`, `review`. Empty: \
              `tests` and `tasks`.",
    },
    Key {
        name: "stop.acceptance",
        kind: Kind::Names,
        project_rule: ProjectRule::MayAdd,
        doc: "For the gate `acceptance`: what has to be so before the work counts as done. A criterion that names a command in backticks is shown by that \
              command; every other one you tick with `vib stop accept`.",
    },
    Key {
        name: "stop.max_blocks",
        kind: Kind::Number(2),
        project_rule: ProjectRule::UserOnly,
        doc: "With `stop.mode = block`: how often in one turn an agent has to go on before it is let go with a list of what is open. More than \
              2 counts as 2.",
    },
    Key {
        name: "stop.markers",
        kind: Kind::Names,
        project_rule: ProjectRule::Free,
        doc: "Further marks by which an agent says that it is done, besides `[done]` and `<!-- vib:done -->`.",
    },
    Key {
        name: "verify.profile",
        kind: Kind::Choice(&["auto", "quick", "standard", "deep"]),
        project_rule: ProjectRule::Free,
        doc: "How thoroughly `vib verify` looks when nobody says: by the risk of what changed (`auto`), or always so.",
    },
    Key {
        name: "verify.checks",
        kind: Kind::Names,
        project_rule: ProjectRule::Free,
        doc: "The project's checks as command lines, separated by commas, instead of those that its files name. Each is asked about once before \
              it is run.",
    },
    Key {
        name: "verify.on_stop",
        kind: Kind::Choice(&["off", "quick", "standard"]),
        project_rule: ProjectRule::UserOnly,
        doc: "Run a verification when an agent says that it is done, before that is believed; up to 45 seconds, in a private copy. Only checks that \
              you allowed are run.",
    },
    Key {
        name: "verify.on_failure",
        kind: Kind::Choice(&["off", "quick", "standard"]),
        project_rule: ProjectRule::UserOnly,
        doc: "Look at what changed when an agent gets the same error for the second time, once in a turn, and tell it what is wrong there: the files \
              (`quick`), or the checks as well (`standard`); up to 20 seconds.",
    },
    Key {
        name: "verify.review_command",
        kind: Kind::Words,
        project_rule: ProjectRule::UserOnly,
        doc: "A program, with its arguments, that looks through the work in `vib verify --profile deep` (see `docs/gates.md`). It sees the variables of \
              `guard.llm_env`. Empty: only the list of facts.",
    },
    Key {
        name: "delegation.mode",
        kind: Kind::Choice(&["off", "warn", "block"]),
        project_rule: ProjectRule::MayTightenBy(&["off", "warn", "block"]),
        doc: "For agents with a role (`AGENT_ROLE`, `vib role set`): say it (`warn`) or refuse the call (`block`) when a conductor or leader works \
              too much itself instead of handing work on.",
    },
    Key {
        name: "delegation.conductor_limit",
        kind: Kind::Number(3),
        project_rule: ProjectRule::UserOnly,
        doc: "So many changes in a row a conductor may make itself.",
    },
    Key {
        name: "delegation.leader_limit",
        kind: Kind::Number(8),
        project_rule: ProjectRule::UserOnly,
        doc: "So many changes in a row a leader may make itself.",
    },
    Key {
        name: "delegation.allow",
        kind: Kind::List(&[".claude/**", ".vibelign/**", "docs/**", "*.md"]),
        project_rule: ProjectRule::UserOnly,
        doc: "Files whose edits are not counted as work.",
    },
    Key {
        name: "qa.mode",
        kind: Kind::Choice(&["suggest", "answer", "off"]),
        project_rule: ProjectRule::MayTightenBy(&["answer", "suggest", "off"]),
        doc: "When an agent asks something that you answered before: tell it the answer of then (`suggest`), answer in your place (`answer`), or \
              nothing (`off`). Never for permissions, deletions and keys.",
    },
    Key {
        name: "qa.ttl_days",
        kind: Kind::Number(90),
        project_rule: ProjectRule::UserOnly,
        doc: "Answers that you give to agents' questions count for so many days.",
    },
    Key {
        name: "privacy.identifiers",
        kind: Kind::Names,
        project_rule: ProjectRule::MayAdd,
        doc: "Names that must not leave this machine: customers, projects, people. They are replaced in everything \
              that is cleaned.",
    },
    Key {
        name: "privacy.internal_domains",
        kind: Kind::Names,
        project_rule: ProjectRule::MayAdd,
        doc: "Domains whose hosts are internal, such as `corp.example.com`, besides the usual ones (`.local`, `.lan`).",
    },
    Key {
        name: "privacy.allow",
        kind: Kind::Names,
        project_rule: ProjectRule::MayAddIf("privacy.project_may_allow"),
        doc: "Text that stays although it looks private: an e-mail address, a host, a path. It never lets a secret \
              through. A project's own list counts only with `privacy.project_may_allow`.",
    },
    Key {
        name: "privacy.project_may_allow",
        kind: Kind::Flag(false),
        project_rule: ProjectRule::UserOnly,
        doc: "Let projects add to `privacy.allow`. Only your own settings can switch this on.",
    },
    Key {
        name: "audit.window_days",
        kind: Kind::Number(30),
        project_rule: ProjectRule::MayRaise,
        doc: "The window over which `vib audit slo` proves the safety rules. Rows inside it are never cut away, \
              however large the log grows.",
    },
    Key {
        name: "memory.conflict_window_seconds",
        kind: Kind::Number(60),
        project_rule: ProjectRule::Free,
        doc: "Two tools that say different things within so many seconds disagree: both are kept, and you are asked.",
    },
    Key {
        name: "memory.minimal",
        kind: Kind::Flag(false),
        project_rule: ProjectRule::Free,
        doc: "Remember only the goal, the next step and the checks; nothing that vib sees by itself besides.",
    },
    Key {
        name: "memory.listen",
        kind: Kind::Flag(true),
        project_rule: ProjectRule::UserOnly,
        doc: "Note what you say in the chat that is meant to stay (\"from now on …\", \"never …\"), as something you said and nobody \
              confirmed, and tell it to the next agent.",
    },
    Key {
        name: "memory.suggest",
        kind: Kind::Flag(false),
        project_rule: ProjectRule::UserOnly,
        doc: "Show suggestions in the chat, each at most once a week. They are always in `vib status` and `vib memory triggers`.",
    },
    Key {
        name: "memory.hold_out",
        kind: Kind::Number(5),
        project_rule: ProjectRule::UserOnly,
        doc: "In so many sessions of a hundred, agents are told nothing that vib learnt by itself, so that it can be seen whether it \
              helps. What you said is always told. 0 switches it off.",
    },
    Key {
        name: "memory.recall_tokens.usual",
        kind: Kind::Number(250),
        project_rule: ProjectRule::Free,
        doc: "Most tokens of memories that are told with a prompt.",
    },
    Key {
        name: "memory.recall_tokens.conductor",
        kind: Kind::Number(400),
        project_rule: ProjectRule::Free,
        doc: "The same for an agent that hands work on (`AGENT_ROLE=conductor`, `vib role set`): it plans, so it is told more.",
    },
    Key {
        name: "memory.recall_tokens.leader",
        kind: Kind::Number(250),
        project_rule: ProjectRule::Free,
        doc: "The same for a leader.",
    },
    Key {
        name: "memory.recall_tokens.musician",
        kind: Kind::Number(120),
        project_rule: ProjectRule::Free,
        doc: "The same for a musician and for sub-agents: they do one thing, so they are told little.",
    },
    Key {
        name: "memory.decisions.cap",
        kind: Kind::Number(50),
        project_rule: ProjectRule::Free,
        doc: "The newest so many decisions count as current. Older ones stay in the log.",
    },
    Key {
        name: "memory.events.cap",
        kind: Kind::Number(200),
        project_rule: ProjectRule::Free,
        doc: "The newest so many edits, commits and rollbacks are shown; older ones go into the archive.",
    },
    Key {
        name: "memory.verification.cap",
        kind: Kind::Number(30),
        project_rule: ProjectRule::Free,
        doc: "The newest so many checks are shown; older ones that vib only saw go into the archive.",
    },
    Key {
        name: "memory.relevant_files.cap",
        kind: Kind::Number(100),
        project_rule: ProjectRule::Free,
        doc: "The newest so many files that matter are shown.",
    },
    Key {
        name: "mcp.tools",
        kind: Kind::Choice(&["few", "all"]),
        project_rule: ProjectRule::UserOnly,
        doc: "How many tools the MCP server offers to agents: the five that they need most and those you granted (`few`), or all of \
              them (`all`). Each one costs an agent tokens in every request.",
    },
    Key {
        name: "lane.folder",
        kind: Kind::Folder,
        project_rule: ProjectRule::UserOnly,
        doc: "The folder in which lanes are made; without it one beside vib's state folder. On the disk of the project, contents of dependency \
              folders can be shared instead of copied where the disk can do that.",
    },
    Key {
        name: "lane.carry",
        kind: Kind::Choice(&["copy", "link", "off"]),
        project_rule: ProjectRule::UserOnly,
        doc: "What becomes of dependency folders that no checkpoint holds (`node_modules`, `.venv`, `vendor`) when a lane is made: they are \
              copied, with the content shared where the disk can do that (`copy`); linked, so that whoever installs something in the lane \
              changes the project's own (`link`); or left out (`off`).",
    },
    Key {
        name: "lane.warm",
        kind: Kind::Number(2),
        project_rule: ProjectRule::UserOnly,
        doc: "So many folders of dropped lanes are kept, so that the next lane writes only what is different and finds what was built there.",
    },
    Key {
        name: "run.provider",
        kind: Kind::Names,
        project_rule: ProjectRule::UserOnly,
        doc: "Which provider of a model is asked first, and which ones when it cannot answer, as `NAME` or `NAME/MODEL`, separated by commas. \
              Without it the first that can be asked is, and nobody else: your code goes only to those you name. `vib providers` lists them.",
    },
    Key {
        name: "run.bash",
        kind: Kind::Flag(false),
        project_rule: ProjectRule::UserOnly,
        doc: "Vib's own loop (`vib run`) may run commands in its lane, behind the fence, after the judge. `--bash` and `VIBE_ENABLE_BASH=1` say \
              the same for one run. Without it, it reads, searches, changes files by diffs and lets vib run the checks.",
    },
    Key {
        name: "run.bash_allow",
        kind: Kind::Names,
        project_rule: ProjectRule::UserOnly,
        doc: "Command lines that a run may run without a look of the judge, word for word, besides the project's checks.",
    },
    Key {
        name: "run.research",
        kind: Kind::Flag(false),
        project_rule: ProjectRule::UserOnly,
        doc: "Before each card of a run, a researcher with a context of its own looks around and hands on what it found, in at most 400 tokens.",
    },
    Key {
        name: "run.review",
        kind: Kind::Flag(true),
        project_rule: ProjectRule::UserOnly,
        doc: "After each card of a run, a reviewer with a context of its own looks at the change and says how risky it is. It sees the change, \
              the findings and the checks, never how the change came about.",
    },
    Key {
        name: "run.allow_weaker",
        kind: Kind::Flag(false),
        project_rule: ProjectRule::UserOnly,
        doc: "A weaker model may go on where the one you chose cannot answer. Each switch is told, also then.",
    },
    Key {
        name: "recall.model",
        kind: Kind::Folder,
        project_rule: ProjectRule::UserOnly,
        doc: "A folder with a model of word vectors (`tokenizer.json`, `model.safetensors`), with which `vib memory recall` also finds \
              what means the same. Nothing is downloaded; without it memories are found by words.",
    },
    Key {
        name: "ui.language",
        kind: Kind::Choice(&["auto", "en", "ko", "zh"]),
        project_rule: ProjectRule::UserOnly,
        doc: "The language in which explanations are given: English, Korean or Chinese. `auto` asks the environment \
              (`LC_ALL`, `LC_MESSAGES`, `LANG`).",
    },
    Key {
        name: "recovery.lock_timeout_seconds",
        kind: Kind::Number(60),
        project_rule: ProjectRule::UserOnly,
        doc: "A recovery that takes longer than this is stopped, and what it had done is taken back. Raise it for very \
              large projects.",
    },
    Key {
        name: "ui.color",
        kind: Kind::Choice(&["auto", "always", "never"]),
        project_rule: ProjectRule::Free,
        doc: "Colours in the terminal. `NO_COLOR` in the environment wins.",
    },
];

/// Where a key stands in [`KEYS`].
pub(super) fn position(name: &str) -> Result<usize> {
    KEYS.iter().position(|key| key.name == name).ok_or_else(|| {
        let last = |text: &str| text.rsplit('.').next().unwrap_or(text).replace('-', "_").to_lowercase();
        let wanted = last(name);
        let nearest = KEYS
            .iter()
            .find(|key| {
                last(key.name) == wanted || key.name.contains(&wanted) || wanted.contains(&last(key.name))
            })
            .map(|key| key.name.to_owned());
        Error::ConfigUnknownKey { key: name.to_owned(), nearest }
    })
}

/// `base` and then what `more` adds; `!item` takes one away where that is allowed.
pub(super) fn merge_list(base: &[String], more: &[String], may_remove: bool) -> Vec<String> {
    let mut merged = base.to_vec();
    for item in more {
        match item.strip_prefix('!') {
            Some(gone) if may_remove => merged.retain(|kept| kept != gone),
            Some(_) => {}
            None if merged.contains(item) => {}
            None => merged.push(item.clone()),
        }
    }
    merged
}
