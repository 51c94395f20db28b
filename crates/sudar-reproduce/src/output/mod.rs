//! Tables and figures as text.

pub mod axis;
pub mod figure;
pub mod finding;
pub mod machine;
pub mod sheet;
pub mod table;
