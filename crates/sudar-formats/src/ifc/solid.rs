//! Solids by sweeps and by their faces.

use std::f64::consts::TAU;

use sudar::DVec3;
use sudar::glam::{DAffine3, DMat3, DQuat, DVec2};

use super::boolean::Surface;
use super::curve::{Curves, no_corner, sincos_of_turn};
use super::faces::Faces;
use super::profile::{Profile, Region, stretch};
use super::value::{Entry, Found, Lost};

/// A surface, and how far the true one is from it at most. Several may stand in one, as the regions of a profile do.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Solid {
    pub surface: Surface,
    pub deviation: f64,
}

/// What was wrong with a part of a shape and is not in it.
pub(super) type Complaints = Vec<String>;

impl Curves<'_> {
    /// A solid or surface by itself; `None` if an entity is none of these.
    pub fn solid(&self, entry: &Entry<'_>, complaints: &mut Complaints) -> Found<Option<Solid>> {
        Ok(Some(match &*entry.class {
            "IFCEXTRUDEDAREASOLID" => self.extruded(entry, None)?,
            "IFCEXTRUDEDAREASOLIDTAPERED" => self.extruded(entry, Some(entry.reference(4)?))?,
            "IFCREVOLVEDAREASOLID" => self.revolved(entry)?,
            "IFCSWEPTDISKSOLID" | "IFCSWEPTDISKSOLIDPOLYGONAL" => self.swept_disk(entry)?,
            "IFCFACETEDBREP" | "IFCFACETEDBREPWITHVOIDS" | "IFCADVANCEDBREP" | "IFCADVANCEDBREPWITHVOIDS" => {
                let voids = if entry.class.ends_with("VOIDS") { entry.references(1)? } else { Vec::new() };
                self.shells(std::iter::once(entry.reference(0)?).chain(voids), complaints)?
            }
            "IFCSHELLBASEDSURFACEMODEL" | "IFCFACEBASEDSURFACEMODEL" => {
                self.shells(entry.references(0)?, complaints)?
            }
            "IFCCLOSEDSHELL" | "IFCOPENSHELL" | "IFCCONNECTEDFACESET" => {
                self.shells([entry.number], complaints)?
            }
            "IFCTRIANGULATEDFACESET" | "IFCTRIANGULATEDIRREGULARNETWORK" => {
                self.triangulated(entry, complaints)?
            }
            "IFCPOLYGONALFACESET" => self.polygonal(entry, complaints)?,
            "IFCBLOCK"
            | "IFCRIGHTCIRCULARCYLINDER"
            | "IFCRIGHTCIRCULARCONE"
            | "IFCSPHERE"
            | "IFCRECTANGULARPYRAMID" => self.primitive(entry)?,
            _ => return Ok(None),
        }))
    }

    fn extruded(&self, entry: &Entry<'_>, end: Option<u32>) -> Found<Solid> {
        let profile = self.profile(entry.reference(0)?)?;
        let frame = self.step.axes(entry.get(1).reference())?;
        let way = self.step.direction(entry.reference(2)?)? * entry.length(3)?;
        if way.z.abs() <= 1e-9 * way.length() {
            return Err(entry.wrong(2, "direction out of the plane of the profile"));
        }
        let Some(end) = end else {
            let deviation = profile.deviation;
            return Ok(Solid { surface: extrude(&profile.regions, &frame, way), deviation });
        };
        let top = self.profile(end)?;
        self.between(entry, &profile, &top, &frame, way)
    }

    /// From one profile to another of as many corners.
    fn between(
        &self,
        entry: &Entry<'_>,
        bottom: &Profile,
        top: &Profile,
        frame: &DAffine3,
        way: DVec3,
    ) -> Found<Solid> {
        let rings = |region: &Region| -> Vec<Vec<DVec2>> {
            std::iter::once(region.outer.clone()).chain(region.holes.iter().cloned()).collect()
        };
        let mut faces = Faces::default();
        let fits = |a: &Region, b: &Region| {
            let (a, b) = (rings(a), rings(b));
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| a.len() == b.len())
        };
        let is_fit = bottom.regions.len() == top.regions.len()
            && bottom.regions.iter().zip(&top.regions).all(|(a, b)| fits(a, b));
        if !is_fit {
            return Err(Lost(format!(
                "#{} {}: its two profiles have not the same corners",
                entry.number, entry.class
            )));
        }
        for (a, b) in bottom.regions.iter().zip(&top.regions) {
            let place = |ring: &[DVec2], by: DVec3| -> Vec<DVec3> {
                ring.iter().map(|p| frame.transform_point3(p.extend(0.0) + by)).collect()
            };
            let low: Vec<_> = rings(a).iter().map(|ring| place(ring, DVec3::ZERO)).collect();
            let high: Vec<_> = rings(b).iter().map(|ring| place(ring, way)).collect();
            prism(&mut faces, &low, &high, way.z < 0.0);
        }
        Ok(Solid { surface: faces.finish(), deviation: bottom.deviation.max(top.deviation) })
    }

    fn revolved(&self, entry: &Entry<'_>) -> Found<Solid> {
        let profile = self.profile(entry.reference(0)?)?;
        let frame = self.step.axes(entry.get(1).reference())?;
        let axis = self.step.axes(Some(entry.reference(2)?))?;
        let angle = entry.number(3)? * self.units.angle;
        let angle = angle.clamp(-TAU, TAU);
        if angle == 0.0 {
            return Err(entry.wrong(3, "angle other than zero"));
        }
        let (origin, way) = (axis.translation, axis.matrix3.z_axis);
        let reach = |p: &DVec2| (p.extend(0.0) - origin).reject_from_normalized(way).length();
        let all = || profile.regions.iter().flat_map(|r| r.outer.iter().chain(r.holes.iter().flatten()));
        let radius = all().map(reach).fold(0.0, f64::max);
        if radius == 0.0 {
            return Err(entry.wrong(2, "axis beside the profile"));
        }
        let is_whole = angle.abs() >= TAU - 1e-9;
        let (count, off) = self.units.pieces(radius, angle);
        let turned = |p: DVec2, i: usize| {
            let p = p.extend(0.0);
            let turn = if is_whole {
                sincos_of_turn(i % count, count)
            } else {
                libm::sincos(angle * i as f64 / count as f64)
            };
            let (sin, cos) = if is_whole && angle < 0.0 { (-turn.0, turn.1) } else { turn };
            let out = p - origin;
            let along = way * out.dot(way);
            let across = out - along;
            if across.length() <= 1e-12 * radius {
                return frame.transform_point3(p);
            }
            frame.transform_point3(origin + along + across * cos + way.cross(across) * sin)
        };
        let mut faces = Faces::default();
        for region in &profile.regions {
            let ring = |i: usize| -> Vec<Vec<DVec3>> {
                let rings = std::iter::once(&region.outer).chain(&region.holes);
                rings.map(|ring| ring.iter().map(|p| turned(*p, i)).collect()).collect()
            };
            sweep(&mut faces, &(0..=count).map(ring).collect::<Vec<_>>(), is_whole);
        }
        Ok(Solid { surface: outward(faces.finish()), deviation: profile.deviation + off })
    }

    fn swept_disk(&self, entry: &Entry<'_>) -> Found<Solid> {
        let directrix = self.row(entry.reference(0)?)?;
        let (radius, inner) = (entry.length(1)?, entry.radius(2));
        if inner >= radius {
            return Err(entry.wrong(2, "inner radius below the outer one"));
        }
        let mut points = directrix.points;
        let is_closed = points.len() > 3 && points.first() == points.last();
        if is_closed {
            points.pop();
        }
        if points.len() < 2 {
            return Err(entry.wrong(0, "curve of some length"));
        }
        let rings: Vec<Vec<Vec<DVec3>>> = {
            let circle = |radius: f64| self.units.ellipse([radius; 2]).points;
            // A hole runs the other way round.
            let inner = (inner > 0.0).then(|| circle(inner).into_iter().rev().collect::<Vec<_>>());
            let outlines: Vec<Vec<DVec3>> = std::iter::once(circle(radius)).chain(inner).collect();
            pipe(&points, is_closed, &outlines)
        };
        let mut faces = Faces::default();
        sweep(&mut faces, &rings, is_closed);
        let off = self.units.ellipse([radius; 2]).deviation;
        Ok(Solid { surface: outward(faces.finish()), deviation: directrix.deviation + off })
    }

    fn triangulated(&self, entry: &Entry<'_>, complaints: &mut Complaints) -> Found<Solid> {
        let points = self.step.points(entry.reference(0)?)?;
        let mut faces = Faces::default();
        for (number, row) in entry.rows(3)?.into_iter().enumerate() {
            match corners(entry, &row, &points) {
                Ok(corners) => match corners[..] {
                    [a, b, c] => faces.triangle([a, b, c]),
                    _ => return Err(entry.wrong(3, "list of triangles")),
                },
                Err(Lost(why)) => complaints.push(format!("{why}, in face {}", number + 1)),
            }
        }
        Ok(Solid { surface: faces.finish(), deviation: 0.0 })
    }

    fn polygonal(&self, entry: &Entry<'_>, complaints: &mut Complaints) -> Found<Solid> {
        let points = self.step.points(entry.reference(0)?)?;
        let renumbered = entry.numbers(3).ok();
        let mut faces = Faces::default();
        for number in entry.references(2)? {
            let face = self.step.entry(number)?;
            let named = |row: Vec<f64>| -> Found<Vec<DVec3>> {
                let row = match &renumbered {
                    Some(numbers) => row
                        .iter()
                        .map(|i| {
                            let known = (*i >= 1.0).then(|| numbers.get(*i as usize - 1)).flatten();
                            known.copied().ok_or_else(|| no_corner(&face, *i, numbers.len()))
                        })
                        .collect::<Found<Vec<f64>>>()?,
                    None => row,
                };
                corners(&face, &row, &points)
            };
            let holes = if face.class.ends_with("VOIDS") { face.rows(1)? } else { Vec::new() };
            let rings = std::iter::once(face.numbers(0)?).chain(holes).map(named).collect::<Found<Vec<_>>>();
            match rings.as_deref() {
                Ok([outer, holes @ ..]) => faces.add(outer, holes),
                Ok([]) => {}
                Err(Lost(why)) => complaints.push(why.clone()),
            }
        }
        complain_of_faces(entry, &faces, complaints);
        Ok(Solid { surface: faces.finish(), deviation: 0.0 })
    }

    fn shells(&self, shells: impl IntoIterator<Item = u32>, complaints: &mut Complaints) -> Found<Solid> {
        let mut faces = Faces::default();
        let mut deviation = 0.0_f64;
        for shell in shells {
            let shell = self.step.entry(shell)?;
            for face in shell.references(0)? {
                match self.face(face, &mut faces) {
                    Ok(off) => deviation = deviation.max(off),
                    Err(Lost(why)) => complaints.push(why),
                }
            }
            complain_of_faces(&shell, &faces, complaints);
        }
        Ok(Solid { surface: faces.finish(), deviation })
    }

    fn face(&self, number: u32, faces: &mut Faces) -> Found<f64> {
        let face = self.step.entry(number)?;
        let is_plain = face.class == "IFCFACE";
        if !is_plain {
            let surface = self.step.entry(face.reference(1)?)?;
            if surface.class != "IFCPLANE" {
                return self.curved_face(&face, &surface, faces);
            }
        }
        let (mut outer, mut holes, mut deviation) = (Vec::new(), Vec::new(), 0.0_f64);
        for bound in face.references(0)? {
            let bound = self.step.entry(bound)?;
            let (mut ring, off) = self.loop_of(bound.reference(0)?)?;
            deviation = deviation.max(off);
            if bound.says(1, "F") {
                ring.reverse();
            }
            if bound.class == "IFCFACEOUTERBOUND" || outer.is_empty() {
                holes.extend(Some(std::mem::replace(&mut outer, ring)).filter(|ring| !ring.is_empty()));
            } else {
                holes.push(ring);
            }
        }
        if face.says(2, "F") {
            outer.reverse();
            holes.iter_mut().for_each(|hole| hole.reverse());
        }
        faces.add(&outer, &holes);
        Ok(deviation)
    }

    /// The points of a loop of a face.
    pub fn loop_of(&self, number: u32) -> Found<(Vec<DVec3>, f64)> {
        let entry = self.step.entry(number)?;
        match &*entry.class {
            "IFCPOLYLOOP" => {
                let points = entry.references(0)?.into_iter().map(|p| self.step.point(p));
                Ok((points.collect::<Found<_>>()?, 0.0))
            }
            "IFCEDGELOOP" => {
                let (mut ring, mut deviation) = (Vec::new(), 0.0_f64);
                for edge in entry.references(0)? {
                    let row = self.edge(edge)?;
                    deviation = deviation.max(row.deviation);
                    ring.extend(row.points.iter().take(row.points.len().saturating_sub(1)));
                }
                Ok((ring, deviation))
            }
            _ => Err(entry.unread()),
        }
    }

    fn primitive(&self, entry: &Entry<'_>) -> Found<Solid> {
        let frame = self.step.axes(entry.get(0).reference())?;
        let flat =
            |points: Vec<DVec3>| Region::new(points.into_iter().map(DVec3::truncate).collect(), Vec::new());
        let block = |x: f64, y: f64| {
            Region::new([[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]].map(DVec2::from_array).to_vec(), Vec::new())
        };
        match &*entry.class {
            "IFCBLOCK" => {
                let region = block(entry.length(1)?, entry.length(2)?);
                Ok(Solid { surface: extrude(&[region], &frame, DVec3::Z * entry.length(3)?), deviation: 0.0 })
            }
            "IFCRIGHTCIRCULARCYLINDER" => {
                let row = self.units.ellipse([entry.length(2)?; 2]);
                let deviation = row.deviation;
                let way = DVec3::Z * entry.length(1)?;
                Ok(Solid { surface: extrude(&[flat(row.points)], &frame, way), deviation })
            }
            "IFCRECTANGULARPYRAMID" => {
                let (x, y) = (entry.length(1)?, entry.length(2)?);
                let tip = DVec3::new(x / 2.0, y / 2.0, entry.length(3)?);
                Ok(Solid { surface: cone(&block(x, y).outer, tip, &frame), deviation: 0.0 })
            }
            "IFCRIGHTCIRCULARCONE" => {
                let row = self.units.ellipse([entry.length(2)?; 2]);
                let ring: Vec<DVec2> = row.points.into_iter().map(DVec3::truncate).collect();
                let surface = cone(&ring, DVec3::Z * entry.length(1)?, &frame);
                Ok(Solid { surface, deviation: row.deviation })
            }
            _ => {
                let radius = entry.length(1)?;
                let (count, off) = self.units.pieces(radius, TAU);
                // Two roundings, along and across.
                Ok(Solid { surface: sphere(radius, count, &frame), deviation: 2.0 * off })
            }
        }
    }
}

