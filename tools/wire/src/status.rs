//! [`Status`]: what became of a call.

use stanchion::Verdict;

/// What became of a call. The numbers are part of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Status {
    /// The instance is valid, or what was asked for was done.
    Valid = 0,
    /// The instance is not valid.
    Invalid = 1,
    /// The schema was refused.
    Refused = 2,
    /// The run reached a limit before it had a verdict.
    Undecided = 3,
    /// A text is not JSON, is nested too deep, or is too long.
    NotJson = 4,
    /// The call itself is wrong: an unknown option, an unknown name, a handle that was freed.
    Misuse = 5,
}

impl Status {
    /// Every status, in the order of the numbers.
    pub const ALL: [Status; 6] =
        [Status::Valid, Status::Invalid, Status::Refused, Status::Undecided, Status::NotJson, Status::Misuse];

    /// The name as it stands in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Valid => "valid",
            Status::Invalid => "invalid",
            Status::Refused => "refused",
            Status::Undecided => "undecided",
            Status::NotJson => "not_json",
            Status::Misuse => "misuse",
        }
    }
}

impl From<Verdict> for Status {
    fn from(verdict: Verdict) -> Status {
        match verdict {
            Verdict::Valid => Status::Valid,
            Verdict::Invalid => Status::Invalid,
            Verdict::Undecided(_) => Status::Undecided,
        }
    }
}
