//! The recorded runs.

use std::io::{BufRead as _, BufReader};
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use flate2::read::MultiGzDecoder;
use fs_err as fs;
use serde::Deserialize;

/// One run of an agent on one task.
#[derive(Deserialize)]
pub struct Run {
    pub id: String,
    pub resolved: bool,
    pub exit_status: Option<String>,
    pub cost: Option<f64>,
    pub steps: Vec<Recorded>,
}

/// One step of it.
#[derive(Deserialize)]
pub struct Recorded {
    /// `bash`, or `format_error`: an answer without a command, which no hook sees.
    pub tool: String,
    pub args: String,
    #[serde(default)]
    pub err: bool,
    #[serde(default)]
    pub edit: bool,
    pub path: Option<String>,
    /// Hash of the whole output.
    #[serde(default)]
    pub obs_sha: String,
    /// Hash of the normalised output.
    #[serde(default)]
    pub obs_nsha: String,
    #[serde(default)]
    pub obs_head: String,
    #[serde(default)]
    pub obs_tail: String,
}

impl Recorded {
    /// What is left of the output.
    pub fn output(&self) -> String {
        format!("{}\n{}", self.obs_head, self.obs_tail)
            .lines()
            .filter(|line| !line.starts_with('<') || !line.ends_with('>'))
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// Reads one run per line, without what no hook sees.
pub fn load(path: &Path) -> Result<Vec<Run>> {
    let lines = BufReader::new(MultiGzDecoder::new(fs::File::open(path)?)).lines();
    let mut runs = Vec::new();
    for (number, line) in lines.enumerate() {
        let line = line.with_context(|| format!("`{}` is no gzip file of lines", path.display()))?;
        let mut run: Run = serde_json::from_str(&line)
            .with_context(|| format!("`{}`, line {}", path.display(), number + 1))?;
        run.steps.retain(|step| step.tool != "format_error");
        runs.push(run);
    }
    ensure!(!runs.is_empty(), "`{}` holds no runs", path.display());
    Ok(runs)
}
