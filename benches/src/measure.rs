//! Running processes and timing them.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

/// Runs a command to its end and takes the time from before its start. Its output is thrown away.
pub fn time(command: &mut Command) -> Result<Duration> {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let start = Instant::now();
    let output = command.spawn().and_then(std::process::Child::wait_with_output);
    let time = start.elapsed();
    let output = output.with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(time)
}

/// As [`time`], with this on its standard input.
pub fn time_with_input(command: &mut Command, input: &[u8]) -> Result<Duration> {
    use std::io::Write as _;
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input)?;
    }
    let output = child.wait_with_output()?;
    let time = start.elapsed();
    if !output.status.success() || !output.stderr.is_empty() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(time)
}

/// Runs a command and gives what it printed.
pub fn read(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.stdin(Stdio::null()).output().with_context(|| format!("cannot run {command:?}"))?;
    if !output.status.success() {
        bail!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(output.stdout)
}

/// Lets the disk finish what earlier runs left it to write, so that they do not slow the next one.
pub fn settle() {
    #[cfg(unix)]
    rustix::fs::sync();
    std::thread::sleep(Duration::from_millis(50));
}

/// The times of one command, in milliseconds.
#[derive(Debug, Clone)]
pub struct Times(Vec<f64>);

impl Times {
    /// Sorts them.
    pub fn new(times: impl IntoIterator<Item = Duration>) -> Self {
        let mut times: Vec<f64> = times.into_iter().map(|time| time.as_secs_f64() * 1e3).collect();
        times.sort_by(f64::total_cmp);
        Self(times)
    }

    /// The middle one.
    pub fn median(&self) -> f64 {
        let half = self.0.len() / 2;
        match self.0.len() {
            0 => f64::NAN,
            count if count % 2 == 0 => f64::midpoint(self.0[half - 1], self.0[half]),
            _ => self.0[half],
        }
    }

    /// The time that so many percent stay under.
    pub fn percentile(&self, percent: f64) -> f64 {
        let at = (self.0.len() as f64 * percent / 100.0) as usize;
        self.0.get(at.min(self.0.len().saturating_sub(1))).copied().unwrap_or(f64::NAN)
    }

    /// The shortest.
    pub fn best(&self) -> f64 {
        self.0.first().copied().unwrap_or(f64::NAN)
    }

    /// How many.
    pub fn runs(&self) -> usize {
        self.0.len()
    }
}

/// One thing to time, as often as asked.
pub type Contender<'a> = Box<dyn FnMut() -> Result<Duration> + 'a>;

/// Times all contenders in turn, so that noise hits all of them, after one round that does not count. Each round
/// starts with another one.
pub fn in_turn(runs: usize, contenders: &mut [Contender<'_>]) -> Result<Vec<Times>> {
    let count = contenders.len();
    let mut times = vec![Vec::new(); count];
    for round in 0..=runs {
        for place in 0..count {
            let who = (round + place) % count;
            let time = contenders[who]()?;
            if round > 0 {
                times[who].push(time);
            }
        }
    }
    Ok(times.into_iter().map(Times::new).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_two_middle_ones() {
        let median = |ms: &[u64]| Times::new(ms.iter().copied().map(Duration::from_millis)).median();
        assert_eq!(median(&[9, 1, 5]), 5.0);
        assert_eq!(median(&[9, 1, 5, 6]), 5.5);
        let times = Times::new((1..=100).map(Duration::from_millis));
        assert_eq!((times.percentile(50.0), times.percentile(99.0)), (51.0, 100.0));
    }

    #[test]
    fn a_command_that_fails_is_an_error_with_what_it_said() {
        let error = time(Command::new("sh").args(["-c", "echo no luck >&2; exit 3"])).unwrap_err();
        assert!(error.to_string().contains("no luck"), "{error}");
    }
}
