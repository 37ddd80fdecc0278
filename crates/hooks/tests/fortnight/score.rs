//! What the models of a fortnight were told, counted.

use std::fmt;

/// Counts, and the lines that went wrong.
#[derive(Debug, Default)]
pub struct Score {
    pub sessions: usize,
    pub lines: usize,
    pub useful: usize,
    pub falsely: Vec<String>,
    pub injected: Vec<String>,
    pub useless: Vec<String>,
    pub rules_due: usize,
    pub rules_told: usize,
    pub missed: Vec<String>,
    pub fixes_due: usize,
    pub fixes_told: usize,
    pub prompts: Vec<usize>,
    pub session_tokens: Vec<usize>,
}

fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Score {
    pub fn of_use(&self) -> f64 {
        share(self.useful, self.lines)
    }

    pub fn rules_recalled(&self) -> f64 {
        share(self.rules_told, self.rules_due)
    }

    pub fn fixes_offered(&self) -> f64 {
        share(self.fixes_told, self.fixes_due)
    }

    pub fn median_prompt(&self) -> usize {
        let mut all = self.prompts.clone();
        all.sort_unstable();
        all.get(all.len() / 2).copied().unwrap_or(0)
    }

    pub fn most_session(&self) -> usize {
        self.session_tokens.iter().copied().max().unwrap_or(0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = self.prompts.iter().filter(|tokens| **tokens > 0).count();
        write!(
            out,
            "{} sessions; lines told {} of use {} ({:.1} %); false {}; injected {}; rules {} of {} ({:.1} %); fixes {} of {} ({:.1} %); \
             tokens: median prompt {}, prompts with something {} of {}, largest session {}",
            self.sessions,
            self.lines,
            self.useful,
            100.0 * self.of_use(),
            self.falsely.len(),
            self.injected.len(),
            self.rules_told,
            self.rules_due,
            100.0 * self.rules_recalled(),
            self.fixes_told,
            self.fixes_due,
            100.0 * self.fixes_offered(),
            self.median_prompt(),
            told,
            self.prompts.len(),
            self.most_session()
        )
    }
}
