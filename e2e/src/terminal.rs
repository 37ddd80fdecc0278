//! A person at a terminal: a command in a sandbox's world, with keys typed ahead.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use testkit::Sandbox;

/// How long a person waits for words on the screen.
const PATIENCE: Duration = Duration::from_secs(60);

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

/// Runs a program on a terminal of its own until it has written `words`, or for as long as a person would wait, and ends it.
/// Gives back what it wrote, letters only.
pub fn watch(mut command: Command, words: &str) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&terminal).expect("a terminal of one's own");
    unlockpt(&terminal).expect("a terminal that can be opened");
    let size = Winsize { ws_row: 60, ws_col: 200, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&terminal, size).expect("a size");
    let name = ptsname(&terminal, Vec::new()).expect("its name");
    let side = || {
        OpenOptions::new()
            .read(true)
            .write(true)
            .open(name.to_str().expect("a plain name"))
            .expect("the other side")
    };
    command.stdin(side()).stdout(side()).stderr(side()).process_group(0);
    let mut child = command.spawn().expect("the client starts");
    drop(command);
    let (sender, receiver) = mpsc::channel::<Vec<u8>>();
    let mut terminal = File::from(terminal);
    std::thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(length) = terminal.read(&mut buffer)
            && length > 0
            && sender.send(buffer[..length].to_vec()).is_ok()
        {}
    });
    let (start, wanted, mut seen) = (Instant::now(), letters(words.as_bytes()), Vec::new());
    while start.elapsed() < PATIENCE {
        match receiver.recv_timeout(Duration::from_millis(200)) {
            Ok(more) => seen.extend(more),
            Err(mpsc::RecvTimeoutError::Timeout) if letters(&seen).contains(&wanted) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {}
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
        }
    }
    let _ = kill_process_group(Pid::from_child(&child), Signal::KILL);
    let _ = child.wait();
    letters(&seen)
}

/// What is left of a screen without its control sequences and spaces.
fn letters(screen: &[u8]) -> String {
    let text = String::from_utf8_lossy(screen);
    let mut left = String::new();
    let mut rest = text.chars().peekable();
    while let Some(letter) = rest.next() {
        match letter {
            '\u{1b}' if rest.next_if_eq(&'[').is_some() => {
                while rest.next_if(|mark| !('@'..='~').contains(mark)).is_some() {}
                rest.next();
            }
            '\u{1b}' if rest.next_if_eq(&']').is_some() => {
                while rest.next_if(|mark| !matches!(mark, '\u{7}' | '\u{1b}')).is_some() {}
                rest.next();
            }
            letter if letter.is_whitespace() || letter.is_control() => {}
            letter => left.push(letter),
        }
    }
    left
}
