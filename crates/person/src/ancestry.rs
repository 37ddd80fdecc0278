//! Who is above this process? The decision is pure ([`decide`]); what it is made from is read from the system once.
//!
//! In the order of how much each says: a client above us, by name or because it calls vib's hooks; a variable of a client in our own
//! environment or in that of a process above us (it survives `env -u`, `setsid` and a lost parent); a client above the leader of our
//! session; and, where we lost our parent, a client that is running and is older.
//!
//! Where nobody can be seen (no list of processes, a namespace of processes of its own beside clients in another, parents that are
//! hidden) it is not believed to be a person, unless they sit at a terminal that nobody there opened. (B4)

use std::collections::HashMap;

use platform::Process;
use project::{Context, platform};

use crate::seen::{self, Seen};
use crate::signs::{self, Known};
use crate::{Agent, Sign, Who};

/// Parents that are looked at; real chains are short.
const MOST_PARENTS: usize = 64;

/// A process with the client that its variables name.
#[derive(Debug, Clone)]
pub(crate) struct Above {
    pub(crate) process: Process,
    pub(crate) variable: Option<(Known, &'static str)>,
}

/// How far up the processes could be followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Top {
    /// To the first one there is, or to one that was started from outside (as into a container).
    #[default]
    Reached,
    /// To one that is hidden.
    Hidden,
}

