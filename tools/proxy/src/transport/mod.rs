//! Transports: how messages reach a [`Session`](crate::Session), and how they leave it.

pub mod http;
mod lines;
mod sse;
pub mod stdio;

use std::future::Future;
use tokio::sync::watch;

/// Says that the proxy should end: it takes no new requests, and waits for those under way.
#[derive(Clone, Debug)]
pub struct Stop(watch::Receiver<bool>);

/// Ends the proxy when it is sent, or dropped.
#[derive(Debug)]
pub struct Stopper(watch::Sender<bool>);

impl Stop {
    /// Makes a pair: one end asks, the other waits.
    pub fn new() -> (Stopper, Stop) {
        let (sender, receiver) = watch::channel(false);
        (Stopper(sender), Stop(receiver))
    }

    /// Waits until the proxy should end.
    pub fn wait(&self) -> impl Future<Output = ()> + Send + 'static {
        let mut receiver = self.0.clone();
        // An error means that the other end is gone, which asks as well.
        async move { drop(receiver.wait_for(|stop| *stop).await) }
    }

    /// Whether the proxy should end.
    pub fn is_set(&self) -> bool {
        *self.0.borrow()
    }
}

impl Stopper {
    /// Asks the proxy to end.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    /// Asks the proxy to end when the process gets SIGTERM, or Ctrl-C. A second signal ends it at
    /// once.
    #[cfg(unix)]
    pub async fn on_signals(self) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut hang_up = signal(SignalKind::hangup())?;
        loop {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
                _ = hang_up.recv() => {}
            }
            self.stop();
        }
    }

    /// Asks the proxy to end on Ctrl-C.
    #[cfg(not(unix))]
    pub async fn on_signals(self) -> std::io::Result<()> {
        loop {
            tokio::signal::ctrl_c().await?;
            self.stop();
        }
    }
}
