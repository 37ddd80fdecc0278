//! One thread that does one thing after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

type Task = Box<dyn FnOnce() + Send>;

/// Runs tasks in turn. The thread starts with the first one and ends with the worker.
#[derive(Debug)]
pub(crate) struct Worker {
    name: &'static str,
    tasks: Mutex<Option<Sender<Task>>>,
}

impl Worker {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { name, tasks: Mutex::default() }
    }

    /// Puts a task at the end of the queue. If there can be no thread, the task is dropped, and with it whatever tells that it
    /// was done.
    pub(crate) fn run(&self, task: impl FnOnce() + Send + 'static) {
        let Ok(mut tasks) = self.tasks.lock() else { return };
        if tasks.is_none() {
            let (sender, receiver) = channel::<Task>();
            let work = move || {
                for task in receiver {
                    // A mistake in one answer is not the end of all others.
                    let _ = catch_unwind(AssertUnwindSafe(task));
                }
            };
            if std::thread::Builder::new().name(self.name.to_owned()).spawn(work).is_err() {
                return;
            }
            *tasks = Some(sender);
        }
        if let Some(sender) = tasks.as_ref() {
            // It ends only when the sender is gone.
            let _ = sender.send(Box::new(task));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_run_in_turn_on_one_thread_even_after_one_that_failed() {
        let worker = Worker::new("test");
        let (sender, receiver) = channel();
        for number in 0..4 {
            let sender = sender.clone();
            worker.run(move || {
                assert_ne!(number, 1, "this one fails");
                let _ = sender.send((number, std::thread::current().id()));
            });
        }
        drop(sender);
        let done: Vec<_> = receiver.iter().collect();
        assert_eq!(done.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [0, 2, 3]);
        assert!(done.iter().all(|(_, thread)| *thread == done[0].1));
    }
}