fn complain_of_faces(entry: &Entry<'_>, faces: &Faces, complaints: &mut Complaints) {
    if faces.unclean > 0 {
        complaints.push(format!(
            "#{} {}: {} of its faces cross themselves",
            entry.number, entry.class, faces.unclean
        ));
    }
}

fn corners(entry: &Entry<'_>, row: &[f64], points: &[DVec3]) -> Found<Vec<DVec3>> {
    let corner = |i: &f64| {
        let found = (*i >= 1.0).then(|| points.get(*i as usize - 1)).flatten();
        found.copied().ok_or_else(|| no_corner(entry, *i, points.len()))
    };
    row.iter().map(corner).collect()
}

/// Regions of the plane z = 0, swept straight and then moved.
pub(super) fn extrude(regions: &[Region], frame: &DAffine3, way: DVec3) -> Surface {
    let mut faces = Faces::default();
    for region in regions {
        let place = |by: DVec3| -> Vec<Vec<DVec3>> {
            let rings = std::iter::once(&region.outer).chain(&region.holes);
            rings
                .map(|ring| ring.iter().map(|p| frame.transform_point3(p.extend(0.0) + by)).collect())
                .collect()
        };
        prism(&mut faces, &place(DVec3::ZERO), &place(way), way.z < 0.0);
    }
    faces.finish()
}

