//! Is this process inside a question that vib itself asked? (T11)
//!
//! To get a second opinion vib starts another program, which may be an agent client with vib's hooks in it: those have nothing to do there.
//! A bare variable would be a switch that anybody can set (a project's settings, an agent) to be rid of the guard. So it is a number that
//! was drawn for this one question and lies in vib's state, bound to the process that asks; it counts only below that very process, while
//! that is running, and only if it is the same program as this one.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use project::{Context, platform};

/// The variable that carries the number.
pub const VARIABLE: &str = "VIBELIGN_JUDGING";

/// Parents that are looked at; real chains are short.
const MOST_PARENTS: usize = 64;

/// A question that is being asked. Dropped, its number counts no more.
#[derive(Debug)]
pub struct Asking {
    file: PathBuf,
    number: String,
}

impl Asking {
    /// Draws a number for this process; nothing where that cannot be remembered: then hooks inside work as everywhere.
    pub fn begin(context: &Context) -> Option<Self> {
        let folder = folder(context)?;
        platform::make_private_dir(&folder).ok()?;
        let number = format!("{:016x}{:016x}", context.random_u64(), context.random_u64());
        let pid = std::process::id();
        let text = format!("{pid} {}", platform::process_start(pid)?);
        let file = folder.join(&number);
        project::write_private(&file, text.as_bytes()).ok()?;
        Some(Self { file, number })
    }

    /// What goes into the variable.
    pub fn number(&self) -> &str {
        &self.number
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.file);
    }
}

/// True if the variable names a question that is being asked right above this process.
pub fn is_inside(context: &Context) -> bool {
    context.variable(VARIABLE).is_some_and(|number| is_asked_above(context, &number))
}

fn is_asked_above(context: &Context, number: &OsStr) -> bool {
    let Some(number) =
        number.to_str().filter(|text| text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit()))
    else {
        return false;
    };
    let mut here = std::process::id();
    for _ in 0..MOST_PARENTS {
        match platform::parent_of(here) {
            Some(parent) if parent > 1 => here = parent,
            _ => return false,
        }
        if is_same_program(here) && is_asking(context, here, number) {
            return true;
        }
    }
    false
}

/// True if this process drew the number. Its state is where its own environment says: ours may be somebody else's word.
fn is_asking(context: &Context, pid: u32, number: &str) -> bool {
    let Some(variables) = platform::environment_of(pid) else { return false };
    let get = |name: &str| {
        variables.iter().find(|(key, _)| key.as_os_str() == name).map(|(_, value)| value.clone())
    };
    let Some(folder) = folder(&Context::with_environment(context.cwd().to_path_buf(), &get)) else {
        return false;
    };
    let Ok(text) = std::fs::read_to_string(folder.join(number)) else { return false };
    let start = platform::process_start(pid).map(|start| start.to_string());
    start.is_some_and(|start| text == format!("{pid} {start}"))
}

fn is_same_program(pid: u32) -> bool {
    let own = std::env::current_exe().ok();
    own.is_some() && platform::program_of(pid).as_deref() == own.as_deref().map(Path::new)
}

fn folder(context: &Context) -> Option<PathBuf> {
    Some(context.state().ok()?.join("judging"))
}
