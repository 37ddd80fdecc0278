//! What was measured, as a table for people and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use crate::measure::Times;
use crate::tree::Weight;

/// The whole run.
#[derive(Debug, Serialize)]
pub struct Report {
    /// What it ran on.
    pub machine: Machine,
    /// Where the tree came from.
    pub tree: String,
    /// How big the tree is.
    pub tree_size: Weight,
    /// The figures.
    pub sections: Vec<Section>,
    /// What vib promises, held against the figures.
    pub floors: Vec<Floor>,
    /// What a reader should know about this run.
    pub notes: Vec<String>,
}

/// What a run depends on.
#[derive(Debug, Serialize)]
pub struct Machine {
    /// Cores that this process may use.
    pub cores: usize,
    /// How busy the machine was at the start and at the end (processes ready to run).
    pub load: [Option<f64>; 2],
    /// The versions of the programs.
    pub programs: Vec<String>,
}

/// Figures that belong together.
#[derive(Debug, Serialize)]
pub struct Section {
    /// What was done.
    pub title: String,
    /// Who did it.
    pub rows: Vec<Row>,
    /// What is worth knowing about them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// One figure.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Who, or what.
    pub name: String,
    /// What is counted.
    pub unit: Unit,
    /// The figure; of times, the median.
    pub value: f64,
    /// The best of the times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best: Option<f64>,
    /// How many times were taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// The figure, as a multiple of others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<Ratio>,
}

/// What a figure counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// Time.
    Milliseconds,
    /// Space.
    Bytes,
    /// Space by time.
    MegabytesPerSecond,
}

/// `factor` times `of`.
#[derive(Debug, Serialize)]
pub struct Ratio {
    /// The multiple.
    pub factor: f64,
    /// Of what.
    pub of: String,
}

/// A promise.
#[derive(Debug, Serialize)]
pub struct Floor {
    /// What is promised.
    pub claim: String,
    /// Whether it held; nothing when it was not measured.
    pub pass: Option<bool>,
    /// What came out.
    pub measured: String,
}

impl Section {
    /// Without figures yet.
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), rows: Vec::new(), notes: Vec::new() }
    }

    /// Adds times, with ratios of the medians to others'.
    pub fn time(&mut self, name: &str, times: &Times, others: &[(&str, &Times)]) {
        let ratio = |&(of, other): &(&str, &Times)| Ratio {
            factor: times.median() / other.median(),
            of: of.to_owned(),
        };
        self.rows.push(Row {
            name: name.to_owned(),
            unit: Unit::Milliseconds,
            value: times.median(),
            best: Some(times.best()),
            runs: Some(times.runs()),
            ratios: others.iter().map(ratio).collect(),
        });
    }

    /// Adds a speed.
    pub fn rate(&mut self, name: &str, megabytes_per_second: f64) {
        self.rows.push(Row {
            name: name.to_owned(),
            unit: Unit::MegabytesPerSecond,
            value: megabytes_per_second,
            best: None,
            runs: None,
            ratios: Vec::new(),
        });
    }

    /// Adds a number of bytes, with a ratio to another.
    pub fn bytes(&mut self, name: &str, bytes: f64, other: Option<(&str, f64)>) {
        let ratio = |(of, other): (&str, f64)| Ratio { factor: bytes / other, of: of.to_owned() };
        self.rows.push(Row {
            name: name.to_owned(),
            unit: Unit::Bytes,
            value: bytes,
            best: None,
            runs: None,
            ratios: other.into_iter().map(ratio).collect(),
        });
    }
}

impl Floor {
    /// A promise that was put to the test.
    pub fn new(claim: impl Into<String>, pass: bool, measured: impl Into<String>) -> Self {
        Self { claim: claim.into(), pass: Some(pass), measured: measured.into() }
    }

    /// A promise that this run says nothing about.
    pub fn not_measured(claim: impl Into<String>, why: impl Into<String>) -> Self {
        Self { claim: claim.into(), pass: None, measured: why.into() }
    }
}

impl Report {
    /// For people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    // Writing to a `String` cannot fail.
    fn write(&self, out: &mut String) {
        let Weight { files, folders, bytes, .. } = self.tree_size;
        let _ =
            writeln!(out, "{}: {files} files in {folders} folders, {}", self.tree, human_bytes(bytes as f64));
        let load = self.machine.load.map(|load| load.map_or("?".to_owned(), |load| format!("{load:.1}")));
        let _ = writeln!(out, "{} cores, load {} before, {} after", self.machine.cores, load[0], load[1]);
        let _ = writeln!(out, "{}", self.machine.programs.join(", "));
        for section in &self.sections {
            let times = section.rows.iter().any(|row| row.runs.is_some());
            let heads = if times { ["median", "best", "runs"] } else { [""; 3] };
            let line = format!("{:<46} {:>10} {:>10} {:>5}", section.title, heads[0], heads[1], heads[2]);
            let _ = writeln!(out, "\n{}", line.trim_end());
            for row in &section.rows {
                row.write(out);
            }
            for note in &section.notes {
                let _ = writeln!(out, "  {note}");
            }
        }
        out.push('\n');
        for floor in &self.floors {
            let verdict = match floor.pass {
                Some(true) => "PASS",
                Some(false) => "miss",
                None => "not measured",
            };
            let _ = writeln!(out, "floor: {}: {verdict} ({})", floor.claim, floor.measured);
        }
        for note in &self.notes {
            let _ = writeln!(out, "note: {note}");
        }
    }
}

impl Row {
    fn write(&self, out: &mut String) {
        let show = |value: f64| match self.unit {
            Unit::Milliseconds => human_ms(value),
            Unit::Bytes => human_bytes(value),
            Unit::MegabytesPerSecond => format!("{value:.1} MB/s"),
        };
        let best = self.best.map(show).unwrap_or_default();
        let runs = self.runs.map(|runs| runs.to_string()).unwrap_or_default();
        let ratios: Vec<String> = self.ratios.iter().map(Ratio::text).collect();
        let line = format!(
            "  {:<44} {:>10} {best:>10} {runs:>5}  {}",
            self.name,
            show(self.value),
            ratios.join(", ")
        );
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

impl Ratio {
    fn text(&self) -> String {
        format!("{:.2}× {}", self.factor, self.of)
    }
}

/// Milliseconds, with as many digits as mean something.
pub fn human_ms(value: f64) -> String {
    if value < 100.0 { format!("{value:.2} ms") } else { format!("{value:.0} ms") }
}

/// Bytes in the unit that fits.
pub fn human_bytes(value: f64) -> String {
    match value.abs() {
        small if small < 10_000.0 => format!("{value:.0} B"),
        middle if middle < 1e6 => format!("{:.1} KB", value / 1e3),
        _ => format!("{:.1} MB", value / 1e6),
    }
}
