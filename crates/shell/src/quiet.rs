//! Runs code that may panic, without a word on standard error.
//!
//! The parser comes from outside and can panic on input that nobody foresaw. Such a panic is an answer here ("not
//! understood"), so its message would only frighten. The process has one panic hook for all threads: ours hands every
//! panic on to the hook that was there before, except those of a thread that is inside [`catch`] at that moment.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

static HOOK: Once = Once::new();

/// What `body` returns, or `None` when it panicked.
///
/// The caller must not use anything afterwards that a panic could have left half done.
pub(crate) fn catch<T>(body: impl FnOnce() -> T) -> Option<T> {
    // The hook cannot be changed by a thread that is just unwinding.
    if !std::thread::panicking() {
        HOOK.call_once(|| {
            let others = take_hook();
            set_hook(Box::new(move |panic| {
                // While a thread ends, its flag may be gone: then it is not inside `catch`.
                if !QUIET.try_with(Cell::get).unwrap_or(false) {
                    others(panic);
                }
            }));
        });
    }
    let outer = QUIET.replace(true);
    let result = catch_unwind(AssertUnwindSafe(body));
    QUIET.set(outer);
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    // That other threads keep their messages is in `tests/panics.rs`: the hook belongs to the whole process.
    #[test]
    fn a_panic_is_an_answer() {
        assert_eq!(catch(|| 7), Some(7));
        assert_eq!(catch(|| std::panic::panic_any("quiet")), None::<()>);
        assert!(!QUIET.get(), "outside, the thread speaks again");
    }
}
