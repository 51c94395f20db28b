//! Bodies on their way.

use crate::motion::Motion;
use crate::query::Body;
use crate::query::bodies::Form;

/// A body on its way, see [`Body::moving`].
#[derive(Debug, Clone, Copy)]
pub struct Moving<'a> {
    pub(super) body: &'a Body,
    pub(super) motion: &'a Motion,
}

impl Body {
    /// The body in motion.
    #[inline]
    pub fn moving<'a>(&'a self, motion: &'a Motion) -> Moving<'a> {
        Moving { body: self, motion }
    }
}

impl<'a> Moving<'a> {
    /// The body that moves.
    pub fn body(&self) -> &'a Body {
        self.body
    }

    /// Its motion.
    pub fn motion(&self) -> &'a Motion {
        self.motion
    }

    /// The motion as it is made: a half-space that is a body of its own stands still.
    pub(super) fn made(&self) -> Motion {
        match self.body.form() {
            Form::Halfspace(_) => Motion::still(self.motion.start()),
            Form::Mesh | Form::Convex(_) | Form::Compound(_) => *self.motion,
        }
    }
}
