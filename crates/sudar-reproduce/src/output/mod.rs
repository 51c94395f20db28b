//! Tables and figures as text.

pub mod axis;
pub mod figure;
pub mod file;
pub mod finding;
pub mod machine;
pub mod page;
pub mod sheet;
pub mod table;
