//! A client on our standard input and output, and a server that we start, one message a line.

use super::Stop;
use super::lines::{Line, Lines};
use crate::events::{Event, Kind};
use crate::policy::Timeouts;
use crate::session::{Listing, Session};
use crate::tools::{Setup, Tools};
use bytes::Bytes;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufWriter};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::{Mutex as AsyncMutex, Notify};
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// How long a server may take to end after SIGTERM.
const KILL_AFTER: Duration = Duration::from_secs(2);

/// A server that runs as a process of its own group. Dropping it kills the process.
pub(super) struct Server {
    child: Child,
    #[cfg(unix)]
    group: Option<rustix::process::Pid>,
}

impl Server {
    /// Starts a server.
    pub(super) fn start(command: &[OsString]) -> io::Result<(Server, ChildStdin, ChildStdout)> {
        let [program, arguments @ ..] = command else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "expected a command"));
        };
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        // A signal to the group reaches what the server started, too, such as the child of `npx`.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", program.to_string_lossy()))
        })?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the server has no standard input and output"));
        };
        #[cfg(unix)]
        let group = child.id().and_then(|id| rustix::process::Pid::from_raw(id.try_into().ok()?));
        let server = Server {
            child,
            #[cfg(unix)]
            group,
        };
        Ok((server, stdin, stdout))
    }

    /// Waits for the server to end, and ends it if it does not.
    pub(super) async fn end(mut self, patience: Duration) -> io::Result<ExitStatus> {
        let mut status = timeout(patience, self.child.wait()).await.ok().transpose()?;
        #[cfg(unix)]
        if status.is_none() {
            self.signal(rustix::process::Signal::TERM);
            status = timeout(KILL_AFTER, self.child.wait()).await.ok().transpose()?;
        }
        // The rest of the group, and the server if it is still there.
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        match status {
            Some(status) => Ok(status),
            None => {
                self.child.start_kill()?;
                self.child.wait().await
            }
        }
    }

    #[cfg(unix)]
    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(group) = self.group {
            // It fails if nobody is left, which is what we want.
            let _ = rustix::process::kill_process_group(group, signal);
        }
    }
}

#[cfg(unix)]
impl Drop for Server {
    fn drop(&mut self) {
        self.signal(rustix::process::Signal::KILL);
    }
}

/// Why a proxy ended.
#[derive(Debug)]
pub enum Ended {
    /// The client closed its side, or the proxy was asked to end.
    Client,
    /// The server ended first.
    Server(ExitStatus),
}

/// Runs a proxy between our standard input and output and a server that it starts.
pub async fn run(setup: &Arc<Setup>, command: &[OsString], stop: &Stop) -> io::Result<Ended> {
    between(setup, tokio::io::stdin(), tokio::io::stdout(), command, stop).await
}

/// Runs a proxy between a client and a server that it starts.
pub async fn between(
    setup: &Arc<Setup>,
    from_client: impl AsyncRead + Unpin,
    to_client: impl AsyncWrite + Unpin,
    command: &[OsString],
    stop: &Stop,
) -> io::Result<Ended> {
    let (server, to_server, from_server) = Server::start(command)?;
    let limit = setup.policy.limits.message_bytes;
    let link = Link {
        session: Mutex::new(Session::new(setup, &Tools::new(setup))),
        setup: Arc::clone(setup),
        client: AsyncMutex::new(BufWriter::new(to_client)),
        server: AsyncMutex::new(Some(BufWriter::new(to_server))),
        listed: Notify::new(),
    };
    let mut from_client = Lines::new(from_client, limit);
    let mut from_server = Lines::new(from_server, limit);
    let server_side = link.server_side(&mut from_server);
    tokio::pin!(server_side);
    let timeouts = &setup.policy.timeouts;
    let is_server_first = tokio::select! {
        ended = link.client_side(&mut from_client) => { ended?; false }
        ended = &mut server_side => { ended?; true }
        () = stop.wait() => false,
    };
    let drain = Timeouts::duration(timeouts.drain);
    let mut patience = Timeouts::duration(timeouts.exit);
    if is_server_first {
        // Its output is closed: it has ended, or is of no use.
        patience = patience.min(Duration::from_secs(1));
    } else {
        if stop.is_set() {
            let drained = async {
                while link.session().pending() > 0 {
                    sleep(Duration::from_millis(10)).await;
                }
            };
            let _ = timeout(drain, async {
                tokio::select! { () = drained => {}, _ = &mut server_side => {} }
            })
            .await;
        }
        // The end of its input is the sign for the server to end. What it still answers is passed on.
        link.server.lock().await.take();
        let _ = timeout(patience.max(drain), &mut server_side).await;
    }
    let status = server.end(patience).await?;
    if is_server_first {
        setup
            .log
            .write(Event::new(Kind::ServerFailed).with("message", format!("the server ended: {status}")));
    }
    let unanswered = link.session().fail_all(&format!("the server ended before it answered: {status}"));
    let _ = link.to_client(unanswered.iter().map(String::as_str), true).await;
    Ok(if is_server_first { Ended::Server(status) } else { Ended::Client })
}

/// Both directions of a conversation.
struct Link<W: AsyncWrite, S: AsyncWrite> {
    session: Mutex<Session>,
    setup: Arc<Setup>,
    client: AsyncMutex<BufWriter<W>>,
    server: AsyncMutex<Option<BufWriter<S>>>,
    /// Reading the tools has ended.
    listed: Notify,
}

