//! What would this command line do?
//!
//! [`judge`] reads a shell command as the shell would, without running anything, and answers what it can write and delete,
//! whether that is reversible by a checkpoint, whether it leaves the project or the machine, what could not be understood,
//! and whether it may run: allow, allow with a checkpoint, ask, deny, each with reasons in plain words. [`may_write`] is
//! the short question that decides whether a checkpoint is needed at all.
//!
//! Promises: nothing is executed; no environment is read, and files are seen only through [`FileView`]; what is not
//! understood is listed as unknown and never called safe; time and depth are bounded on any input.
//!
//! Where to start reading: `walk` follows the parsed tree, `expand` turns words into arguments, `run` decides who judges a
//! command, `known` applies the tables in `tables/`, `effects` says what a write or deletion at a place means, `place`
//! knows the places.

#![expect(
    clippy::needless_pass_by_value,
    reason = "what flows through a pipe is used up by the command that reads it"
)]

mod archive;
mod arithmetic;
mod braces;
mod builtins;
mod choices;
mod code;
mod code_calls;
mod code_disguise;
mod code_effects;
mod code_flows;
mod code_given;
mod code_imports;
mod code_more;
mod code_names;
mod code_parts;
mod code_taken;
mod code_text;
mod code_tokens;
mod code_values;
mod context;
mod editors;
mod effects;
mod evaluation;
mod exact;
mod expand;
mod files;
mod filters;
mod findings;
mod foreign;
mod found;
mod functions;
mod git;
mod git_clean;
mod git_commands;
mod git_config;
mod git_names;
mod git_programs;
mod here_tags;
mod judge;
mod known;
mod leftovers;
mod loads;
mod named_outputs;
mod names;
mod nesting;
mod net;
mod option_code;
mod options;
mod other_doors;
mod other_languages;
mod outputs;
mod parse;
mod patterns;
mod place;
mod policy;
mod powershell;
mod printed;
mod publishing;
mod quiet;
mod quoting;
mod redirect;
mod run;
mod runners;
mod search;
mod secret_files;
mod settings_file;
mod shells;
mod simple;
mod sql;
mod table;
mod task_files;
mod terminals;
mod text_tools;
mod there;
mod unread;
mod unsaved;
mod unseen;
mod value;
mod verbs;
mod verdict;
mod walk;
mod wrappers;

pub use context::{Covered, FileView, JudgeContext, Kind, NoFiles, StdFiles};
pub use git_config::git_aliases;
pub use git_programs::git_steering;
pub use judge::{judge, may_write};
pub use other_doors::holds_live_key;
pub use patterns::fits as fits_pattern;
pub use place::place_of;
pub use policy::{Policy, PolicyLayer, PolicyRule};
pub use search::EACH;
pub use secret_files::is_secret;
pub use sql::takes_data_away;
pub use verdict::{Decision, KnownWrite, Place, Reason, Target, Verdict};