/// Everything that the decision is made from.
#[derive(Debug, Default)]
struct Scene {
    /// This process first, then its parents, as far up as they are known.
    chain: Vec<Above>,
    /// The leader of our session and what is above it, where that is another chain.
    leaders: Vec<Above>,
    /// A variable of a client in our own environment.
    variable: Option<(Known, &'static str)>,
    /// Clients that called vib's hooks and are running.
    clients: Vec<Seen>,
    /// The group of processes of this one and of those clients.
    groups: HashMap<u32, String>,
    /// How far up the chain goes.
    top: Top,
    /// The system does not tell which processes there are, though it should.
    is_blind: bool,
    /// Clients called hooks in another namespace of processes, which cannot be seen from here.
    is_apart: bool,
    /// Our terminal is led by a process that we see, and nobody of those above us opened it.
    has_own_terminal: bool,
}

pub(crate) fn who(context: &Context) -> Who {
    decide(&read(context)).map_or(Who::Person, Who::Agent)
}

fn decide(scene: &Scene) -> Option<Agent> {
    let agent =
        |known: Known, sign: Sign| Some(Agent { title: known.title.to_owned(), client: known.client, sign });
    for chain in [&scene.chain, &scene.leaders] {
        // This process is vib, whatever its file is called.
        for above in chain.iter().filter(|above| above.process.pid != std::process::id()) {
            if let Some(known) = signs::client_of(&above.process) {
                return agent(known, Sign::Above(above.process.pid));
            }
            if let Some(seen) = scene.clients.iter().find(|seen| seen.is(&above.process)) {
                return agent(signs::client_named(&seen.client), Sign::CallsHooks(above.process.pid));
            }
        }
    }
    let variables = scene.chain.iter().chain(&scene.leaders).filter_map(|above| above.variable);
    if let Some((known, name)) = scene.variable.into_iter().chain(variables).next() {
        return agent(known, Sign::Variable(name));
    }
    if let Some(seen) = orphaned_by(scene) {
        return agent(signs::client_named(&seen.client), Sign::Orphan(seen.pid));
    }
    let unseen = scene.is_blind || (scene.is_apart || scene.top == Top::Hidden) && !scene.has_own_terminal;
    unseen.then(|| Agent { title: "an AI agent".to_owned(), client: None, sign: Sign::Unseen })
}

/// The client beside which we lost our parents. What a person starts is below a terminal, a login or an editor; what lost its parents
/// is right below the system's first process, and only what began after a client can be that client's: what is in its group of
/// processes, or has no terminal anywhere.
fn orphaned_by(scene: &Scene) -> Option<&Seen> {
    let is_end = |above: &Above| signs::is_reaper(&above.process);
    let below: Vec<&Above> = scene.chain.iter().take_while(|above| !is_end(above)).collect();
    let is_first = |above: &&Above| above.process.pid == 1;
    let (below, is_known) = match below.len() == scene.chain.len() {
        // What starts everything by itself under a name that nobody knows.
        true if below.last().is_some_and(is_first) => (&below[..below.len() - 1], false),
        true => return None,
        false => (&below[..], true),
    };
    let top = &below.last()?.process;
    let is_silent = below.iter().all(|above| above.process.terminal == 0);
    let group = scene.chain.first().and_then(|own| scene.groups.get(&own.process.pid));
    let beside = |seen: &Seen| {
        // In a container everything is in one group: there a terminal that keeps itself alive says nothing.
        let Some(group) = group.filter(|_| is_known) else { return false };
        let tells = signs::is_passage(top) || (signs::is_multiplexer(top) && group != "/");
        tells && scene.groups.get(&seen.pid) == Some(group) && (top.terminal == 0 || group != "/")
    };
    scene
        .clients
        .iter()
        .find(|seen| seen.start <= top.start && (beside(seen) || is_silent && signs::is_passage(top)))
}

fn read(context: &Context) -> Scene {
    let own = std::process::id();
    let is_set = |name: &str| context.variable(name).is_some();
    let (chain, top) = chain_from(own);
    let mut scene = Scene { chain, top, variable: signs::client_of_variables(&is_set), ..Scene::default() };
    scene.is_blind = platform::hides_processes();
    if scene.chain.is_empty() || scene.is_blind {
        return scene;
    }
    let is_known = |pid: u32| scene.chain.iter().any(|above| above.process.pid == pid);
    let leader = scene.chain.first().map_or(0, |above| above.process.session);
    if leader > 1 && !is_known(leader) {
        scene.leaders = chain_from(leader).0;
    }
    scene.is_apart = seen::is_apart(context);
    if scene.is_apart || scene.top == Top::Hidden {
        let has_terminal = scene.chain.first().is_some_and(|above| above.process.terminal != 0);
        let is_led = leader > 0 && platform::process_start(leader).is_some();
        let is_made_here = scene.chain.iter().any(|above| platform::opened_terminals(above.process.pid));
        scene.has_own_terminal = has_terminal && is_led && !is_made_here;
    }
    scene.clients = seen::running(context);
    let groups = scene.clients.iter().map(|seen| seen.pid).chain([own]);
    scene.groups = groups.filter_map(|pid| Some((pid, platform::cgroup_of(pid)?))).collect();
    scene
}

/// A process and those above it. In a debug build what is above a test runner of the same build does not count: whoever runs the tests
/// of vib may do so through an agent.
pub(crate) fn chain_from(pid: u32) -> (Vec<Above>, Top) {
    let mut chain: Vec<Above> = Vec::new();
    let mut here = pid;
    while here > 0 {
        let process = platform::process(here).filter(|_| chain.len() < MOST_PARENTS);
        let Some(process) = process else {
            // Without a list of processes there is nobody that could be hidden.
            let top = if chain.is_empty() { Top::Reached } else { Top::Hidden };
            return (chain, top);
        };
        if is_test_runner(&process) {
            break;
        }
        here = process.parent;
        let variable = variable_of(process.pid);
        chain.push(Above { process, variable });
    }
    (chain, Top::Reached)
}

/// The client that is named by the variables which a process was started with.
fn variable_of(pid: u32) -> Option<(Known, &'static str)> {
    // Our own are the context's.
    if pid == std::process::id() {
        return None;
    }
    let variables = platform::environment_of(pid)?;
    signs::client_of_variables(&|name| {
        variables.iter().any(|(key, value)| key.as_os_str() == name && !value.is_empty())
    })
}

#[cfg(debug_assertions)]
fn is_test_runner(process: &Process) -> bool {
    let Ok(own) = std::env::current_exe() else { return false };
    let folder = |file: &std::path::Path| file.parent().map(std::path::Path::to_path_buf);
    let Some(beside) = folder(&own) else { return false };
    // A test of a crate is itself in there; `vib` is one above.
    let runners = if beside.ends_with("deps") { beside } else { beside.join("deps") };
    process.program.as_deref().and_then(folder) == Some(runners)
}

#[cfg(not(debug_assertions))]
fn is_test_runner(_process: &Process) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signs::tests::made;

    fn above(pid: u32, start: u64, program: &str, words: &[&str]) -> Above {
        Above { process: Process { pid, start, ..made(program, words) }, variable: None }
    }

