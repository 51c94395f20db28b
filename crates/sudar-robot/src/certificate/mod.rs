//! Certificates of paths: files that show why a path is free of contact at every instant, and the checker.
//!
//! A [`Certificate`] holds the robot, the objects, the waypoints and, for each edge and each pair of bodies, a tree
//! that covers all times from 0 to 1 and all pairs of pieces of the two bodies. Each of its leaves is a direction: at
//! the middle of the leaf's interval of time the pieces are apart along it by more than they can come nearer within
//! the interval. The tree is text of four letters, a node before what is below it: `t` halves the interval of time,
//! `a` and `b` halve the pieces of the first and of the second body (in their order, the first part being the
//! smaller), `.` is a leaf and takes the next direction. So what is covered follows from the letters, and nothing can
//! be left out.
//!
//! The checker ([`check`]) is written a second time in Python, `python/sudar/_verify.py`, which needs numpy alone. It
//! shares nothing with the planner and the check of edges: kinematics, bounds on motion ([`motion`]) and shapes
//! ([`figure`]) are its own. How a certificate was found ([`prove`]) plays no part.

mod check;
mod content;
mod enclosure;
mod error;
mod figure;
mod leaf;
mod model;
mod motion;
mod nearest;
mod order;
mod prove;
mod tree;

pub use check::Verified;
pub use error::{CERTIFICATE_FORMAT, CertificateError};
pub use model::{
    Certificate, CertificateBody, CertificateContent, CertificateJoint, CertificateMotion, CertificateNode,
    CertificateOwner, CertificateShape, LeftOut, PairProof,
};
