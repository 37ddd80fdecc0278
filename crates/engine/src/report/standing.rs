//! How many lines of a request still stand.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use project::RelPath;
use store::lines::{LineWalk, Writer};
use store::{StepNumber, Store};

use crate::why::file::{self, There};
use crate::why::git::Committed;
use crate::why::source::Sources;
use crate::why::{self, Source};
use crate::{Engine, Result};

/// Nobody waits longer than this for a count of lines.
const PATIENCE: Duration = Duration::from_secs(20);
const MOST_FILES: usize = 1_000;

/// What the files say.
#[derive(Debug, Default)]
pub(super) struct Standing {
    /// Lines that each step brought in.
    pub(super) written: HashMap<StepNumber, u64>,
    /// Those that are still there.
    pub(super) standing: HashMap<StepNumber, u64>,
    /// For each file how many of its lines steps of agents wrote, and how many it has.
    pub(super) files: BTreeMap<RelPath, (u64, u64)>,
    /// Steps of which older contents are let go: they wrote at least so much.
    pub(super) thinned: HashSet<StepNumber>,
    /// Not all files were looked through.
    pub(super) cut: bool,
}

/// Looks through these files. Lines that may be of two steps count for neither.
pub(super) fn count(
    engine: &Engine,
    store: &Store<'_>,
    paths: &[RelPath],
    is_agents: impl Fn(StepNumber) -> bool,
) -> Result<Standing> {
    let mut out = Standing::default();
    let mut walk = LineWalk::new(store);
    let until = Instant::now() + PATIENCE;
    let brought = why::brought(engine, store)?;
    let mut sources = Sources::new(engine, store);
    let mut fetched: HashMap<StepNumber, u64> = HashMap::new();
    for (number, path) in paths.iter().enumerate() {
        if number >= MOST_FILES || Instant::now() >= until {
            out.cut = true;
            break;
        }
        let content = match file::look(engine.project().root(), path) {
            There::File(content) => Some(content),
            _ => None,
        };
        let told = walk.file(path, content.clone())?;
        let (Some(content), None) = (content, told.no_lines) else { continue };
        let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
        let mut in_git = Committed::new(engine.project().root(), path, &told.earlier_names, &lines);
        let mut own = 0;
        for (at, writer) in told.lines.iter().map(|writer| told.writers[*writer].wrote()).enumerate() {
            let Writer::Steps(steps) = writer else { continue };
            let [step] = steps.as_slice() else { continue };
            // The same answer as that of `why`: what a step only brought here is the commit's. (M2)
            if brought.is_there()
                && is_agents(*step)
                && matches!(in_git.settle(&brought, sources.of(writer)?, at), Source::Git { .. })
            {
                *fetched.entry(*step).or_insert(0) += 1;
                continue;
            }
            *out.standing.entry(*step).or_insert(0) += 1;
            own += u64::from(is_agents(*step));
        }
        out.files.insert(path.clone(), (own, told.lines.len() as u64));
    }
    for (writer, count) in walk.introduced() {
        if let Writer::Steps(steps) = writer
            && let [step] = steps.as_slice()
        {
            *out.written.entry(*step).or_insert(0) += count;
        }
    }
    for (step, count) in fetched {
        if let Some(written) = out.written.get_mut(&step) {
            *written = written.saturating_sub(count);
        }
    }
    out.thinned = walk.thinned();
    for (step, standing) in &mut out.standing {
        let written = out.written.entry(*step).or_insert(0);
        if out.thinned.contains(step) {
            // What it wrote at first is not known any more; what stands, it wrote. (M1)
            *written = (*written).max(*standing);
        } else {
            // A copied line stands twice, and was written once.
            *standing = (*standing).min(*written);
        }
    }
    Ok(out)
}