    fn vib(start: u64) -> Above {
        above(900, start, "/usr/bin/vib", &["vib", "approve", "1"])
    }

    fn terminal() -> Above {
        above(10, 5, "/usr/bin/gnome-terminal-server", &["gnome-terminal-server"])
    }

    fn systemd() -> Above {
        above(1, 0, "/usr/lib/systemd/systemd", &["/sbin/init"])
    }

    fn client(pid: u32, start: u64) -> Seen {
        Seen { pid, start, client: "codex".to_owned() }
    }

    fn groups(all: &[(u32, &str)]) -> HashMap<u32, String> {
        all.iter().map(|(pid, group)| (*pid, (*group).to_owned())).collect()
    }

    fn scene(chain: Vec<Above>) -> Scene {
        Scene { chain, ..Scene::default() }
    }

    #[test]
    fn a_person_in_a_terminal_an_editor_a_ci_and_a_container_is_one_s5() {
        let shell = || above(20, 6, "/usr/bin/bash", &["-bash"]);
        for chain in [
            vec![vib(50), shell(), terminal(), systemd()],
            vec![
                vib(50),
                shell(),
                above(11, 5, "/usr/share/code/code", &["code", "--type=ptyHost"]),
                systemd(),
            ],
            vec![vib(50), shell(), above(12, 3, "/usr/sbin/sshd", &["sshd: u@pts/0"]), systemd()],
            vec![vib(50), shell(), above(13, 3, "/usr/bin/tmux", &["tmux"]), systemd()],
            vec![vib(50), above(14, 3, "/opt/runner/Runner.Worker", &["Runner.Worker"]), systemd()],
            vec![vib(50), above(15, 40, "/usr/bin/bash", &["bash"])],
            vec![],
        ] {
            let mut one = scene(chain);
            // A client runs somewhere else all the while.
            one.clients = vec![client(500, 30)];
            one.groups = groups(&[(900, "/user.slice/a.scope"), (500, "/user.slice/b.scope")]);
            assert_eq!(decide(&one), None, "{one:?}");
        }
    }

    #[test]
    fn a_terminal_that_an_agent_opened_is_the_agents_s5() {
        let chain = vec![
            vib(50),
            above(30, 49, "/bin/dash", &["sh", "-c", "vib approve 1"]),
            above(29, 48, "/usr/bin/script", &["script", "-qc", "vib approve 1"]),
            above(28, 20, "/usr/bin/node", &["node", "/n/@anthropic-ai/claude-code/cli.js"]),
            terminal(),
            systemd(),
        ];
        let agent = decide(&scene(chain)).expect("an agent");
        assert_eq!((agent.title.as_str(), &agent.sign), ("Claude Code", &Sign::Above(28)));
        assert_eq!(agent.words(), "run by Claude Code (process 28)");
    }

    #[test]
    fn whoever_calls_the_hooks_is_an_agent_under_any_name_s5() {
        let robot = above(28, 20, "/opt/robot", &["robot"]);
        let chain = vec![vib(50), above(30, 49, "/bin/dash", &["sh"]), robot, terminal(), systemd()];
        assert_eq!(decide(&scene(chain.clone())), None);
        let seen = |start| Scene { clients: vec![client(28, start)], ..scene(chain.clone()) };
        assert_eq!(decide(&seen(20)).map(|agent| agent.sign), Some(Sign::CallsHooks(28)));
        assert_eq!(decide(&seen(19)), None, "another process had that number before");
    }

    #[test]
    fn variables_tell_after_the_parents_are_lost_s5() {
        let known = signs::client_of_variables(&|name| name == "CLAUDECODE");
        let lost = |own, parents| {
            let mut chain = vec![vib(50), above(30, 49, "/bin/dash", &["sh"]), systemd()];
            chain[1].variable = parents;
            decide(&Scene { variable: own, ..scene(chain) }).map(|agent| agent.sign)
        };
        assert_eq!(lost(known, None), Some(Sign::Variable("CLAUDECODE")));
        assert_eq!(lost(None, known), Some(Sign::Variable("CLAUDECODE")), "`env -u` in the last command");
        assert_eq!(lost(None, None), None);
    }