/// Between two rows of rings, the first of each the outline, counter-clockwise seen from the second.
fn prism(faces: &mut Faces, low: &[Vec<DVec3>], high: &[Vec<DVec3>], is_downward: bool) {
    let (low, high) = if is_downward { (high, low) } else { (low, high) };
    let mut bottom = low.to_vec();
    bottom.iter_mut().for_each(|ring| ring.reverse());
    if let ([outer, holes @ ..], [top, top_holes @ ..]) = (&bottom[..], high) {
        faces.add(outer, holes);
        faces.add(top, top_holes);
    }
    for (low, high) in low.iter().zip(high) {
        for i in 0..low.len() {
            let j = (i + 1) % low.len();
            faces.strip([low[i], low[j], high[j], high[i]]);
        }
    }
}

/// Rows of rings, each joined to the next, with ends unless they come back to the first.
fn sweep(faces: &mut Faces, rows: &[Vec<Vec<DVec3>>], is_closed: bool) {
    for pair in rows.windows(2) {
        for (low, high) in pair[0].iter().zip(&pair[1]) {
            for i in 0..low.len() {
                let j = (i + 1) % low.len();
                faces.strip([low[i], low[j], high[j], high[i]]);
            }
        }
    }
    let [first, .., last] = rows else { return };
    if is_closed {
        return;
    }
    let mut start = first.clone();
    start.iter_mut().for_each(|ring| ring.reverse());
    if let ([outer, holes @ ..], [end, end_holes @ ..]) = (&start[..], &last[..]) {
        faces.add(outer, holes);
        faces.add(end, end_holes);
    }
}

