//! A terminal for tests: its size, its keys, and what a person would see.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::Command;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Longer than any command takes on a busy machine; a command that hangs fails its test here.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal of this size.
pub(super) struct Terminal {
    keys: File,
    name: String,
}

impl Terminal {
    pub(super) fn new(rows: u16, columns: u16) -> Self {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&terminal, size).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap().to_str().unwrap().to_owned();
        Self { keys: File::from(terminal), name }
    }

    /// The end that a program gets.
    pub(super) fn side(&self) -> File {
        OpenOptions::new().read(true).write(true).open(&self.name).unwrap()
    }

    /// Runs a command on it to its end. What the person saw, with plain line ends.
    #[track_caller]
    pub(super) fn run(self, command: &mut Command) -> String {
        self.run_with_keys(command, "")
    }

    /// The same with keys typed ahead.
    #[track_caller]
    pub(super) fn run_with_keys(self, command: &mut Command, keys: &str) -> String {
        self.run_until(command, keys, None)
    }

    /// The same for a command that does not end by itself: it is asked to end by a signal when this was seen.
    #[track_caller]
    pub(super) fn run_and_end(self, command: &mut Command, seen: &str) -> String {
        self.run_until(command, "", Some(seen))
    }

    /// The same for a conversation: when this was seen, that is typed. What was seen before counts no more.
    #[track_caller]
    pub(super) fn run_in_turns(mut self, command: &mut Command, turns: &[(&str, &str)]) -> String {
        command.stdin(self.side()).stdout(self.side()).stderr(self.side());
        let mut child = command.spawn().unwrap();
        command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        let mut screen = self.keys.try_clone().unwrap();
        let (sender, receiver) = mpsc::channel::<Vec<u8>>();
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(length) = screen.read(&mut buffer)
                && length > 0
                && sender.send(buffer[..length].to_vec()).is_ok()
            {}
        });
        let (mut start, mut seen, mut from) = (Instant::now(), Vec::new(), 0);
        let mut turns = turns.iter();
        let mut next = turns.next();
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok(more) => seen.extend(more),
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            let new = String::from_utf8_lossy(&seen[from..]).into_owned();
            if let Some((word, keys)) = next.filter(|(word, _)| new.contains(word)) {
                let _ = word;
                self.keys.write_all(keys.as_bytes()).unwrap();
                (next, from, start) = (turns.next(), seen.len(), Instant::now());
            }
            if next.is_none() && child.try_wait().unwrap().is_some() {
                break;
            }
            let hangs = start.elapsed() > PATIENCE;
            if hangs {
                let _ = child.kill();
            }
            assert!(!hangs, "it waits for {next:?}: {}", String::from_utf8_lossy(&seen));
        }
        assert!(child.wait().unwrap().success(), "{}", String::from_utf8_lossy(&seen));
        String::from_utf8_lossy(&seen).replace("\r\n", "\n")
    }

    #[track_caller]
    fn run_until(mut self, command: &mut Command, keys: &str, mut end: Option<&str>) -> String {
        command.stdin(self.side()).stdout(self.side()).stderr(self.side());
        let mut child = command.spawn().unwrap();
        // The ends that the command still holds would keep the terminal open.
        command
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null());
        self.keys.write_all(keys.as_bytes()).unwrap();
        let (sender, receiver) = mpsc::channel::<Vec<u8>>();
        let mut screen = self.keys;
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            // Linux says EIO when the other side is closed.
            while let Ok(length) = screen.read(&mut buffer)
                && length > 0
                && sender.send(buffer[..length].to_vec()).is_ok()
            {}
        });
        let (start, mut seen) = (Instant::now(), Vec::new());
        loop {
            match receiver.recv_timeout(Duration::from_millis(200)) {
                Ok(more) => {
                    seen.extend(more);
                    if end.is_some_and(|word| String::from_utf8_lossy(&seen).contains(word)) {
                        end = None;
                        let child = Pid::from_child(&child);
                        kill_process(child, Signal::TERM).unwrap();
                    }
                }
                Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    let hangs = start.elapsed() > PATIENCE;
                    if hangs {
                        let _ = child.kill();
                    }
                    assert!(!hangs, "it hangs: {}", String::from_utf8_lossy(&seen));
                }
            }
        }
        assert!(child.wait().unwrap().success(), "{}", String::from_utf8_lossy(&seen));
        String::from_utf8_lossy(&seen).replace("\r\n", "\n")
    }
}
