#![allow(missing_docs)]
use glam::DVec3;
use crate::shape::*;
pub fn point_capsule(_: DVec3, _: &Segment, _: f64) -> bool { todo!() }
pub fn point_cone(_: DVec3, _: &Cone) -> bool { todo!() }
pub fn point_cylinder(_: DVec3, _: &Cylinder) -> bool { todo!() }
pub fn point_ellipsoid(_: DVec3, _: &Ellipsoid) -> bool { todo!() }
pub fn ray_capsule(_: &Ray, _: &Capsule, _: f64) -> Option<super::RayHit> { todo!() }
pub fn ray_cone(_: &Ray, _: &Cone, _: f64) -> Option<super::RayHit> { todo!() }
pub fn ray_cylinder(_: &Ray, _: &Cylinder, _: f64) -> Option<super::RayHit> { todo!() }
pub fn ray_ellipsoid(_: &Ray, _: &Ellipsoid, _: f64) -> Option<super::RayHit> { todo!() }
