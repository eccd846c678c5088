//! Makes one look of all that a block says of numbers.
//!
//! ```text
//! before  0000 Type {integer}    after  ask {number}
//!         0001 AtLeast 1                0003 InRange 1..=100
//!         0002 AtMost 100
//! ```

use super::fuse::Code;
use crate::program::{BlockId, Instruction, Interval, Program};
use stanchion_vocab::Type;

/// The interval that the fast code of a block comes down to, if there is more than one instruction to save.
pub(super) fn find(program: &Program, block: BlockId, code: &Code) -> Option<Interval> {
    if code.len() < 2 {
        return None;
    }
    code.iter().try_fold(Interval { low: i64::MIN, high: i64::MAX, block }, |interval, &(instruction, _)| {
        narrowed(program, interval, instruction)
    })
}

/// The interval with what an instruction says; nothing if that is more than where integers begin and end.
fn narrowed(program: &Program, interval: Interval, instruction: Instruction) -> Option<Interval> {
    let Interval { low, high, block } = interval;
    if let Instruction::Type(types) | Instruction::TypeAsWritten(types) = instruction {
        return types.has(Type::Integer).then_some(interval);
    }
    let (low, high) = if let Instruction::AtLeast(bound) = instruction {
        (low.max(program.numbers[bound].as_i64()?), high)
    } else if let Instruction::Above(bound) = instruction {
        (low.max(program.numbers[bound].as_i64()?.checked_add(1)?), high)
    } else if let Instruction::AtMost(bound) = instruction {
        (low, high.min(program.numbers[bound].as_i64()?))
    } else if let Instruction::Below(bound) = instruction {
        (low, high.min(program.numbers[bound].as_i64()?.checked_sub(1)?))
    } else {
        return None;
    };
    Some(Interval { low, high, block })
}
