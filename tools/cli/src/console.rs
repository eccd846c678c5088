//! What is printed: answers on standard output, complaints on standard error, one line each.

use std::io::{self, ErrorKind, Write};

/// Prints a line to standard output. A reader who has seen enough (`| head`) is no error.
pub(crate) fn say(line: &str) -> io::Result<()> {
    match writeln!(io::stdout(), "{}", one_line(line)) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes to standard output what is made for programs, as it is. A reader who has seen enough is no error.
pub(crate) fn write(bytes: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    match output.write_all(bytes).and_then(|()| output.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Prints a line to standard error. If nobody can be told, the exit code still speaks.
pub(crate) fn complain(line: &str) {
    drop(writeln!(io::stderr(), "{}", one_line(line)));
}

/// Schemas and instances are a stranger's words: control characters in them are shown, not obeyed.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_control() {
            line.extend(character.escape_default());
        } else {
            line.push(character);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn control_characters_are_shown() {
        assert_eq!(one_line("a\nb\u{1b}[31mc\té"), "a\\nb\\u{1b}[31mc\\té");
    }
}
