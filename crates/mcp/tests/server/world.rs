//! A project in a folder of its own, and what a person does in it.

use std::ffi::OsString;
use std::path::PathBuf;

use engine::Engine;
use engine::grants::{self, Capability, Grant};
use engine::undo::Confirmation;
use project::Context;
use store::{CheckpointKind, Silent, SnapshotRequest};
use vib_mcp::Server;

pub struct World {
    base: tempfile::TempDir,
}

/// The proof that a person is here: tests have no agent above them.
pub fn person() -> engine::person::ByPerson {
    use engine::person::{Act, nobody, require};
    require(&Context::with_environment(std::env::temp_dir(), &|_| None), Act::GoBack, &nobody).unwrap()
}

impl World {
    /// A project with a few files.
    pub fn new() -> Self {
        let base = tempfile::Builder::new().prefix("vib-mcp-").tempdir().unwrap();
        for folder in ["home", "project/src", "other"] {
            std::fs::create_dir_all(base.path().join(folder)).unwrap();
        }
        let world = Self { base };
        world.write("src/prices.txt", "green 4\nblack 3\n");
        world.write("src/stock.txt", "green 10\nblack 20\n");
        world.write("README.md", "# A shop\n");
        world
    }

    pub fn root(&self) -> PathBuf {
        self.base.path().canonicalize().unwrap().join("project")
    }

    pub fn write(&self, path: &str, text: &str) {
        std::fs::write(self.root().join(path), text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap()
    }

    pub fn context(&self, folder: &str) -> Context {
        let base = self.base.path().canonicalize().unwrap();
        let get = |name: &str| match name {
            "HOME" => Some(base.join("home").into_os_string()),
            "VIBELIGN_STATE" => Some(base.join("state").into_os_string()),
            "VIBELIGN_CONFIG" => Some(base.join("config").into_os_string()),
            "USER" => Some(OsString::from("hyacinth")),
            _ => None,
        };
        Context::with_environment(base.join(folder), &get)
    }

    pub fn engine(&self) -> Engine {
        Engine::open(self.context("project")).unwrap()
    }

    /// Another project of the same person.
    pub fn other_engine(&self) -> Engine {
        Engine::open(self.context("other")).unwrap()
    }

    pub fn server(&self) -> Server {
        Server::new(self.context("project"), self.root())
    }

    /// The person sets `mcp.tools` to `all`.
    pub fn want_all_tools(&self) {
        let folder = self.base.path().join("config");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("config.toml"), "[mcp]\ntools = \"all\"\n").unwrap();
    }

    pub fn grant(&self, client: &str, capability: Capability) -> Grant {
        grants::grant(&self.engine(), client, capability, 3_600_000, Confirmation::Terminal(person()))
            .unwrap()
    }

    /// What a person saves; its id.
    pub fn checkpoint(&self) -> String {
        let request = SnapshotRequest::new(CheckpointKind::Manual);
        let report = engine::checkpoint::create(&self.engine(), &request, &[], &Silent).unwrap();
        report.saved.checkpoint.id.to_string()
    }

    /// The audit log as it lies on the disk.
    pub fn audit(&self) -> String {
        let engine = self.engine();
        std::fs::read_to_string(engine.project().state().join("memory_audit.jsonl")).unwrap_or_default()
    }
}
