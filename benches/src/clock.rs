//! CPU time, which does not grow when other programs run.

use std::time::Duration;

/// Returns the CPU time that this thread has used.
#[cfg(unix)]
pub fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the time since the first call, as a substitute for CPU time on this platform.
#[cfg(not(unix))]
pub fn cpu_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
