//! A program that exchanges lines with us, with a time limit on every wait.
//!
//! Separate threads read and write: a program that does not read must not block us.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longest line that is read, in bytes.
const MAX_LINE_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes of standard error that are kept, from its end.
const MAX_STDERR_BYTES: usize = 2_000;
/// Time for a program to end after its input was closed.
const EXIT_TIME: Duration = Duration::from_secs(2);

/// Result of reading from the program.
pub(crate) enum Heard {
    Line(Vec<u8>),
    /// A line above the limit; nothing is read after it.
    TooLong(u64),
    /// The time was up.
    Silence,
    /// The program closed its output.
    End,
}

/// A running program. Dropping it closes its input, waits a little, and kills it if it is still there.
pub(crate) struct Process {
    child: Child,
    lines: Receiver<Heard>,
    writer: Option<Sender<String>>,
    said: Arc<Mutex<Vec<u8>>>,
    /// Receives nothing; it closes when standard error does.
    all_said: Receiver<()>,
}

impl Process {
    pub(crate) fn start(command: &[String]) -> Result<Process, String> {
        let [program, arguments @ ..] = command else { return Err("expected a command".to_owned()) };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program}: {error}"))?;
        // The channel blocks the reading thread, so only a few lines are in memory.
        let (line, lines) = mpsc::sync_channel(1);
        let (writer, to_write) = mpsc::channel();
        let said = Arc::new(Mutex::new(Vec::new()));
        let (saying, all_said) = mpsc::channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || read_lines(BufReader::new(output), &line));
        }
        if let Some(input) = child.stdin.take() {
            thread::spawn(move || write_lines(input, &to_write));
        }
        if let Some(errors) = child.stderr.take() {
            let said = Arc::clone(&said);
            thread::spawn(move || {
                keep_the_end(errors, &said);
                drop(saying);
            });
        }
        Ok(Process { child, lines, writer: Some(writer), said, all_said })
    }

    /// Sends a message. If the program has ended, the next [`Process::read`] returns that.
    pub(crate) fn write(&mut self, message: &Value) {
        if let Some(writer) = &self.writer {
            drop(writer.send(format!("{message}\n")));
        }
    }

    pub(crate) fn read(&mut self, until: Instant) -> Heard {
        let patience = until.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(patience) {
            Ok(heard) => heard,
            Err(RecvTimeoutError::Timeout) => Heard::Silence,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Describes how the program ended: «ended with exit status: 1; it said: …»
    pub(crate) fn how_it_ended(&mut self) -> String {
        self.writer = None;
        let end = match self.wait() {
            Some(status) => {
                // Its last output may still be on its way. A child of the program may keep the pipe
                // open, so the wait is short.
                let _ = self.all_said.recv_timeout(EXIT_TIME);
                format!("ended with {status}")
            }
            None => "closed its output".to_owned(),
        };
        end + &self.said()
    }

    /// Returns the end of its standard error, as the end of a sentence.
    pub(crate) fn said(&self) -> String {
        let said =
            self.said.lock().map(|said| String::from_utf8_lossy(&said).into_owned()).unwrap_or_default();
        let said = said.trim();
        if said.is_empty() { String::new() } else { format!("; it said: {said}") }
    }

    fn wait(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + EXIT_TIME;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(10)),
                Ok(None) | Err(_) => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.writer = None;
        if self.wait().is_none() {
            drop(self.child.kill());
            drop(self.child.wait());
        }
    }
}

fn read_lines(mut output: impl BufRead, lines: &SyncSender<Heard>) {
    loop {
        let mut line = Vec::new();
        let heard = match output.by_ref().take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) if line.len() as u64 > MAX_LINE_BYTES => Heard::TooLong(MAX_LINE_BYTES),
            Ok(_) => Heard::Line(line),
        };
        let is_last = matches!(heard, Heard::TooLong(_));
        if lines.send(heard).is_err() || is_last {
            return;
        }
    }
}

fn write_lines(mut input: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn keep_the_end(mut errors: impl Read, said: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = errors.read(&mut buffer) {
        let Ok(mut said) = said.lock() else { return };
        said.extend_from_slice(&buffer[..count]);
        let surplus = said.len().saturating_sub(MAX_STDERR_BYTES);
        said.drain(..surplus);
    }
}
