//! Runs the program as a user runs it.

use std::env;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// The output of a run, and its exit code.
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Output {
    /// Checks the exit code, and what must be in each stream. A stream without expectations must be
    /// empty.
    #[track_caller]
    pub(crate) fn expect(&self, code: i32, stdout: &[&str], stderr: &[&str]) {
        let Output { code: found, stdout: out, stderr: err } = self;
        assert_eq!(*found, code, "exit code\nstdout: {out}\nstderr: {err}");
        for (name, text, wanted) in [("stdout", out, stdout), ("stderr", err, stderr)] {
            for part in wanted {
                assert!(text.contains(part), "expected {part:?} in {name}\nstdout: {out}\nstderr: {err}");
            }
            assert!(!wanted.is_empty() || text.is_empty(), "expected nothing in {name}, found {text}");
        }
    }
}

/// Runs the program with some arguments and a standard input.
pub(crate) fn stanchion(arguments: &[&str], stdin: &str) -> Output {
    run(command(arguments), stdin.as_bytes())
}

/// Runs a command with this standard input.
pub(crate) fn run(mut command: Command, stdin: &[u8]) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // A program that rejects its arguments does not read its input.
    let stdin = stdin.to_vec();
    let writer = thread::spawn(move || drop(pipe.write_all(&stdin)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input was written");
    Output {
        code: output.status.code().expect("an exit code"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}

/// Runs the program into pipes that nobody reads, and returns its exit code.
pub(crate) fn into_closed_pipe(arguments: &[&str]) -> i32 {
    let mut child = command(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    drop(child.stderr.take());
    child.wait().expect("the program ends").code().expect("an exit code")
}

/// Returns the program with some arguments.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stanchion"));
    command.args(arguments);
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command
}

/// Returns the path of a file in `examples/`.
pub(crate) fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples").join(name).display().to_string()
}

/// Returns the path of an example program. `cargo test` builds them with the tests; if only one
/// test was selected, it is built now.
pub(crate) fn example_program(name: &str) -> String {
    let deps = env::current_exe().expect("a path").parent().expect("a folder").to_owned();
    let path = deps.with_file_name("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if !path.exists() {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = Command::new(cargo);
        build.args(["build", "--offline", "--package", "stanchion-cli", "--example", name]);
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
        assert!(path.exists(), "{}: {}", path.display(), String::from_utf8_lossy(&built.stderr));
    }
    path.display().to_string()
}

/// A directory for one test, under cargo's target directory.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes an empty directory; the name must be unique among tests.
    pub(crate) fn new(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).expect("a folder");
        Scratch(folder)
    }

    /// Runs the program in the directory, so that its output has relative names.
    pub(crate) fn stanchion(&self, arguments: &[&str], stdin: &[u8]) -> Output {
        let mut command = command(arguments);
        command.current_dir(&self.0);
        run(command, stdin)
    }

    /// Writes bytes to a file in it.
    pub(crate) fn bytes(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }

    /// Returns the path of a file in it, whether it exists or not.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Writes a file and returns its path.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        self.path(name)
    }
}