impl<W: AsyncWrite + Unpin, S: AsyncWrite + Unpin> Link<W, S> {
    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn to_client<'m>(
        &self,
        messages: impl IntoIterator<Item = &'m str>,
        flushes: bool,
    ) -> io::Result<()> {
        write(&mut *self.client.lock().await, messages, flushes).await
    }

    /// Writes to the server. One that is gone is noticed where we read from it.
    async fn to_server<'m>(&self, messages: impl IntoIterator<Item = &'m str>, flushes: bool) {
        if let Some(server) = &mut *self.server.lock().await {
            let _ = write(server, messages, flushes).await;
        }
    }

    /// Handles the client's messages until it closes its side.
    async fn client_side(&self, lines: &mut Lines<impl AsyncRead + Unpin>) -> io::Result<()> {
        let mut held = VecDeque::new();
        loop {
            let line = match held.pop_front() {
                Some(line) => Line::Message(line),
                None => lines.next().await?,
            };
            match line {
                Line::End => return Ok(()),
                Line::TooLong(skipped) => {
                    let step = self.session().too_long("client", skipped.id.as_deref(), skipped.is_response);
                    self.to_server(step.onward.as_deref(), true).await;
                    self.to_client(step.back.as_deref(), true).await?;
                }
                Line::Message(line) => {
                    let flushes = held.is_empty() && !lines.has_line();
                    if !self.take_from_client(&line, false, flushes).await? {
                        self.wait_for_tools(&line, lines, &mut held).await?;
                        self.take_from_client(&line, true, true).await?;
                    }
                }
            }
        }
    }

    /// Handles a message. Returns whether it could be checked, or needs the tools.
    async fn take_from_client(&self, line: &Bytes, is_last_try: bool, flushes: bool) -> io::Result<bool> {
        let step = {
            let mut session = self.session();
            if is_last_try { Ok(session.client_now(line)) } else { session.client(line) }
        };
        let Ok(step) = step else { return Ok(false) };
        self.to_server(step.onward.as_deref(), flushes).await;
        if step.back.is_some() {
            self.to_client(step.back.as_deref(), true).await?;
        }
        Ok(true)
    }

    /// Reads the tools. Meanwhile responses of the client go on, since the server may need them;
    /// everything else is held, in its order.
    async fn wait_for_tools(
        &self,
        line: &Bytes,
        lines: &mut Lines<impl AsyncRead + Unpin>,
        held: &mut VecDeque<Bytes>,
    ) -> io::Result<()> {
        let request = self.session().list_request(line);
        self.to_server(request.as_deref(), true).await;
        let seconds = self.setup.policy.timeouts.list;
        let deadline = Instant::now() + Timeouts::duration(seconds);
        let limit = self.setup.policy.limits.message_bytes;
        let mut bytes: usize = held.iter().map(Bytes::len).sum();
        let mut is_open = true;
        loop {
            tokio::select! {
                () = self.listed.notified() => return Ok(()),
                () = sleep_until(deadline) => {
                    self.session().fail_listing(&format!("no answer in {seconds} seconds"));
                    return Ok(());
                }
                next = lines.next(), if is_open && bytes < limit => match next? {
                    Line::Message(line) if Session::is_response(&line) => {
                        self.take_from_client(&line, true, true).await?;
                    }
                    Line::Message(line) => {
                        bytes += line.len();
                        held.push_back(line);
                    }
                    Line::TooLong(skipped) => {
                        let step = self.session().too_long("client", skipped.id.as_deref(), skipped.is_response);
                        self.to_server(step.onward.as_deref(), true).await;
                        self.to_client(step.back.as_deref(), true).await?;
                    }
                    Line::End => is_open = false,
                },
            }
        }
    }

    /// Handles the server's messages until it closes its side.
    async fn server_side(&self, lines: &mut Lines<impl AsyncRead + Unpin>) -> io::Result<()> {
        loop {
            let line = lines.next().await?;
            let step = match &line {
                Line::End => {
                    self.session().fail_listing("the server ended");
                    self.listed.notify_one();
                    return Ok(());
                }
                Line::TooLong(skipped) => {
                    self.session().too_long("server", skipped.id.as_deref(), skipped.is_response)
                }
                Line::Message(line) => self.session().server(line),
            };
            let flushes = !lines.has_line();
            if step.onward.is_some() || flushes {
                self.to_client(step.onward.as_deref(), flushes).await?;
            }
            if step.back.is_some() {
                self.to_server(step.back.as_deref(), true).await;
            }
            match step.listing {
                Some(Listing::Next(request)) => self.to_server([request.as_str()], true).await,
                Some(Listing::Done) => self.listed.notify_one(),
                None => {}
            }
        }
    }
}

/// Writes messages, one a line.
async fn write<'m>(
    writer: &mut (impl AsyncWrite + Unpin),
    messages: impl IntoIterator<Item = &'m str>,
    flushes: bool,
) -> io::Result<()> {
    for message in messages {
        if message.contains('\n') {
            // Between tokens alone: a line feed in a string is escaped.
            writer.write_all(message.replace('\n', " ").as_bytes()).await?;
        } else {
            writer.write_all(message.as_bytes()).await?;
        }
        writer.write_all(b"\n").await?;
    }
    if flushes { writer.flush().await } else { Ok(()) }
}
