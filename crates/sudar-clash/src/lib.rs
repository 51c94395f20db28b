//! Clash checks of assemblies: which parts are in each other's way.
//!
//! [`find_clashes`] decides every pair of parts of an [`Assembly`] exactly and says of which [`ClashKind`] it is, how
//! deep and where; [`Check`] is the whole check, as the command and Python make it. [`ClashOptions`] holds clearances
//! and exceptions; [`Rules`] reads them from a file. [`Document`] is the report as JSON, [`Baseline`] an earlier one to
//! compare with, [`page`] the report as an HTML page that works offline, [`Bcf`] a file of topics that other tools
//! read, with what people decided there. [`gearbox`](mod@gearbox) is an assembly with known faults.
//!
//! ```
//! use sudar::{Aabb, DVec3, Mesh, Pose};
//! use sudar_clash::{Assembly, ClashKind, ClashOptions, Part, body_of, find_clashes};
//!
//! let brick = body_of(Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: DVec3::new(2.0, 1.0, 1.0) }).into());
//! let part = |name: &str, x| {
//!     let pose = Pose::from_translation(DVec3::new(x, 0.0, 0.0))?;
//!     Ok::<_, sudar::PoseError>(Part { name: name.into(), body: brick.clone(), pose })
//! };
//! let assembly = Assembly { parts: vec![part("left", 0.0)?, part("middle", 1.5)?, part("right", 3.5)?] };
//! let report = find_clashes(&assembly, &ClashOptions::default(), &|_, _| {})?;
//! let found: Vec<_> = report.clashes.iter().map(|clash| (clash.a, clash.b, clash.kind)).collect();
//! assert_eq!(found, [(0, 1, ClashKind::Hard), (1, 2, ClashKind::Touch)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod band;
mod bar;
mod baseline;
mod bcf;
mod benchmark;
mod between_planes;
mod cache;
mod candidates;
mod cells;
mod check;
mod clash;
mod coded;
mod corners;
mod depth;
mod deviation;
mod document;
mod duplicate;
mod examine;
mod fingerprint;
mod found;
pub mod gearbox;
mod groups;
mod growth;
mod job;
mod kind;
mod name_pattern;
mod numbers;
mod options;
mod outline;
mod page;
mod pair;
mod part;
mod parts;
mod place;
mod planks;
mod posed;
mod regions;
mod report;
mod review;
mod rules;
mod same_place;
mod separate;
mod separation;
mod severity;
mod snapshot;
mod subject;
mod union;
mod unit;
mod witness;
mod zone;

pub use baseline::{Baseline, BaselineError};
pub use bcf::{Bcf, BcfBy, BcfError, BcfOptions, BcfProject, BcfVersion, NO_DATE, UpAxis};
pub use benchmark::benchmark;
pub use cache::{Cache, CacheError};
pub use check::{Check, CheckError, Checked, Earlier, Found, Plan, TouchBand};
pub use clash::{find_clashes, find_clashes_cached, find_clashes_under};
pub use document::{
    Before, ClashInfo, Document, Failed, GLOBAL_ID, Gone, Group, Lost, Origin, PartDetails, PartInfo, Review,
    ReviewStatus, SCHEMA, Status,
};
pub use found::{Clash, Separation};
pub use groups::{GroupBy, Grouping};
pub use growth::{Change, Growth, Measure};
pub use job::{Answer, Answers, AnswersError, Chunk, ChunkError, Job};
pub use name_pattern::{NamePattern, PatternError};
pub use options::{ClashError, ClashKind, ClashOptions, DepthMeasure, PartSet};
pub use outline::Outline;
pub use page::{page, served};
pub use part::{Assembly, Part, body_of};
pub use place::{GridAxis, Level, Places};
pub use regions::{Form, Region};
pub use report::ClashReport;
pub use review::{ReviewError, ReviewLog};
pub use rules::{Applied, Named, Rules, RulesError};
pub use severity::Severity;

pub use subject::Subject;
pub use unit::{Length, LengthError, Unit};
pub use zone::{Room, Zone};
