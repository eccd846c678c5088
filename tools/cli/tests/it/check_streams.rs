//! `stanchion check` on streams: bounded memory, an early end, a terminal.

#![cfg(unix)]

use crate::common::{Scratch, command};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Starts the program; the test feeds it.
fn start(arguments: &[&str], stdout: Stdio, stderr: Stdio) -> Child {
    command(arguments)
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .expect("the program starts")
}

/// Returns the peak memory of a process so far, in bytes; `None` if the system does not say.
fn peak(child: &Child) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<usize>().ok()? * 1024)
}

/// Writes all pieces, and returns how much memory the program took until then.
fn feed(child: &mut Child, piece: &[u8], times: usize) -> Option<usize> {
    let mut stdin = child.stdin.take().expect("a pipe");
    for _ in 0..times {
        stdin.write_all(piece).expect("the program reads on");
    }
    let peak = peak(child);
    drop(stdin);
    if peak.is_none() {
        println!("skipped: this system does not tell how much memory a process took");
    }
    peak
}

fn end(child: Child) -> (i32, String) {
    let output = child.wait_with_output().expect("the program ends");
    (output.status.code().expect("an exit code"), String::from_utf8(output.stdout).expect("text"))
}

const MEGABYTE: usize = 1_000_000;

#[test]
fn a_long_stream_takes_no_more_memory_than_a_short_one() {
    let scratch = Scratch::new("streams-memory");
    let schema = scratch.file("schema.json", r#"{ "type": "object", "required": ["id"] }"#);
    let line = format!("{{\"id\": 1, \"text\": \"{}\"}}\n", "x".repeat(180));
    let piece = line.repeat(5_000);
    let mut child =
        start(&["check", "--lines", "--threads", "2", &schema, "-"], Stdio::piped(), Stdio::inherit());
    let times = 64 * MEGABYTE / piece.len();
    let peak = feed(&mut child, piece.as_bytes(), times);
    assert!(peak.is_none_or(|peak| peak < 32 * MEGABYTE), "{peak:?} bytes");
    let lines = times * 5_000;
    assert_eq!(end(child), (0, format!("-: {lines} instances: {lines} valid\n")));
}

#[test]
fn an_endless_line_takes_no_more_memory_than_a_line_may() {
    let scratch = Scratch::new("streams-line");
    let schema = scratch.file("schema.json", "true");
    let arguments = ["check", "--format", "line", "--lines", "--limits", "line_bytes=2000000", &schema, "-"];
    let mut child = start(&arguments, Stdio::piped(), Stdio::inherit());
    let peak = feed(&mut child, &[b'x'; MEGABYTE], 64);
    assert!(peak.is_none_or(|peak| peak < 32 * MEGABYTE), "{peak:?} bytes");
    assert_eq!(end(child), (2, "-:1: line 1 has more than 2000000 bytes (line_bytes)\n".to_owned()));
}

#[test]
fn much_to_say_takes_no_more_memory_than_little() {
    let scratch = Scratch::new("streams-output");
    let schema = scratch.file("schema.json", r#"{ "type": "string" }"#);
    let mut child = start(
        &["check", "--format", "json", "--lines", "--threads", "2", &schema, "-"],
        Stdio::piped(),
        Stdio::inherit(),
    );
    let mut stdout = child.stdout.take().expect("a pipe");
    let reader = thread::spawn(move || {
        let mut bytes = 0;
        let mut buffer = [0; 1 << 16];
        while let Ok(read @ 1..) = stdout.read(&mut buffer) {
            bytes += read;
        }
        bytes
    });
    let peak = feed(&mut child, "1\n".repeat(10_000).as_bytes(), 25);
    assert!(peak.is_none_or(|peak| peak < 32 * MEGABYTE), "{peak:?} bytes");
    assert_eq!(end(child).0, 1);
    let bytes = reader.join().expect("all was read");
    assert!(bytes > 40 * MEGABYTE, "{bytes} bytes");
}

/// With `| head -1`, the program stops early and reports no error.
#[test]
fn a_reader_who_has_seen_enough_ends_it() {
    let scratch = Scratch::new("streams-head");
    let schema = scratch.file("schema.json", r#"{ "type": "string" }"#);
    for format in ["line", "json", "sarif"] {
        let mut child =
            start(&["check", "--format", format, "--lines", &schema, "-"], Stdio::piped(), Stdio::piped());
        let mut stdin = child.stdin.take().expect("a pipe");
        // Endless input: the program has to stop by itself.
        let writer = thread::spawn(move || while stdin.write_all(&b"1\n".repeat(1000)).is_ok() {});
        let mut first = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut first).expect("a line");
        assert!(!first.is_empty());
        writer.join().expect("the program ended");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0), "{format}");
    }
}