/// Outlines at each point of a row, across it, and at its corners in the plane that halves them. A closed row comes
/// back to its first outlines.
fn pipe(points: &[DVec3], is_closed: bool, outlines: &[Vec<DVec3>]) -> Vec<Vec<Vec<DVec3>>> {
    let n = points.len();
    let way = |i: usize| (points[(i + 1) % n] - points[i % n]).normalize_or(DVec3::Z);
    let mut x = way(0).any_orthonormal_vector();
    let mut rows: Vec<Vec<Vec<DVec3>>> = Vec::with_capacity(n + 1);
    for (i, &at) in points.iter().enumerate() {
        let (before, after) = match i {
            0 if is_closed => (way(n - 1), way(0)),
            0 => (way(0), way(0)),
            _ if i == n - 1 && !is_closed => (way(n - 2), way(n - 2)),
            _ => (way(i - 1), way(i)),
        };
        if i > 0 {
            x = DQuat::from_rotation_arc(way(i - 1), after) * x;
        }
        let y = after.cross(x);
        let half = (before + after).normalize_or(after);
        let cut = |p: &DVec3| {
            let p = x * p.x + y * p.y;
            // Along the pipe to the plane that halves the corner.
            at + p - after * (p.dot(half) / after.dot(half))
        };
        rows.push(outlines.iter().map(|outline| outline.iter().map(cut).collect()).collect());
    }
    if is_closed {
        rows.push(rows[0].clone());
    }
    rows
}

