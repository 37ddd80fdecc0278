//! What a prompt asks of vib: going back, the code that confirms it, a lesson, or letting the agent go on. (HK4, U11)
//!
//! A phrase inside a longer request ("add an undo button") is no command: the whole prompt has to be one. What is understood
//! here is taken from the agent, so what is in doubt is left to it.

mod chinese;
mod code;
mod english;
mod japanese;
mod korean;
mod slots;

pub(super) use code::Waiting;

/// What a prompt asks of vib.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// Back by so many requests.
    Back(usize),
    /// To the state with this id.
    To(String),
    /// Yes to what was shown.
    Confirm,
    /// The agent may go on after it was stopped.
    GoOn,
}

/// A longer prompt, in bytes, is no command.
const LONGEST: usize = 200;

/// What going back is called as a command, with a number of turns or an id after it.
const COMMANDS: &[&str] = &["/rollback", "/vib:rollback", "/undo", "/vib:undo", "vib rollback", "vib undo"];
const GO_ON_COMMANDS: &[&str] = &["/go-on", "/vib:go-on", "/vib:goon", "/vib:resume"];

/// A short line that begins with one of vib's own commands, and with more than was understood.
pub(super) fn command_not_understood(prompt: &str) -> Option<&str> {
    const LONGEST: usize = 120;
    let line = prompt.trim();
    let is_command = |command: &&&str| {
        command.starts_with('/')
            && line.strip_prefix(**command).is_some_and(|rest| rest.starts_with(char::is_whitespace))
    };
    let is_short = line.chars().count() <= LONGEST && !line.contains('\n');
    COMMANDS.iter().find(is_command).filter(|_| is_short).map(|_| line)
}

/// What is asked for. `waiting`: a rollback that was shown; `resting`: the agent of this session was stopped.
pub(super) fn understand(prompt: &str, waiting: Option<Waiting<'_>>, resting: bool) -> Option<Wish> {
    let prompt = prompt.trim();
    if waiting.is_some_and(|waiting| code::confirms(prompt, &waiting)) {
        return Some(Wish::Confirm);
    }
    if prompt.len() > LONGEST {
        return None;
    }
    let text = prompt.trim_end_matches(['.', '!', '。', '！', '~']).trim_end().to_lowercase();
    if let Some(wish) = COMMANDS.iter().find_map(|command| going_back(text.strip_prefix(command)?)) {
        return Some(wish);
    }
    if resting && lets_go_on(&text) {
        return Some(Wish::GoOn);
    }
    let asks_back = english::asks_back(&text)
        || korean::asks_back(&text)
        || chinese::asks_back(&text)
        || japanese::asks_back(&text);
    asks_back.then_some(Wish::Back(1))
}

fn lets_go_on(text: &str) -> bool {
    GO_ON_COMMANDS.contains(&text)
        || english::lets_go_on(text)
        || korean::lets_go_on(text)
        || chinese::lets_go_on(text)
        || japanese::lets_go_on(text)
}

/// What stands after the command.
fn going_back(rest: &str) -> Option<Wish> {
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    match rest.trim() {
        "" => Some(Wish::Back(1)),
        number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(Wish::Back(number.parse().unwrap_or(usize::MAX).clamp(1, 1_000)))
        }
        id if !id.contains(char::is_whitespace) && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            Some(Wish::To(id.to_owned()))
        }
        _ => None,
    }
}

/// The person says that what is open is fine as it is: `vib ok`, `/vib ok`.
pub(super) fn accepts(prompt: &str) -> bool {
    let words = prompt.trim().trim_end_matches(['.', '!']).to_ascii_lowercase();
    matches!(words.split_whitespace().collect::<Vec<_>>()[..], ["vib" | "/vib", "ok" | "okay"] | ["/vib:ok"])
}

/// The lesson in a prompt that begins with `/lesson`, as a whole word, or with `vib lesson:`.
pub(super) fn lesson_in(prompt: &str) -> Option<&str> {
    let prompt = prompt.trim();
    let plain = "vib lesson:";
    if prompt.get(..plain.len()).is_some_and(|start| start.eq_ignore_ascii_case(plain)) {
        return Some(prompt[plain.len()..].trim());
    }
    let (word, rest) = prompt.split_once(char::is_whitespace).unwrap_or((prompt, ""));
    ["/lesson", "/vib:lesson"].iter().any(|name| word.eq_ignore_ascii_case(name)).then(|| rest.trim())
}

#[cfg(test)]
mod tests;