/// Opens a terminal, and the end of it for a program.
fn terminal() -> (File, File) {
    use rustix::fs::{Mode, OFlags};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let ours = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&ours).expect("a terminal");
    unlockpt(&ours).expect("a terminal");
    let name = ptsname(&ours, Vec::new()).expect("a name");
    let theirs = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("a terminal");
    let size = rustix::termios::Winsize { ws_row: 25, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 };
    rustix::termios::tcsetwinsize(&theirs, size).expect("a size");
    (ours.into(), theirs.into())
}

/// Reads everything on a terminal until the program ends.
fn shown(mut terminal: File) -> String {
    let mut shown = Vec::new();
    let mut buffer = [0; 4096];
    // When the other end is closed, reading fails.
    while let Ok(read @ 1..) = terminal.read(&mut buffer) {
        shown.extend_from_slice(&buffer[..read]);
    }
    String::from_utf8(shown).expect("text")
}

fn on_terminal(arguments: &[&str], variables: &[(&str, &str)]) -> String {
    let (ours, theirs) = terminal();
    let mut command = command(arguments);
    command.envs(variables.iter().copied()).env("TERM", "xterm");
    command.stdin(Stdio::null()).stdout(theirs.try_clone().expect("a terminal")).stderr(theirs);
    let mut child = command.spawn().expect("the program starts");
    // The command holds the program's end of the terminal.
    drop(command);
    let shown = shown(ours);
    child.wait().expect("the program ends");
    shown
}

#[test]
fn a_terminal_has_colors_and_a_width() {
    let scratch = Scratch::new("streams-color");
    let schema = scratch.file("schema.json", r#"{ "items": { "type": "integer" } }"#);
    let good = scratch.file("good.json", "[1]");
    let bad = scratch.file("bad.json", &format!("[{}\"x\"]", "1, ".repeat(100)));
    let arguments = ["check", &schema, &good, &bad];
    let plain = on_terminal(&arguments, &[("NO_COLOR", "1")]);
    assert!(plain.contains("good.json: valid") && plain.contains("error[type]"), "{plain}");
    assert!(!plain.contains('\u{1b}'), "{plain:?}");
    let line = plain.lines().find(|line| line.starts_with("1 │")).expect("the line of the instance");
    assert!(line.trim_end().chars().count() <= 60, "{line}");
    let colored = on_terminal(&arguments, &[]);
    assert!(colored.contains("\u{1b}[32mvalid") && colored.contains("\u{1b}[1m"), "{colored:?}");
    assert!(!on_terminal(&["check", "--color", "never", &schema, &bad], &[]).contains('\u{1b}'));
}

/// Returns whether a text is shown while the program waits for more, and the whole output.
fn watch(arguments: &[&str], until: &str) -> (bool, String) {
    let (ours, theirs) = terminal();
    let mut command = command(arguments);
    command.env("TERM", "xterm").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(theirs);
    let mut child = command.spawn().expect("the program starts");
    drop(command);
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(&b"1\n".repeat(1000)).expect("the program reads");
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        let (mut ours, mut buffer) = (ours, [0; 4096]);
        while let Ok(read @ 1..) = ours.read(&mut buffer) {
            drop(sender.send(String::from_utf8_lossy(&buffer[..read]).into_owned()));
        }
    });
    let mut all = String::new();
    // Only a program that shows nothing makes this loop wait so long.
    while !all.contains(until) {
        let Ok(more) = receiver.recv_timeout(Duration::from_secs(30)) else { break };
        all += &more;
    }
    let was_seen = all.contains(until);
    drop(stdin);
    child.wait().expect("the program ends");
    reader.join().expect("the terminal was read");
    all.extend(receiver.try_iter());
    (was_seen, all)
}

#[test]
fn progress_is_shown_on_a_terminal_while_work_goes_on() {
    let scratch = Scratch::new("streams-progress");
    let schema = scratch.file("schema.json", r#"{ "type": "integer" }"#);
    let (was_seen, all) = watch(&["check", "--lines", &schema, "-"], "/s");
    assert!(was_seen && all.contains("1.95 KiB"), "{all:?}");
}

#[test]
fn no_progress_where_nobody_watches() {
    let scratch = Scratch::new("streams-no-progress");
    let schema = scratch.file("schema.json", r#"{ "type": "integer" }"#);
    let mut child = start(&["check", "--lines", &schema, "-"], Stdio::piped(), Stdio::piped());
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"1\n2\n").expect("the program reads");
    // Longer than the delay before progress is shown.
    thread::sleep(Duration::from_millis(600));
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}
