//! A store of the first version, kept since: what `crates/store/fixtures/v1/make.py` made with the program of then.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// Everything that was saved, by path.
pub type Files = BTreeMap<String, String>;

/// The store of the first version, and what is in it.
pub struct OldStore {
    /// The tree when it was left.
    pub now: Files,
    /// The tree at each checkpoint of the whole tree, the oldest first; files that an ignore rule leaves out are not in it.
    pub checkpoints: Vec<(String, Files)>,
}

impl OldStore {
    /// Reads the fixture.
    pub fn read() -> Self {
        let text = std::fs::read_to_string(folder().join("states.json")).expect("the fixture");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let files = |value: &Value| -> Files {
            let object = value.as_object().expect("files");
            let pairs =
                object.iter().map(|(path, text)| (path.clone(), text.as_str().expect("text").to_owned()));
            pairs.collect()
        };
        let checkpoints = value["checkpoints"].as_array().expect("checkpoints").iter().map(|one| {
            let mut files = files(&one["files"]);
            files.retain(|path, _| !path.ends_with(".log"));
            (one["id"].as_str().expect("an id").to_owned(), files)
        });
        Self { now: files(&value["now"]), checkpoints: checkpoints.collect() }
    }

    /// Puts it into a project's folder and its folder of the state.
    pub fn install(&self, root: &Path, state: &Path) {
        for name in ["store.db", "store.db-wal", "store.db-shm", "store.db.v1", "stat.index"] {
            let _ = std::fs::remove_file(state.join(name));
        }
        let _ = std::fs::remove_dir_all(state.join("packs"));
        std::fs::create_dir_all(state.join("packs")).expect("a folder");
        for name in ["store.db", "packs/000001.pack"] {
            std::fs::copy(folder().join("store").join(name), state.join(name)).expect("copied");
        }
        for (path, text) in &self.now {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
            std::fs::write(path, text).expect("a file");
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../store/fixtures/v1")
}
