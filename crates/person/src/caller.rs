//! Who called this hook: the client itself, or a command that its agent runs? (B4)
//!
//! A client starts a hook as its own child, or through a shell that has nothing else to do. What an agent's command starts has more
//! between it and the client: the shell of the command with everything that stands in it, a script, an interpreter.

use project::{Context, platform};

use crate::ancestry::{self, Above};
use crate::seen::{self, Seen};
use crate::{Agent, Sign, signs};

/// The agent whose command called the hook that this process is. Nothing if the client called, or nobody can tell.
pub fn command_of_an_agent(context: &Context) -> Option<Agent> {
    let (chain, _) = ancestry::chain_from(std::process::id());
    decide(&chain, &seen::running(context))
}

fn decide(chain: &[Above], clients: &[Seen]) -> Option<Agent> {
    let above = chain.get(1..)?;
    let client_at = above.iter().position(|above| {
        signs::client_of(&above.process).is_some() || clients.iter().any(|seen| seen.is(&above.process))
    })?;
    let (between, client) = (&above[..client_at], &above[client_at].process);
    if between.iter().all(|above| is_shell_of_a_hook(&above.process)) {
        return None;
    }
    let known = signs::client_of(client).or_else(|| {
        let seen = clients.iter().find(|seen| seen.is(client))?;
        Some(signs::client_named(&seen.client))
    })?;
    Some(Agent { title: known.title.to_owned(), client: known.client, sign: Sign::Above(client.pid) })
}

/// A shell that was started to call a hook and does nothing else: what a hook reads comes from the client.
fn is_shell_of_a_hook(process: &platform::Process) -> bool {
    signs::is_shell_for_one_line(process)
        && process.words.last().is_some_and(|line| {
            let rest = line.replace("||", "");
            line.contains(" hook ") && !rest.contains(['<', '|', ';', '\n', '`']) && !line.contains("$(")
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signs::tests::made;
    use project::platform::Process;

    fn above(pid: u32, program: &str, words: &[&str]) -> Above {
        Above { process: Process { pid, ..made(program, words) }, variable: None }
    }

    fn called(between: Vec<Above>) -> bool {
        let mut chain = vec![above(900, "/usr/bin/vib", &["vib", "hook", "claude-code"])];
        chain.extend(between);
        chain.push(above(28, "/usr/bin/claude", &["claude"]));
        chain.push(above(1, "/sbin/init", &["init"]));
        decide(&chain, &[]).is_some()
    }

    #[test]
    fn a_hook_that_the_client_calls_is_the_clients_b4() {
        let line = "command -v vib >/dev/null 2>&1 && exec vib hook claude-code --team || true";
        assert!(!called(vec![]));
        assert!(!called(vec![above(30, "/bin/dash", &["/bin/sh", "-c", "'/x/vib' hook claude-code"])]));
        assert!(!called(vec![above(30, "/bin/bash", &["bash", "-lc", line])]));
        // Nobody above is known: a person, a test, a client that vib has not met.
        let alone = vec![above(900, "/usr/bin/vib", &["vib"]), above(30, "/bin/bash", &["bash"])];
        assert_eq!(decide(&alone, &[]), None);
    }

    #[test]
    fn a_hook_that_an_agents_command_calls_is_not_b4() {
        let shell = |line: &str| above(30, "/bin/bash", &["/bin/bash", "-c", "-l", line]);
        assert!(called(vec![shell("source x.sh && eval 'vib hook claude-code < p.json' && pwd -P")]));
        assert!(called(vec![shell("cat p.json | vib hook claude-code")]));
        assert!(called(vec![shell("vib hook claude-code <<< '{}'")]));
        assert!(called(vec![
            above(31, "/bin/sh", &["sh", "-c", "vib hook codex"]),
            shell("sh -c 'vib hook codex' < p.json")
        ]));
        assert!(called(vec![
            above(31, "/usr/bin/python3", &["python3", "tools/run.py", "vib", "hook"]),
            shell("python3 x")
        ]));
        assert!(called(vec![above(31, "/bin/bash", &["bash", "play.sh"])]));
        let robot = above(77, "/opt/robot", &["robot"]);
        let chain =
            vec![above(900, "/usr/bin/vib", &["vib"]), above(31, "/bin/bash", &["bash", "play.sh"]), robot];
        let seen = Seen { pid: 77, start: 1, client: "codex".to_owned() };
        assert_eq!(decide(&chain, &[seen]).map(|agent| agent.title).as_deref(), Some("Codex"));
    }
}
