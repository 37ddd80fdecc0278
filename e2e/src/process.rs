//! Runs a client to its end, and no longer than it may take.

use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use testkit::Output;

/// How long one prompt may take. The slowest client needs a minute for twenty steps on two very busy cores.
const LIMIT: Duration = Duration::from_secs(300);

/// Runs it in a process group of its own, which is ended with it: some clients leave helpers behind. What it prints goes to
/// files in `folder`, so that no helper can hold a pipe open.
pub fn run(mut command: Command, folder: &Path) -> Output {
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(File::create(&out).expect("a file for its output"))
        .stderr(File::create(&err).expect("a file for its errors"))
        .process_group(0)
        .spawn()
        .unwrap_or_else(|error| panic!("`{}` can't be started: {error}", command.get_program().display()));
    let group = Pid::from_child(&child);
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("its state") {
            Some(status) => break Some(status),
            None if start.elapsed() > LIMIT => break None,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    let _ = kill_process_group(group, Signal::KILL);
    let _ = child.wait();
    let read = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned();
    let (stdout, stderr) = (read(&out), read(&err));
    let Some(status) = status else {
        panic!(
            "`{}` did not end in {LIMIT:?}\nstdout: {stdout}\nstderr: {stderr}",
            command.get_program().display()
        );
    };
    Output { stdout, stderr, code: status.code().unwrap_or(-1) }
}
