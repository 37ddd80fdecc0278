//! `vib drive`: one prompt, carried out by an agent that behaves well or badly.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testkit::acp::{Act, ScriptedAgent};
use testkit::{Output, Sandbox};

/// Not below the folder for temporary files: that one is open behind every fence.
fn place() -> std::path::PathBuf {
    let home = std::env::var_os("HOME").map_or_else(std::env::temp_dir, std::path::PathBuf::from);
    let place = home.join(".cache/vibelign-tests");
    std::fs::create_dir_all(&place).unwrap();
    place
}

fn world() -> Sandbox {
    let sandbox = Sandbox::new_in(env!("CARGO_BIN_EXE_vib"), &place()).with_real_clock();
    sandbox.write("README.md", "# Shop\n");
    sandbox.vib(&["checkpoint", "-m", "the beginning"]).ok();
    sandbox
}

fn command(line: &str) -> Value {
    json!({"title": line, "kind": "execute", "rawInput": {"command": line}})
}

fn drive(sandbox: &Sandbox, agent: &ScriptedAgent, more: &[&str]) -> Output {
    let file = agent.save(&sandbox.base().join("agent"));
    let program = file.display().to_string();
    let mut words = vec!["drive", "gemini", "Do it.", "--program", &program, "--json"];
    words.extend_from_slice(more);
    sandbox.vib(&words)
}

fn report(output: &Output) -> Value {
    output.json()["data"].clone()
}

/// Processes of this world that are still there.
#[cfg(target_os = "linux")]
fn left_running(sandbox: &Sandbox) -> Vec<u32> {
    let base = sandbox.base().to_string_lossy().into_owned();
    let pids = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_ours = |pid: &u32| {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.windows(base.len()).any(|part| part == base.as_bytes())
    };
    pids.filter(is_ours).collect()
}

#[cfg(target_os = "linux")]
fn nothing_is_left(sandbox: &Sandbox) {
    let began = Instant::now();
    while !left_running(sandbox).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(10), "still running: {:?}", left_running(sandbox));
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_prompt_is_carried_out_and_saved() {
    let sandbox = world();
    let usage = json!({"inputTokens": 100, "outputTokens": 20, "totalTokens": 120});
    let agent = ScriptedAgent::new([
        Act::Ask { call: command("printf x > new.txt"), line: "printf x > new.txt".to_owned() },
        Act::Say("All done.".to_owned()),
    ])
    .telling(usage);
    let output = drive(&sandbox, &agent, &[]).ok();
    let told = report(&output);
    assert_eq!(told["ended"]["why"], "done", "{told}");
    assert_eq!((told["calls"].as_u64(), told["text"].as_str()), (Some(1), Some("All done.")), "{told}");
    assert_eq!(told["used"]["tokens"]["input"], 100, "what the agent says, for it has no record: {told}");
    assert_eq!(told["source"], "agent");
    assert_eq!(sandbox.read("new.txt"), "x");
    let history = sandbox.data(&["history", "--all"]).to_string();
    assert!(history.contains("new.txt") && history.contains("Do it."), "{history}");
    let text = sandbox.vib(&[
        "drive",
        "gemini",
        "Again.",
        "--program",
        &sandbox.base().join("agent").display().to_string(),
    ]);
    assert!(text.ok().stdout.contains("says that it is done"));
}

#[test]
fn what_a_person_would_have_to_decide_is_a_no() {
    let sandbox = world();
    let letters = sandbox.base().join("letters.txt");
    std::fs::write(&letters, "Dear all,\n").unwrap();
    let delete = format!("rm {}", letters.display());
    let agent = ScriptedAgent::new([
        Act::Ask { call: command(&delete), line: delete.clone() },
        Act::Say("Tried.".to_owned()),
    ]);
    let output = drive(&sandbox, &agent, &[]);
    let told = report(&output);
    assert_eq!((output.code, told["ended"]["why"].as_str()), (1, Some("refused")), "{told}");
    assert!(told["refused"][0]["reason"].as_str().is_some_and(|reason| !reason.is_empty()), "{told}");
    assert!(letters.exists());
}

