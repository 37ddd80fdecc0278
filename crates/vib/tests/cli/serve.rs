//! `vib serve`: starts, says where, answers, and ends when it is asked to.

#![cfg(test)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::ops::{Deref, DerefMut};
use std::process::{Child, Stdio};

use serde_json::Value;
use testkit::Sandbox;

use super::empty;

/// A server that does not outlive a test that fails.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Deref for Serving {
    type Target = Child;
    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for Serving {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

/// Starts the server and reads what it says first.
fn start(project: &Sandbox, more: &[&str]) -> (Serving, Value) {
    let mut arguments = vec!["serve", "--json"];
    arguments.extend_from_slice(more);
    let child = project.command(&arguments).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut child = Serving(child);
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    (child, serde_json::from_str(&line).expect("JSON"))
}

fn get(port: u64, path: &str) -> String {
    let mut stream =
        TcpStream::connect(("127.0.0.1", u16::try_from(port).expect("a port"))).expect("connected");
    write!(stream, "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")
        .expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn it_says_where_it_is_and_ends_without_a_trace_ui7() {
    let project = empty();
    let (mut child, started) = start(&project, &[]);
    assert_eq!(started["ok"], true);
    let data = &started["data"];
    let port = data["port"].as_u64().expect("a port");
    let file = std::path::PathBuf::from(data["token_file"].as_str().expect("a file"));
    let link = data["url"].as_str().expect("a link");
    let path = link.strip_prefix(&format!("http://127.0.0.1:{port}")).expect("loopback");
    assert!(get(port, path).starts_with("HTTP/1.1 200"));
    assert!(get(port, path).starts_with("HTTP/1.1 401"), "the link works once");
    assert!(file.exists());
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).expect("asked to end");
    assert!(child.wait().expect("it ends").success());
    assert!(!file.exists());
}

#[test]
fn a_port_that_is_taken_is_said() {
    let project = empty();
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let error = project.error(&["serve", "--port", &port]);
    assert!(error["message"].as_str().is_some_and(|text| text.contains(&port)), "{error}");
}
