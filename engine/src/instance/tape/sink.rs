//! [`InstanceSink`]: what a walk over a host's objects fills.

use super::{BuildError, InstanceBuilder};

/// Takes a value piece by piece, in the order of JSON text: an [`InstanceBuilder`], or whatever else a binding reads the objects of its language into.
///
/// So a binding walks objects in one place, whether it wants an instance or, say, the JSON text of a schema.
///
/// ```
/// use stanchion::{BuildError, InstanceBuilder, InstanceSink};
///
/// fn pair(sink: &mut impl InstanceSink) -> Result<(), BuildError> {
///     sink.begin_array()?;
///     sink.signed(-1)?;
///     sink.string("one")?;
///     sink.end()
/// }
///
/// let mut builder = InstanceBuilder::new();
/// pair(&mut builder)?;
/// assert!(builder.finish().is_ok());
/// # Ok::<(), BuildError>(())
/// ```
pub trait InstanceSink {
    /// Takes `null`.
    fn null(&mut self) -> Result<(), BuildError>;
    /// Takes `true` or `false`.
    fn bool(&mut self, value: bool) -> Result<(), BuildError>;
    /// Takes an integer that is not negative.
    fn unsigned(&mut self, value: u64) -> Result<(), BuildError>;
    /// Takes an integer of either sign.
    fn signed(&mut self, value: i64) -> Result<(), BuildError>;
    /// Takes a float. One that is not finite is [`BuildError::NotANumber`].
    fn float(&mut self, value: f64) -> Result<(), BuildError>;
    /// Takes any number by its JSON text.
    fn number(&mut self, text: &str) -> Result<(), BuildError>;
    /// Takes a string.
    fn string(&mut self, text: &str) -> Result<(), BuildError>;
    /// Takes the name of a member. Its value comes next.
    fn name(&mut self, name: &str) -> Result<(), BuildError>;
    /// Opens an array.
    fn begin_array(&mut self) -> Result<(), BuildError>;
    /// Opens an object.
    fn begin_object(&mut self) -> Result<(), BuildError>;
    /// Closes the innermost array or object.
    fn end(&mut self) -> Result<(), BuildError>;
}

macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty)?);)*) => {
        impl InstanceSink for InstanceBuilder {
            $(
                #[inline(always)]
                fn $method(&mut self $(, $argument: $type)?) -> Result<(), BuildError> {
                    InstanceBuilder::$method(self $(, $argument)?)
                }
            )*
        }
    };
}

forward! {
    null();
    bool(value: bool);
    unsigned(value: u64);
    signed(value: i64);
    float(value: f64);
    number(text: &str);
    string(text: &str);
    name(name: &str);
    begin_array();
    begin_object();
    end();
}
