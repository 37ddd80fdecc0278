//! What a caller needs of the world, handed in so that tests own it.

use std::time::Duration;

use crate::secret::Secret;

/// Variables, keyring, time and chance.
pub trait CallerWorld {
    /// A variable of the environment; none if it is not set or empty.
    fn variable(&self, name: &str) -> Option<Secret>;

    /// What the system's keyring holds for this account of the service `vibelign`. `Err`: why it cannot be asked, in words.
    fn keyring(&self, account: &str) -> Result<Option<Secret>, String>;

    /// Milliseconds since 1970.
    fn now_ms(&self) -> i64;

    /// Waits, and looks often whether to stop. `false`: it was stopped.
    fn sleep(&self, time: Duration, stop: &dyn Fn() -> bool) -> bool;

    /// Sixty-four random bits.
    fn random(&self) -> u64;
}
