//! Tasks in progress, each with the data to check its result.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// Most tasks that are remembered. Beyond that, the oldest are forgotten, and their results are
/// passed through.
const MAX_TASKS: usize = 10_000;

/// Data of tasks, by their ids.
pub(super) struct Tasks<T>(Mutex<TaskTable<T>>);

struct TaskTable<T> {
    by_id: HashMap<String, T>,
    order: VecDeque<String>,
}

impl<T> Default for Tasks<T> {
    fn default() -> Tasks<T> {
        Tasks(Mutex::new(TaskTable { by_id: HashMap::new(), order: VecDeque::new() }))
    }
}

impl<T: Clone> Tasks<T> {
    /// Remembers a task.
    pub(super) fn insert(&self, id: &str, known: T) {
        let mut tasks = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tasks.by_id.insert(id.to_owned(), known).is_none() {
            tasks.order.push_back(id.to_owned());
        }
        if tasks.order.len() > MAX_TASKS
            && let Some(oldest) = tasks.order.pop_front()
        {
            tasks.by_id.remove(&oldest);
        }
    }

    /// Returns the data of a task. A finished task may be read again.
    pub(super) fn get(&self, id: &str) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).by_id.get(id).cloned()
    }
}
