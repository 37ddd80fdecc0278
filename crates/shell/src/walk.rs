//! The walk: runs through the parsed tree as the shell would, keeping track of what is known.
//!
//! It follows variables, functions, aliases, the current folder and small files written on the way, and hands every
//! simple command to `run`. Branches are all taken; a value set in a branch is kept beside the old one. Everything is
//! bounded: depth, number of commands, number of alternatives. When a bound is hit the answer is "unknown", never "safe".

use crate::arithmetic::is_arithmetic;
use crate::context::JudgeContext;
use crate::findings::{Findings, Weight};
use crate::parse::Limits;
use crate::policy::Policy;
use crate::run::{is_harm, is_known};
use crate::value::{Arg, Data};
use brush_parser::ast::{
    AndOr, AndOrList, Command, CompoundCommand, CompoundList, ExtendedTestExpr, FunctionDefinition, Pipeline,
    RedirectList, SeparatorOperator,
};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// Deepest nesting of scripts, functions and wrappers that is followed.
const MAX_DEPTH: usize = 24;

/// Most commands that are looked at in one judgement.
const MAX_STEPS: usize = 4000;

/// Most values that a variable is followed through.
pub(crate) const MAX_ALTERNATIVES: usize = 40;

/// What is known while walking.
pub(crate) struct Walk<'a> {
    pub ctx: &'a JudgeContext<'a>,
    pub policy: &'a Policy,
    pub found: Findings,
    /// Values a variable may have; more than one after branches.
    pub vars: HashMap<String, Vec<Arg>>,
    pub arrays: HashMap<String, Vec<Arg>>,
    pub functions: BTreeMap<String, Rc<FunctionDefinition>>,
    pub called: Vec<String>,
    pub aliases: HashMap<String, String>,
    /// Symbolic links that this line itself made: where they are, and where they lead.
    pub links: Vec<(String, String)>,
    /// Content of files that this line itself wrote.
    pub files: HashMap<String, Data>,
    /// Current folder, `None` when it is not known.
    pub cwd: Option<String>,
    pub positional: Vec<Arg>,
    /// `$0`: the shell's name, or the word after the script of `sh -c`.
    pub zero: Arg,
    /// Which of several values variables show now, and how many there were.
    pub variant: usize,
    pub variants: usize,
    /// Whether paths are on another machine.
    pub remote: bool,
    /// A variable was set that makes programs load something from elsewhere.
    pub is_steered: bool,
    /// Inside a branch or loop: an assignment adds a value instead of replacing it.
    pub branches: usize,
    pub locals: Vec<Vec<(String, Option<Vec<Arg>>)>>,
    pub depth: usize,
    pub steps: usize,
    /// Names that started a background job or a pipe inside themselves.
    pub running: Vec<String>,
    pub running_functions: Vec<Rc<FunctionDefinition>>,
    pub loops_forever: usize,
    /// How many conditions stand before what is looked at: what is behind one may not happen.
    pub conditions: usize,
    /// The same where each running function began.
    pub conditions_at: Vec<usize>,
    /// What traps run when the shell ends.
    pub traps: Vec<String>,
    /// The command whose name is not known, as it was written: its expanded form would show nothing.
    pub unknown_line: String,
    pub limits: Limits,
    /// How many searches for hidden commands are under way.
    pub probing: usize,
    /// How many programs run each other at the moment: a wrapper and what it wraps are two.
    pub programs: usize,
    /// How deep expansions are nested in each other: `${a:-${b:-...}}`.
    pub expanding: usize,
    /// Whether the line has a word that may delete or overwrite: only then are whole trees looked through for what it lists.
    pub may_lose: bool,
    /// Programs under other names: copies and links that this line made.
    pub renamed: HashMap<String, String>,
    /// Variables with keys that the command uses.
    pub secret_names: Vec<String>,
    /// Folders that were listed, and how many names they had together.
    pub listings: HashMap<String, crate::there::Listing>,
    pub listed: usize,
    /// Sessions of a terminal multiplexer that this line opens.
    pub opened: Vec<String>,
    /// `shopt -s dotglob`: patterns match names with a dot too.
    pub dotglob: bool,
    /// The words that are read are settings for `env`: `env $(cat .env | xargs) node …`.
    pub wants_settings: bool,
    /// Time or steps were used up, also in a look whose findings are not kept: what was not looked at is not harmless.
    pub gave_up: bool,
    /// `shopt -s globstar`: `**` goes through folders.
    pub globstar: bool,
    /// Names that stand for other variables: `declare -n`.
    pub namerefs: HashMap<String, String>,
    /// Variables whose value is computed when they are set: `declare -i`.
    pub integers: Vec<String>,
    /// Folders that hold what was fetched from elsewhere by this line.
    pub foreign: Vec<String>,
    /// Files whose code is being read, so that a file that runs itself is read once.
    pub reading: Vec<String>,
    /// Remotes of git that this line adds, with their addresses.
    pub remotes: Vec<(String, String)>,
    /// Copies that this line makes, with what they are copies of.
    pub copied: HashMap<String, String>,
    /// What the program whose code is judged is given: words of the line, and its standard input.
    pub given: crate::code_parts::Given,
    pub given_stdin: Data,
    /// How many files were read because another one loads them.
    pub imported: usize,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(ctx: &'a JudgeContext<'a>, policy: &'a Policy, limits: Limits) -> Self {
        let mut vars = HashMap::new();
        let known = [
            ("HOME", ctx.home.to_string_lossy().into_owned()),
            ("IFS", " \t\n".to_owned()),
            ("TMPDIR", "/tmp".to_owned()),
            ("PATH", "/usr/bin:/bin".to_owned()),
            ("SHELL", "/bin/bash".to_owned()),
            ("BASH", "/bin/bash".to_owned()),
        ];
        for (name, value) in known {
            vars.insert(name.to_owned(), vec![Arg::new(value)]);
        }
        // Where vib and the agents keep their own: the usual places, unless the process says otherwise.
        let usual = [
            ("VIBELIGN_STATE", ctx.state_dir.clone()),
            ("VIBELIGN_CONFIG", ctx.config_dir.clone()),
            ("CLAUDE_CONFIG_DIR", ctx.home.join(".claude")),
            ("CODEX_HOME", ctx.home.join(".codex")),
        ];
        for (name, folder) in usual {
            vars.insert(name.to_owned(), vec![Arg::new(folder.to_string_lossy())]);
        }
        for (name, value) in &ctx.environment {
            vars.insert(name.clone(), vec![Arg::new(value.clone())]);
        }
        Self {
            ctx,
            policy,
            found: Findings::new(ctx.covered),
            vars,
            arrays: HashMap::new(),
            functions: BTreeMap::new(),
            called: Vec::new(),
            aliases: HashMap::new(),
            links: Vec::new(),
            files: HashMap::new(),
            cwd: Some(ctx.cwd.to_string_lossy().into_owned()),
            positional: Vec::new(),
            zero: Arg::new("bash"),
            variant: 0,
            variants: 1,
            remote: false,
            is_steered: false,
            branches: 0,
            locals: Vec::new(),
            depth: 0,
            steps: 0,
            running: Vec::new(),
            running_functions: Vec::new(),
            loops_forever: 0,
            conditions: 0,
            conditions_at: Vec::new(),
            traps: Vec::new(),
            unknown_line: String::new(),
            limits,
            probing: 0,
            programs: 0,
            expanding: 0,
            may_lose: false,
            secret_names: Vec::new(),
            renamed: HashMap::new(),
            listings: HashMap::new(),
            listed: 0,
            opened: Vec::new(),
            dotglob: false,
            wants_settings: false,
            gave_up: false,
            globstar: false,
            namerefs: HashMap::new(),
            integers: Vec::new(),
            foreign: Vec::new(),
            reading: Vec::new(),
            remotes: Vec::new(),
            copied: HashMap::new(),
            given: crate::code_parts::Given::default(),
            given_stdin: Data::default(),
            imported: 0,
        }
    }

    /// Whether the walk may go one level deeper and one command further.
    pub(crate) fn step(&mut self, about: &str) -> bool {
        self.steps += 1;
        if self.depth < MAX_DEPTH && self.steps < MAX_STEPS && !self.limits.is_over() {
            return true;
        }
        self.gave_up |= self.steps >= MAX_STEPS || self.limits.is_over();
        self.found.unknown(Weight::Ask, "too_complex", "too deep or too long to follow to the end", about);
        false
    }

    /// Judges a piece of shell text: the whole line, an `eval`, a `sh -c`, a decoded payload.
    pub(crate) fn script(&mut self, text: &str, stdin: Data) -> Data {
        if text.trim().is_empty() {
            return Data::default();
        }
        if !self.step(text) {
            return Data::unknown(stdin.taint);
        }
        if self.sql_statement(text) {
            return Data::default();
        }
        let Some(program) = self.limits.script(text) else {
            self.found.unknown(
                Weight::Ask,
                "not_parsed",
                "not valid shell, so nobody can say what it does",
                text,
            );
            return Data::unknown(stdin.taint);
        };
        self.depth += 1;
        let mut out = Data::default();
        for list in &program.complete_commands {
            out = join(out, self.list(list, &stdin));
        }
        self.depth -= 1;
        out
    }

    /// Judges a script whose text may not be known.
    pub(crate) fn script_data(&mut self, data: &Data, stdin: Data, about: &str) -> Data {
        if data.taint.network {
            self.found.add(
                Weight::Ask,
                "runs_downloaded_code",
                "runs code that comes straight from the network",
                about,
            );
            self.found.verdict.network = true;
        } else if data.taint.decoded && data.text.is_none() {
            self.found.add(
                Weight::Ask,
                "runs_decoded_code",
                "runs code that is encoded and cannot be read here",
                about,
            );
        }
        match &data.text {
            Some(text) => self.script(&text.clone(), stdin),
            None => {
                self.found.unknown(
                    Weight::Ask,
                    "runs_unknown_code",
                    "runs shell code that is not visible here",
                    about,
                );
                Data::unknown(stdin.taint.and(data.taint))
            }
        }
    }

    pub(crate) fn list(&mut self, list: &CompoundList, stdin: &Data) -> Data {
        let mut out = Data::default();
        for item in &list.0 {
            let background = matches!(item.1, SeparatorOperator::Async);
            if background && self.loops_forever > 0 {
                self.found.add(
                    Weight::Deny,
                    "fork_bomb",
                    "starts background jobs without end",
                    &item.0.to_string(),
                );
            }
            if background {
                // It goes on when the line has ended.
                self.found.exact.is_not();
                self.running.push("&".to_owned());
            }
            out = join(out, self.and_or(&item.0, stdin));
            if background {
                self.running.pop();
            }
        }
        out
    }

    fn and_or(&mut self, list: &AndOrList, stdin: &Data) -> Data {
        let mut out = self.pipeline(&list.first, stdin);
        for next in &list.additional {
            let (pipeline, doubtful) = match next {
                AndOr::And(pipeline) => (pipeline, false),
                AndOr::Or(pipeline) => (pipeline, true),
            };
            self.branches += usize::from(doubtful);
            self.conditions += 1;
            out = join(out, self.pipeline(pipeline, stdin));
            self.conditions -= 1;
            self.branches -= usize::from(doubtful);
        }
        out
    }

    fn pipeline(&mut self, pipeline: &Pipeline, stdin: &Data) -> Data {
        let piped = pipeline.seq.len() > 1;
        let mut data = stdin.clone();
        let cwd = self.cwd.clone();
        for command in &pipeline.seq {
            if piped {
                self.running.push("|".to_owned());
            }
            data = self.command(command, data);
            if piped {
                self.running.pop();
                data.present = true;
                // Every part of a pipeline has a shell of its own.
                self.cwd.clone_from(&cwd);
            }
        }
        data
    }

    pub(crate) fn command(&mut self, command: &Command, stdin: Data) -> Data {
        if !self.step("command") {
            return Data::unknown(stdin.taint);
        }
        self.depth += 1;
        let out = match command {
            Command::Simple(simple) => self.simple(simple, stdin),
            Command::Compound(compound, redirects) => {
                self.with_redirects(redirects.as_ref(), stdin, |walk, stdin| walk.compound(compound, stdin))
            }
            Command::Function(function) => {
                self.define(function);
                Data::default()
            }
            Command::ExtendedTest(test, redirects) => {
                self.with_redirects(redirects.as_ref(), stdin, |walk, _| {
                    walk.test(&test.expr);
                    Data::default()
                })
            }
        };
        self.depth -= 1;
        out
    }

    pub(crate) fn with_redirects(
        &mut self,
        redirects: Option<&RedirectList>,
        stdin: Data,
        body: impl FnOnce(&mut Self, Data) -> Data,
    ) -> Data {
        let mut streams = crate::redirect::Streams::new(stdin);
        for redirect in redirects.iter().flat_map(|list| &list.0) {
            self.redirect(redirect, &mut streams);
        }
        let out = body(self, streams.stdin.clone());
        self.store_output(&streams, out)
    }

    pub(crate) fn compound(&mut self, compound: &CompoundCommand, stdin: Data) -> Data {
        match compound {
            CompoundCommand::Arithmetic(arithmetic) => {
                self.arithmetic_or_shells(&arithmetic.expr.value, stdin)
            }
            CompoundCommand::ArithmeticForClause(clause) => {
                for expr in [&clause.initializer, &clause.condition, &clause.updater].into_iter().flatten() {
                    self.arithmetic(&expr.value);
                }
                let endless = clause.condition.as_ref().is_none_or(|c| matches!(c.value.trim(), "" | "1"))
                    && !is_held_back(&clause.body.list);
                self.looped(endless, |walk| walk.list(&clause.body.list, &stdin))
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list, &stdin),
            CompoundCommand::Subshell(subshell) => self.subshell(&subshell.list, &stdin),
            CompoundCommand::ForClause(clause) => {
                let values = match &clause.values {
                    Some(words) => words.iter().flat_map(|word| self.expand(&word.value)).collect(),
                    None => self.positional.clone(),
                };
                let values = if values.len() > MAX_ALTERNATIVES { summarise(values) } else { values };
                if !values.is_empty() {
                    self.vars.insert(clause.variable_name.clone(), values);
                }
                self.looped(false, |walk| walk.list(&clause.body.list, &stdin))
            }
            CompoundCommand::CaseClause(clause) => {
                self.expand_plain(&clause.value.value);
                let mut out = Data::default();
                self.branches += 1;
                self.conditions += 1;
                for case in &clause.cases {
                    // A pattern is expanded like any word, and a substitution in it runs.
                    for pattern in &case.patterns {
                        self.expand_plain(&pattern.value);
                    }
                    if let Some(body) = &case.cmd {
                        out = join(out, self.list(body, &stdin));
                    }
                }
                self.branches -= 1;
                self.conditions -= 1;
                out
            }
            CompoundCommand::IfClause(clause) => {
                let mut out = self.list(&clause.condition, &stdin);
                self.branches += 1;
                self.conditions += 1;
                out = join(out, self.list(&clause.then, &stdin));
                for other in clause.elses.iter().flatten() {
                    if let Some(condition) = &other.condition {
                        out = join(out, self.list(condition, &stdin));
                    }
                    out = join(out, self.list(&other.body, &stdin));
                }
                self.branches -= 1;
                self.conditions -= 1;
                out
            }
            CompoundCommand::WhileClause(clause) | CompoundCommand::UntilClause(clause) => {
                let condition = clause.0.to_string();
                let endless = matches!(
                    condition.trim().trim_end_matches(';'),
                    "true"
                        | ":"
                        | "false"
                        | "((1))"
                        | "(( 1 ))"
                        | "[ 1 ]"
                        | "[ true ]"
                        | "[[ 1 ]]"
                        | "test 1"
                ) && !is_held_back(&clause.1.list);
                self.list(&clause.0, &stdin);
                self.looped(endless, |walk| walk.list(&clause.1.list, &stdin))
            }
            CompoundCommand::Coprocess(coprocess) => self.command(&coprocess.body, stdin),
        }
    }

    /// `(( x ))`, which the parser also makes of `( ( x ) )`.
    fn arithmetic_or_shells(&mut self, text: &str, stdin: Data) -> Data {
        let acts = |walk: &mut Self| {
            let verdict = walk.probed(|walk| {
                walk.script(text, Data::default());
            });
            let first = text.split_whitespace().next().unwrap_or_default();
            is_harm(&verdict) || verdict.can_write && is_known(first)
        };
        let computes = is_arithmetic(text);
        if computes {
            self.arithmetic(text);
        }
        // A single name is both; what would do something as a command counts as one.
        if !computes || acts(self) {
            let (cwd, vars) = (self.cwd.clone(), self.vars.clone());
            let out = self.script(text, stdin);
            (self.cwd, self.vars) = (cwd, vars);
            return out;
        }
        Data::default()
    }

    fn looped(&mut self, endless: bool, body: impl FnOnce(&mut Self) -> Data) -> Data {
        self.found.exact.is_not();
        self.branches += 1;
        // The body of a loop that ends may run no time at all.
        self.conditions += usize::from(!endless);
        self.loops_forever += usize::from(endless);
        let out = body(self);
        self.loops_forever -= usize::from(endless);
        self.conditions -= usize::from(!endless);
        self.branches -= 1;
        out
    }

    pub(crate) fn subshell(&mut self, list: &CompoundList, stdin: &Data) -> Data {
        let (cwd, vars, endless) = (self.cwd.clone(), self.vars.clone(), self.loops_forever);
        let waits = list.0.iter().any(|item| item.0.to_string().trim() == "wait");
        if waits {
            self.loops_forever = 0;
        }
        let out = self.list(list, stdin);
        self.cwd = cwd;
        self.vars = vars;
        self.loops_forever = endless;
        out
    }

    /// The words of a test are expanded, and a substitution in them runs.
    fn test(&mut self, expr: &ExtendedTestExpr) {
        let mut open = vec![expr];
        while let Some(expr) = open.pop() {
            match expr {
                ExtendedTestExpr::And(a, b) | ExtendedTestExpr::Or(a, b) => open.extend([&**b, &**a]),
                ExtendedTestExpr::Not(a) | ExtendedTestExpr::Parenthesized(a) => open.push(a),
                ExtendedTestExpr::UnaryTest(kind, word) => {
                    let name = self.expand_whole(&word.value);
                    if matches!(kind.to_string().as_str(), "-v" | "-R") {
                        self.evaluated_name(&name.text);
                    }
                }
                ExtendedTestExpr::BinaryTest(kind, a, b) => {
                    let (a, b) = (self.expand_whole(&a.value), self.expand_whole(&b.value));
                    if matches!(kind.to_string().as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge") {
                        self.evaluated(&a.text);
                        self.evaluated(&b.text);
                    }
                }
            }
        }
    }

    /// Sets a variable: replaces it on the straight path, adds a possibility inside a branch.
    pub(crate) fn assign(&mut self, name: &str, value: Arg) {
        self.computed_if_number(name, &value);
        let real = self.real_name(name);
        if real != name {
            self.environment(&real, &value);
        }
        let name = real.as_str();
        if matches!(name, "PATH" | "CDPATH") {
            // Programs and folders are others from here on.
            self.found.exact.is_not();
        }
        let values = self.vars.entry(name.to_owned()).or_default();
        if self.branches == 0 && self.variant == 0 {
            values.clear();
        }
        if !values.contains(&value) {
            values.push(value);
        }
        if values.len() > MAX_ALTERNATIVES {
            *values = summarise(std::mem::take(values));
        }
    }
}