#[cfg(target_os = "linux")]
#[test]
fn whatever_an_agent_does_it_is_ended_and_said() {
    let many = Act::ForkMany(2_200);
    for (acts, more, why, code) in [
        (vec![Act::Fork, Act::Hang], vec!["--limit", "3s"], "limit", 1),
        (vec![Act::Fork, Act::Die(9)], vec![], "crashed", 1),
        (vec![many, Act::Hang], vec!["--limit", "60s"], "forks", 1),
    ] {
        let sandbox = world();
        let output = drive(&sandbox, &ScriptedAgent::new(acts), &more);
        let told = report(&output);
        assert_eq!((output.code, told["ended"]["why"].as_str()), (code, Some(why)), "{told}");
        nothing_is_left(&sandbox);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_left_when_vib_is_killed_or_told_to_stop() {
    for signal in [rustix::process::Signal::KILL, rustix::process::Signal::INT] {
        let sandbox = world();
        let agent = ScriptedAgent::new([Act::Fork, Act::Silently("touch started.txt".to_owned()), Act::Hang]);
        let file = agent.save(&sandbox.base().join("agent")).display().to_string();
        let mut command = sandbox.command(&["drive", "gemini", "Do it.", "--program", &file, "--json"]);
        let mut vib = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let began = Instant::now();
        while !sandbox.exists("started.txt") {
            assert!(began.elapsed() < Duration::from_secs(60), "it never started");
            std::thread::sleep(Duration::from_millis(20));
        }
        rustix::process::kill_process(rustix::process::Pid::from_child(&vib), signal).unwrap();
        let status = vib.wait().unwrap();
        if signal == rustix::process::Signal::INT {
            assert_eq!(status.code(), Some(1), "cancelled, and said");
        }
        nothing_is_left(&sandbox);
    }
}

#[test]
fn a_budget_cancels_and_says_so() {
    let sandbox = world();
    let usage = json!({"inputTokens": 900, "outputTokens": 100, "totalTokens": 1000});
    let agent = ScriptedAgent::new([Act::Say("x".to_owned())]).telling(usage);
    drive(&sandbox, &agent, &[]).ok();
    sandbox.vib(&["config", "set", "budget.day_tokens", "1000"]).ok();
    let slow = ScriptedAgent::new([Act::Silently("sleep 20".to_owned()), Act::Say("x".to_owned())]);
    let output = drive(&sandbox, &slow, &[]);
    let told = report(&output);
    assert_eq!((output.code, told["ended"]["why"].as_str()), (1, Some("budget")), "{told}");
    assert!(told["notices"].to_string().contains("100 % of the budget"), "{told}");
}

#[test]
fn what_cannot_be_started_says_why() {
    let sandbox = world();
    let error = sandbox.vib(&["drive", "gemini", "Do it.", "--program", "/no/such/agent", "--json"]);
    assert_eq!(error.code, 3, "{error:?}");
    assert_eq!(error.json()["error"]["code"], "agent_missing", "{error:?}");
    let output = sandbox.vib(&["drive", "gemini", "Do it.", "--budget", "5"]);
    assert_eq!(output.code, 2, "{output:?}");
    assert_eq!(sandbox.vib(&["drive", "gemini", " "]).code, 2);
}

/// Ways out of the folder: each tries to leave a mark in a place outside.
#[cfg(target_os = "linux")]
#[test]
fn no_way_leads_out_of_the_fence() {
    let sandbox = world();
    let out = sandbox.base().join("outside");
    std::fs::create_dir(&out).unwrap();
    for name in ["old.txt", "link-me.txt", "move-me.txt", "append.txt", "cut.txt"] {
        std::fs::write(out.join(name), "as it was\n").unwrap();
    }
    let before = photo(&out);
    let o = out.display();
    let ways = [
        format!("echo x > {o}/w1"),
        format!("echo x >> {o}/append.txt"),
        format!(": > {o}/cut.txt"),
        format!("rm {o}/old.txt"),
        format!("rm -rf {o}"),
        format!("mv {o}/move-me.txt ."),
        format!("mv README.md {o}/w2"),
        format!("cp README.md {o}/w3"),
        format!("ln README.md {o}/w4"),
        format!("ln -s README.md {o}/w5"),
        format!("ln -s {o} way && echo x > way/w6"),
        format!("ln {o}/link-me.txt here && echo x > here"),
        format!("mkdir {o}/w7"),
        format!("mkfifo {o}/w8"),
        format!("touch {o}/w9"),
        format!("tee {o}/w10 < README.md"),
        format!("dd if=README.md of={o}/w11"),
        format!("truncate -s 0 {o}/old.txt"),
        format!("sed -i s/was/is/ {o}/old.txt"),
        format!("sh -c 'echo x > {o}/w12'"),
        format!("cd {o} && echo x > w13"),
        format!("(cd / && echo x > .{o}/w14)"),
        format!("echo x > /proc/self/root{o}/w15"),
        format!("setsid sh -c 'echo x > {o}/w16'"),
        format!("nohup sh -c 'echo x > {o}/w17' &"),
        format!("env -i /bin/sh -c 'echo x > {o}/w18'"),
        format!("find {o} -type f -delete"),
        format!("tar cf {o}/w19 README.md"),
        format!("install -m 644 README.md {o}/w20"),
        format!("exec 3<>{o}/old.txt; echo x >&3"),
        format!("python3 -c \"open('{o}/w21','w').write('x')\""),
        format!("perl -e \"unlink '{o}/old.txt'\""),
    ];
    assert!(ways.len() >= 30);
    let mut acts: Vec<Act> = ways.iter().map(|way| Act::Silently(way.clone())).collect();
    acts.push(Act::Silently("sleep 0.5; echo in > inside.txt".to_owned()));
    let output = drive(&sandbox, &ScriptedAgent::new(acts), &[]).ok();
    let told = report(&output);
    if told["fenced"] != true {
        // The kernel has none: then nothing is promised, and the report says so.
        return;
    }
    assert_eq!(photo(&out), before, "somebody got out");
    assert_eq!(sandbox.read("inside.txt"), "in\n", "and inside it works");
}

#[cfg(target_os = "linux")]
fn photo(folder: &Path) -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(entry.path()).unwrap_or_default())
        })
        .collect();
    all.sort();
    all
}