    #[test]
    fn the_leader_of_the_session_tells_too_s5() {
        let mut one = scene(vec![vib(50), systemd()]);
        one.leaders = vec![above(28, 20, "/usr/bin/codex", &["codex"]), terminal(), systemd()];
        assert_eq!(decide(&one).map(|agent| agent.sign), Some(Sign::Above(28)));
    }

    #[test]
    fn an_orphan_beside_an_older_client_is_the_clients_s5() {
        let here = "/user.slice/app.scope";
        let orphan = |top: Above, client_start: u64, group: &str| {
            let mut one = scene(vec![vib(50), top, systemd()]);
            one.clients = vec![client(500, client_start)];
            one.groups = groups(&[(900, group), (500, here)]);
            decide(&one).map(|agent| agent.sign)
        };
        let shell = || above(30, 49, "/bin/dash", &["sh", "-c", "env -i vib approve 1"]);
        let tmux = || above(30, 49, "/usr/bin/tmux", &["tmux", "-d"]);
        assert_eq!(orphan(shell(), 20, here), Some(Sign::Orphan(500)));
        assert_eq!(orphan(tmux(), 20, here), Some(Sign::Orphan(500)));
        let mut shell_at_terminal = shell();
        shell_at_terminal.process.terminal = 34816;
        assert_eq!(orphan(shell_at_terminal, 20, "/user.slice/other.scope"), None, "another terminal");
        assert_eq!(
            orphan(shell(), 20, "/user.slice/run-u1.scope"),
            Some(Sign::Orphan(500)),
            "no terminal anywhere"
        );
        assert_eq!(orphan(shell(), 60, here), None, "it was there before the client");
        let person = || above(30, 49, "/usr/bin/kitty", &["kitty"]);
        assert_eq!(orphan(person(), 20, here), None, "a terminal window");
        // A container has one group: a person may have started `tmux` there.
        let mut one = scene(vec![vib(50), tmux(), above(1, 0, "/sbin/tini", &["tini"])]);
        one.clients = vec![client(500, 20)];
        one.groups = groups(&[(900, "/"), (500, "/")]);
        assert_eq!(decide(&one), None);
        one.chain[1] = shell();
        assert_eq!(decide(&one).map(|agent| agent.sign), Some(Sign::Orphan(500)));
        // What starts everything by itself under an unknown name: with a terminal it says nothing, without one it is as with any other.
        one.chain[2] = above(1, 0, "/runner", &["runner"]);
        assert_eq!(decide(&one).map(|agent| agent.sign), Some(Sign::Orphan(500)));
        one.chain[1].process.terminal = 34816;
        assert_eq!(decide(&one), None);
        // A manager of the user's own stands between.
        let manager = above(2, 1, "/usr/lib/systemd/systemd", &["systemd", "--user"]);
        let mut one = scene(vec![vib(50), shell(), manager, systemd()]);
        one.clients = vec![client(500, 20)];
        one.groups = groups(&[(900, here), (500, here)]);
        assert_eq!(decide(&one).map(|agent| agent.sign), Some(Sign::Orphan(500)));
        // A timer, a job of CI and a daemon that starts things are programs of their own.
        one.chain[1] = above(30, 49, "/usr/sbin/cron", &["cron"]);
        assert_eq!(decide(&one), None);
    }

    #[test]
    fn where_nobody_can_be_seen_it_is_not_believed_to_be_a_person_b4() {
        let sign = |one: &Scene| decide(one).map(|agent| agent.sign);
        let shell = || above(1, 49, "/bin/bash", &["bash"]);
        // No list of processes at all.
        assert_eq!(sign(&Scene { is_blind: true, ..Scene::default() }), Some(Sign::Unseen));
        // A namespace of its own: a container, as long as no client is known elsewhere.
        let mut one = scene(vec![vib(50), shell()]);
        assert_eq!(sign(&one), None);
        one.is_apart = true;
        assert_eq!(sign(&one), Some(Sign::Unseen));
        one.has_own_terminal = true;
        assert_eq!(sign(&one), None, "a person in a container");
        // A parent that is hidden.
        let mut one = Scene { top: Top::Hidden, ..scene(vec![vib(50), shell()]) };
        assert_eq!(sign(&one), Some(Sign::Unseen));
        one.has_own_terminal = true;
        assert_eq!(sign(&one), None, "a login whose first processes are another user's");
    }
}
