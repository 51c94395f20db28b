//! Sudar beside other libraries: same meshes, same poses, one run.
//!
//! Nouns first ([`cases`], [`generate`], [`peers`], [`options`]), then how time is taken ([`timing`]) and
//! answers are judged ([`exact`], [`nearest`]), then one module for each table ([`meshes`], [`distance`],
//! [`assembly`], [`convex`], [`build`], [`hull`], [`hard`], [`broad`], [`auto`], [`dynamics`], [`kinds`],
//! [`mass`], [`poses`], [`rays`], [`referee`], [`round`], [`many`], [`sweep`]). `bench/README.md` tells how
//! to run it.

pub mod assembly;
pub mod auto;
pub mod broad;
pub mod broad_rivals;
pub mod build;
pub mod cases;
pub mod convex;
pub mod distance;
pub mod dynamics;
pub mod emit;
pub mod exact;
pub mod generate;
pub mod hard;
pub mod hull;
pub mod kinds;
pub mod living;
pub mod machine;
pub mod mass;
pub mod meshes;
pub mod nearest;
pub mod options;
pub mod peers;
pub mod poses;
pub mod rays;
pub mod referee;
pub mod report;
pub mod rivals;
pub mod round;
pub mod scene;
pub mod sweep;
pub mod timing;
