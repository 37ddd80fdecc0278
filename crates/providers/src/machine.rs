//! This machine, as a [`CallerWorld`].

use std::time::{Duration, Instant};

use project::Context;

use crate::keyring;
use crate::secret::Secret;
use crate::world::CallerWorld;

/// The real world: the environment, the system's keyring, time.
#[derive(Debug, Clone, Copy)]
pub struct Machine<'a> {
    context: &'a Context,
}

impl<'a> Machine<'a> {
    /// The world of this run.
    pub fn new(context: &'a Context) -> Self {
        Self { context }
    }
}

impl CallerWorld for Machine<'_> {
    fn variable(&self, name: &str) -> Option<Secret> {
        let value = self.context.variable(name)?;
        Some(Secret::new(value.to_str()?)).filter(|secret| !secret.reveal().is_empty())
    }

    fn keyring(&self, account: &str) -> Result<Option<Secret>, String> {
        keyring::look_up(account)
    }

    fn now_ms(&self) -> i64 {
        self.context.now_ms()
    }

    fn sleep(&self, time: Duration, stop: &dyn Fn() -> bool) -> bool {
        let until = Instant::now() + time;
        loop {
            if stop() {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            std::thread::sleep(left.min(Duration::from_millis(50)));
        }
    }

    fn random(&self) -> u64 {
        self.context.random_u64()
    }
}
