//! Tables and figures as text.

pub mod axis;
pub mod figure;
pub mod machine;
pub mod sheet;
