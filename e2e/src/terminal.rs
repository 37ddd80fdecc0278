//! A person at a terminal: a command in a sandbox's world, with keys typed ahead.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use testkit::Sandbox;

/// Runs vib on a terminal of its own and types `keys`. Gives back what the person saw; fails the test if vib refused.
#[track_caller]
pub fn on_a_terminal(sandbox: &Sandbox, arguments: &[&str], keys: &str) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&terminal).expect("a terminal of one's own");
    unlockpt(&terminal).expect("a terminal that can be opened");
    let name = ptsname(&terminal, Vec::new()).expect("its name");
    let name = name.to_str().expect("a plain name");
    let side = || OpenOptions::new().read(true).write(true).open(name).expect("the other side");
    let mut command = sandbox.command(arguments);
    command.env("LANG", "en_US.UTF-8").env("NO_COLOR", "1").stdin(side()).stdout(side()).stderr(side());
    let mut child = command.spawn().expect("vib starts");
    drop(command);
    let mut terminal = File::from(terminal);
    terminal.write_all(keys.as_bytes()).expect("keys are typed");
    let (mut seen, mut buffer) = (Vec::new(), [0; 4096]);
    // Linux says EIO when the other side is closed.
    while let Ok(length) = terminal.read(&mut buffer)
        && length > 0
    {
        seen.extend_from_slice(&buffer[..length]);
    }
    let seen = String::from_utf8_lossy(&seen).into_owned();
    assert!(child.wait().expect("vib ends").success(), "{arguments:?}: {seen}");
    seen
}