/// Whether something in a loop's body waits or leaves it, so that what it starts does not pile up.
fn is_held_back(body: &CompoundList) -> bool {
    body.0.iter().filter(|item| !matches!(item.1, SeparatorOperator::Async)).any(|item| {
        let text = item.0.to_string();
        let mut words = text.split(|c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|'));
        !text.starts_with('(')
            && !body.to_string().contains("disown")
            && words.any(|word| {
                matches!(word, "wait" | "break" | "exit" | "return" | "sleep" | "read" | "inotifywait")
            })
    })
}

/// Output of two commands after each other.
pub(crate) fn join(first: Data, second: Data) -> Data {
    if !first.present {
        return second;
    }
    if !second.present {
        return first;
    }
    let text = match (first.text, second.text) {
        (Some(a), Some(b)) if a.len() + b.len() < crate::nesting::MAX_BYTES => Some(a + &b),
        _ => None,
    };
    let names = first.names && second.names;
    let special = first.special.into_iter().chain(second.special).collect();
    Data { text, present: true, taint: first.taint.and(second.taint), names, special }
}

/// Many values as few: the first ones and "something else".
fn summarise(mut values: Vec<Arg>) -> Vec<Arg> {
    let taint = values.iter().fold(crate::value::Taint::default(), |taint, arg| taint.and(arg.taint));
    values.truncate(MAX_ALTERNATIVES - 1);
    values.push(Arg { taint, ..Arg::hole() });
    values
}
