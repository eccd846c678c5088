//! Patterns that only a few texts match, as a list of these.

use stanchion_vocab::ecma::Ast;

/// How many texts are listed, and how many bytes they may have together.
const MAX_WORDS: usize = 4096;
const MAX_BYTES: usize = 64 << 10;

/// All texts that match one of the sequences, sorted; if they are few.
pub(super) fn list<'a>(sequences: impl Iterator<Item = &'a [Ast]>) -> Option<Box<[Box<str>]>> {
    let mut all = Words::default();
    for items in sequences {
        let empty = Words { texts: vec![String::new()], bytes: 0 };
        all.extend(items.iter().try_fold(empty, append)?)?;
    }
    all.texts.sort_unstable();
    all.texts.dedup();
    Some(all.texts.into_iter().map(Box::from).collect())
}

#[derive(Clone, Default)]
struct Words {
    texts: Vec<String>,
    bytes: usize,
}

impl Words {
    /// More words, if they are still few.
    fn extend(&mut self, more: Words) -> Option<()> {
        self.bytes += more.bytes;
        self.texts.extend(more.texts);
        (self.texts.len() <= MAX_WORDS && self.bytes <= MAX_BYTES).then_some(())
    }

    /// Each word with a text behind it.
    fn push(mut self, text: &str) -> Option<Words> {
        self.bytes = self.bytes.saturating_add(self.texts.len().saturating_mul(text.len()));
        if self.bytes > MAX_BYTES {
            return None;
        }
        self.texts.iter_mut().for_each(|word| word.push_str(text));
        Some(self)
    }
}

/// Each word with each text that matches behind it.
fn append(mut words: Words, ast: &Ast) -> Option<Words> {
    match ast {
        Ast::Empty => Some(words),
        Ast::Literal(text) => words.push(text),
        Ast::Class(class) => match class.ranges() {
            &[(start, end)] if start == end && class.properties().is_empty() => {
                words.push(start.encode_utf8(&mut [0; 4]))
            }
            _ => None,
        },
        Ast::Group(group) => append(words, &group.body),
        Ast::Repeat(repeat) if (repeat.min, repeat.max) == (0, Some(1)) => {
            let more = append(words.clone(), &repeat.body)?;
            words.extend(more)?;
            Some(words)
        }
        Ast::Concat(items) => items.iter().try_fold(words, append),
        Ast::Alternate(branches) => {
            let mut all = Words::default();
            for branch in branches {
                all.extend(append(words.clone(), branch)?)?;
            }
            Some(all)
        }
        Ast::Assertion(_) | Ast::Look(_) | Ast::Repeat(_) | Ast::Backreference(_) => None,
    }
}
