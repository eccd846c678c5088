//! Makes one comparison of all requirements of a block on numbers.
//!
//! ```text
//! before  0000 Type {integer}    after  ask {number}
//!         0001 AtLeast 1                0003 InRange 1..=100
//!         0002 AtMost 100
//! ```
//!
//! An end is kept twice, as an integer and as a float, each including the value itself: «above 2.5» is from 3 on, and from the float that
//! follows 2.5. So both kinds of numbers compare with their own kind.

use super::fuse::Code;
use super::gates;
use crate::instance::Number;
use crate::instance::number::EXACT_IN_FLOAT;
use crate::program::{Assertion, BlockId, Bound, Fast, Interval, Program};
use stanchion_vocab::Type;
use std::num::NonZeroU64;

/// The interval that the fast code of a block comes down to, if that is more than a type and the block is only run on numbers. What is
/// asked of other types may have come to nothing only in fast code, and an interval falls back on plain code.
pub(super) fn find(program: &Program, block: BlockId, code: &Code) -> Option<Interval> {
    let is_type = |instruction| {
        matches!(instruction, Fast::Assert(Assertion::Type(_)) | Fast::Assert(Assertion::TypeAsWritten(_)))
    };
    let asks_others = !program.gate(block).asks().and(gates::NUMBER.not()).is_empty();
    if asks_others || code.iter().all(|&(instruction, _)| is_type(instruction)) {
        return None;
    }
    let floats = Some((f64::MIN, f64::MAX));
    let all = Interval { low: i64::MIN, high: i64::MAX, floats, step: NonZeroU64::MIN, block };
    code.iter().try_fold(all, |interval, &(instruction, _)| narrowed(program, interval, instruction))
}

/// Narrows the interval by an instruction; nothing if that is more than a bound.
fn narrowed(program: &Program, interval: Interval, instruction: Fast) -> Option<Interval> {
    if let Fast::Assert(Assertion::Type(types)) | Fast::Assert(Assertion::TypeAsWritten(types)) = instruction
    {
        let floats = interval.floats.filter(|_| types.has(Type::Number));
        return types.has(Type::Integer).then_some(Interval { floats, ..interval });
    }
    let mut narrower = interval;
    if let Fast::Assert(Assertion::AtLeast(bound)) = instruction {
        (narrower.low, narrower.floats) = least(&program.numbers[bound], true, interval)?;
    } else if let Fast::Assert(Assertion::Above(bound)) = instruction {
        (narrower.low, narrower.floats) = least(&program.numbers[bound], false, interval)?;
    } else if let Fast::Assert(Assertion::AtMost(bound)) = instruction {
        (narrower.high, narrower.floats) = most(&program.numbers[bound], true, interval)?;
    } else if let Fast::Assert(Assertion::Below(bound)) = instruction {
        (narrower.high, narrower.floats) = most(&program.numbers[bound], false, interval)?;
    } else if let Fast::Assert(Assertion::MultipleOf(multiple)) = instruction {
        let step = program.multiples[multiple].divisor.small()?;
        return with_step(interval, step).map(|interval| Interval { floats: None, ..interval });
    } else if let Fast::InRange(other) = instruction {
        let other = &program.intervals[other];
        narrower = with_step(interval, other.step)?;
        narrower.low = interval.low.max(other.low);
        narrower.high = interval.high.min(other.high);
        narrower.floats = interval
            .floats
            .zip(other.floats)
            .map(|((low, high), (least, most))| (low.max(least), high.min(most)));
    } else {
        return None;
    }
    Some(narrower)
}

/// The interval, of which only multiples of a step are left; none, if there are two different steps.
fn with_step(interval: Interval, step: NonZeroU64) -> Option<Interval> {
    let both = interval.step.max(step);
    let is_one = [interval.step, step].iter().all(|&step| step == both || step == NonZeroU64::MIN);
    is_one.then_some(Interval { step: both, ..interval })
}

type Floats = Option<(f64, f64)>;

/// The least integer and the least float of an interval that a bound cuts from below. The bound itself may be part of it or not.
fn least(bound: &Bound, is_part: bool, interval: Interval) -> Option<(i64, Floats)> {
    let (low, least) = match Number::from(bound) {
        Number::Float(bound) if is_small(bound) => {
            let first = if is_part { bound.ceil() } else { bound.floor() + 1.0 };
            (first as i64, Some(bound))
        }
        Number::Unsigned(_) | Number::Signed(_) => {
            let bound = bound.as_i64()?;
            (bound.checked_add(i64::from(!is_part))?, exact(bound))
        }
        Number::Float(_) | Number::Exact(_) => return None,
    };
    let least = least.map(|least| if is_part { least } else { least.next_up() });
    let floats = interval.floats.zip(least).map(|((low, high), least)| (low.max(least), high));
    Some((interval.low.max(low), floats))
}

/// The greatest integer and the greatest float of an interval that a bound cuts from above.
fn most(bound: &Bound, is_part: bool, interval: Interval) -> Option<(i64, Floats)> {
    let (high, most) = match Number::from(bound) {
        Number::Float(bound) if is_small(bound) => {
            let last = if is_part { bound.floor() } else { bound.ceil() - 1.0 };
            (last as i64, Some(bound))
        }
        Number::Unsigned(_) | Number::Signed(_) => {
            let bound = bound.as_i64()?;
            (bound.checked_sub(i64::from(!is_part))?, exact(bound))
        }
        Number::Float(_) | Number::Exact(_) => return None,
    };
    let most = most.map(|most| if is_part { most } else { most.next_down() });
    let floats = interval.floats.zip(most).map(|((low, high), most)| (low, high.min(most)));
    Some((interval.high.min(high), floats))
}

/// Whether the integers next to a float are floats, too.
fn is_small(float: f64) -> bool {
    float.abs() < EXACT_IN_FLOAT as f64
}

/// Converts an integer to a float, if the float is equal to it and to no other integer.
fn exact(integer: i64) -> Option<f64> {
    (i128::from(integer).abs() < EXACT_IN_FLOAT).then_some(integer as f64)
}
