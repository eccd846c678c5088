//! Patterns that only a few texts match, as a list of these.

use super::work::Work;
use stanchion_vocab::ecma::Ast;

/// The size of a word, beside its bytes.
const WORD: usize = 12;

/// All texts that match one of the sequences, sorted; if there is enough work for as many as there are.
pub(super) fn list<'a>(
    sequences: impl Iterator<Item = &'a [Ast]>,
    work: &mut Work,
) -> Option<Box<[Box<str>]>> {
    let mut all = Vec::new();
    for items in sequences {
        work.spend(WORD)?;
        all.append(&mut items.iter().try_fold(vec![String::new()], |words, item| append(words, item, work))?);
    }
    all.sort_unstable();
    all.dedup();
    Some(all.into_iter().map(Box::from).collect())
}

/// Each word with a text behind it.
fn push(mut words: Vec<String>, text: &str, work: &mut Work) -> Option<Vec<String>> {
    work.spend(words.len().saturating_mul(2 + text.len()))?;
    words.iter_mut().for_each(|word| word.push_str(text));
    Some(words)
}

fn copy(words: &[String], work: &mut Work) -> Option<Vec<String>> {
    work.spend(words.iter().map(|word| WORD + word.len()).sum())?;
    Some(words.to_vec())
}

/// Each word with each text that matches behind it.
fn append(mut words: Vec<String>, ast: &Ast, work: &mut Work) -> Option<Vec<String>> {
    match ast {
        Ast::Empty => Some(words),
        Ast::Literal(text) => push(words, text, work),
        Ast::Class(class) => match class.ranges() {
            &[(start, end)] if start == end && class.properties().is_empty() => {
                push(words, start.encode_utf8(&mut [0; 4]), work)
            }
            _ => None,
        },
        Ast::Group(group) => append(words, &group.body, work),
        Ast::Repeat(repeat) if (repeat.min, repeat.max) == (0, Some(1)) => {
            let more = copy(&words, work)?;
            words.append(&mut append(more, &repeat.body, work)?);
            Some(words)
        }
        Ast::Concat(items) => items.iter().try_fold(words, |words, item| append(words, item, work)),
        Ast::Alternate(branches) => {
            let mut all = Vec::new();
            for branch in branches {
                let words = copy(&words, work)?;
                all.append(&mut append(words, branch, work)?);
            }
            Some(all)
        }
        Ast::Assertion(_) | Ast::Look(_) | Ast::Repeat(_) | Ast::Backreference(_) => None,
    }
}