fn cone(ring: &[DVec2], tip: DVec3, frame: &DAffine3) -> Surface {
    let place = |p: &DVec2| frame.transform_point3(p.extend(0.0));
    let tip = frame.transform_point3(tip);
    let mut faces = Faces::default();
    let ring: Vec<DVec3> = ring.iter().map(place).collect();
    faces.add(&ring.iter().rev().copied().collect::<Vec<_>>(), &[]);
    for i in 0..ring.len() {
        faces.triangle([ring[i], ring[(i + 1) % ring.len()], tip]);
    }
    faces.finish()
}

fn sphere(radius: f64, count: usize, frame: &DAffine3) -> Surface {
    let rows = count / 2;
    let at = |i: usize, j: usize| {
        let (across, up) = if i == 0 || i == rows {
            (0.0, if i == 0 { -1.0 } else { 1.0 })
        } else {
            let (sin, cos) = sincos_of_turn(i, count);
            (sin, -cos)
        };
        let (sin, cos) = sincos_of_turn(j % count, count);
        frame.transform_point3(DVec3::new(across * cos, across * sin, up) * radius)
    };
    let mut faces = Faces::default();
    for i in 0..rows {
        for j in 0..count {
            faces.strip([at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]);
        }
    }
    faces.finish()
}

/// The surface, turned inside out if it encloses less than nothing.
fn outward(mut surface: Surface) -> Surface {
    if volume(&surface) < 0.0 {
        surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    surface
}

/// The volume inside a closed surface.
pub(super) fn volume(surface: &Surface) -> f64 {
    let origin = surface.vertices.first().copied().unwrap_or_default();
    let of = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| surface.vertices[i as usize] - origin);
        a.dot(b.cross(c)) / 6.0
    };
    surface.triangles.iter().map(of).sum()
}

/// Whether every edge has as many triangles on one side as on the other.
pub(super) fn is_closed(surface: &Surface) -> bool {
    let mut edges: std::collections::HashMap<[u32; 2], i64> = std::collections::HashMap::new();
    for &[a, b, c] in &surface.triangles {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *edges.entry([p.min(q), p.max(q)]).or_default() += if p < q { 1 } else { -1 };
        }
    }
    !surface.triangles.is_empty() && edges.values().all(|count| *count == 0)
}

/// Moves a surface; one that is mirrored is turned inside out again.
pub(super) fn moved(surface: &Surface, frame: &DAffine3) -> Surface {
    let vertices = surface.vertices.iter().map(|p| frame.transform_point3(*p)).collect();
    let mut triangles = surface.triangles.clone();
    if DMat3::determinant(&frame.matrix3) < 0.0 {
        triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    Surface { vertices, triangles }
}

/// The same for a solid, whose deviation grows with it.
pub(super) fn stretched(solid: &Solid, frame: &DAffine3) -> Solid {
    Solid { surface: moved(&solid.surface, frame), deviation: solid.deviation * stretch(frame) }
}
