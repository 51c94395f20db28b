//! Where two outlines overlap.

use glam::{DVec2, DVec3};

use super::frame::Frame;
use super::list::List;
use super::outline::{Corner, Kind, Outline};
use super::{ContactFeature, ContactId, ManifoldPoint, SignedDistance};

/// A contact in the frame: one point of each body, above each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Touch {
    pub x: f64,
    pub y: f64,
    /// Heights of the two surfaces.
    pub a: f64,
    pub b: f64,
    /// How far the point of the second body is beside that of the first: the two are above each other only as well as
    /// the normal is known.
    pub aside: DVec2,
    pub id: ContactId,
    /// Bound on how far off the place is.
    pub blur: f64,
}

impl Touch {
    const NOWHERE: Self = Self {
        x: 0.0,
        y: 0.0,
        a: 0.0,
        b: 0.0,
        aside: DVec2::ZERO,
        id: ContactId { a: ContactFeature::Vertex(0), b: ContactFeature::Vertex(0) },
        blur: 0.0,
    };

    #[inline]
    pub fn at(place: DVec2, [a, b]: [f64; 2], id: ContactId) -> Self {
        Self { x: place.x, y: place.y, a, b, aside: DVec2::ZERO, id, blur: 0.0 }
    }

    /// A point of each body, about above each other.
    pub fn between(p: DVec3, q: DVec3, id: ContactId) -> Self {
        Self { aside: q.truncate() - p.truncate(), ..Self::at(p.truncate(), [p.z, q.z], id) }
    }

    /// The contact of the separation.
    pub fn known(frame: &Frame, separation: &SignedDistance, a: ContactFeature, b: ContactFeature) -> Self {
        let [p, q] = [separation.point_a, separation.point_b].map(|p| frame.place(p));
        Self::between(p, q, ContactId { a, b })
    }

    #[inline]
    pub fn depth(&self) -> f64 {
        self.a - self.b
    }

    /// With the bodies swapped.
    pub fn flipped(self) -> Self {
        let id = ContactId { a: self.id.b, b: self.id.a };
        let DVec2 { x, y } = self.aside;
        Self { x: self.x + x, y: self.y + y, a: self.b, b: self.a, aside: -self.aside, id, ..self }
    }

    pub fn in_world(&self, frame: &Frame) -> ManifoldPoint {
        let place = DVec2::new(self.x, self.y);
        ManifoldPoint {
            point_a: frame.world(place, self.a),
            point_b: frame.world(place + self.aside, self.b),
            depth: frame.length(self.depth()),
            id: self.id,
        }
    }
}

/// An empty list.
pub(super) fn none() -> List<Touch> {
    List::new(Touch::NOWHERE)
}

/// The corners of what two outlines have in common; those that rounding cannot tell apart once. Nothing of outlines
/// that are points, or edges that cross: there the contact of the separation is all there is.
pub(super) fn overlap(a: &Outline, b: &Outline, slack: Slack) -> List<Touch> {
    let mut touches = none();
    match (a.kind, b.kind) {
        (Kind::Point, _) | (_, Kind::Point) => {}
        (Kind::Face { .. }, Kind::Face { .. }) => faces(a, b, slack, &mut touches),
        (Kind::Edge, Kind::Face { .. }) => edge_on_face(a, b, slack, |touch| add(&mut touches, touch)),
        (Kind::Face { .. }, Kind::Edge) => {
            edge_on_face(b, a, slack, |touch| add(&mut touches, touch.flipped()));
        }
        (Kind::Edge, Kind::Edge) => parallel_edges(a, b, slack, &mut touches),
    }
    touches
}

/// Adds a touch; of two that may be the same, the one known better stays.
pub(super) fn add(touches: &mut List<Touch>, touch: Touch) {
    let same = |t: &&mut Touch| {
        let blur = t.blur.max(touch.blur);
        (t.x - touch.x).abs() <= blur && (t.y - touch.y).abs() <= blur
    };
    match touches.as_mut_slice().iter_mut().find(same) {
        Some(other) if touch.blur < other.blur => *other = touch,
        Some(_) => {}
        None => touches.push(touch),
    }
}

/// How far off the crossing of two lines is whose distances from each other are off by the slack: the more, the smaller
/// their angle. `s` and `t` are the areas between the second line, of that length, and the ends of the first.
pub(super) fn blur(slack: f64, (s, t): (f64, f64), lengths: f64) -> f64 {
    4.0 * slack * (lengths / (s - t).abs())
}

/// How well places are known.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slack {
    /// Bound on the rounding of coordinates.
    pub rounding: f64,
    /// Bound on how far one outline is off as seen from the other: rounding, and what the normal is off.
    pub place: f64,
}

/// The height of a face over a place.
#[inline]
pub(super) fn height(outline: &Outline, place: DVec2) -> f64 {
    match outline.kind {
        Kind::Face { base, slope } => base.z + slope.dot(place - base.truncate()),
        Kind::Edge | Kind::Point => 0.0,
    }
}

/// A corner of the common polygon and the edge that leaves it.
#[derive(Debug, Clone, Copy)]
struct Cut {
    place: DVec2,
    id: ContactId,
    leaves: Leaving,
    blur: f64,
}

/// On an edge of which outline, by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leaving {
    A(usize),
    B(usize),
}

/// Clips the first outline by the edges of the second, one after the other.
fn faces(a: &Outline, b: &Outline, slack: Slack, touches: &mut List<Touch>) {
    let nothing = Cut { place: DVec2::ZERO, id: Touch::NOWHERE.id, leaves: Leaving::A(0), blur: slack.place };
    let (mut first, mut second) = (List::new(nothing), List::new(nothing));
    for (i, corner) in a.corners().iter().enumerate() {
        let id = ContactId { a: corner.vertex, b: b.name() };
        first.push(Cut { place: corner.shadow(), id, leaves: Leaving::A(i), blur: slack.place });
    }
    let (mut cuts, mut rest) = (&mut first, &mut second);
    for clip in 0..b.corners().len() {
        if cuts_through(cuts.as_slice(), b, clip, slack) {
            rest.clear();
            clipped(cuts.as_slice(), a, b, clip, slack, rest);
            (cuts, rest) = (rest, cuts);
        }
    }
    for cut in cuts.as_slice() {
        let touch = Touch::at(cut.place, [height(a, cut.place), height(b, cut.place)], cut.id);
        add(touches, Touch { blur: cut.blur, ..touch });
    }
}

/// Whether some corner is to the right of edge `clip` of the second outline.
#[inline]
fn cuts_through(cuts: &[Cut], b: &Outline, clip: usize, slack: Slack) -> bool {
    let [p, q] = [clip, following(b, clip)].map(|i| b.corners()[i].shadow());
    let along = q - p;
    let doubt = slack.rounding * along.length();
    cuts.iter().any(|cut| along.perp_dot(cut.place - p) < -doubt)
}

/// The part of the polygon to the left of edge `clip` of the second outline. Corners within rounding of the
/// edge stay as they are: the contact of the separation often is such a corner, and would be found twice.
#[inline]
fn clipped(cuts: &[Cut], a: &Outline, b: &Outline, clip: usize, slack: Slack, kept: &mut List<Cut>) {
    let [p, q] = [clip, following(b, clip)].map(|i| b.corners()[i].shadow());
    let along = q - p;
    let doubt = slack.rounding * along.length();
    let Some(&first) = cuts.first() else { return };
    let side = |cut: &Cut| along.perp_dot(cut.place - p);
    let mut here = (first, side(&first));
    for n in 1..=cuts.len() {
        let next = cuts.get(n).copied().unwrap_or(first);
        let there = (next, side(&next));
        let (s, t) = (here.1, there.1);
        // Going out, the way continues along the clipping edge; coming in, along the edge that was clipped.
        if s >= -doubt {
            let leaves = if s <= doubt && t < -doubt { Leaving::B(clip) } else { here.0.leaves };
            kept.push(Cut { leaves, ..here.0 });
        }
        if (s > doubt && t < -doubt) || (s < -doubt && t > doubt) {
            let leaves = if t < 0.0 { Leaving::B(clip) } else { here.0.leaves };
            let cut = crossing(&here.0, a, b, clip, (s, t), next.place);
            let blur = blur(slack.place, (s, t), along.length() * (next.place - here.0.place).length());
            kept.push(Cut { leaves, blur, ..cut });
        }
        here = there;
    }
}

/// Where the edge that leaves `from` towards `to` passes edge `clip` of the second outline; a corner of that where both
/// edges are its own.
fn crossing(from: &Cut, a: &Outline, b: &Outline, clip: usize, (s, t): (f64, f64), to: DVec2) -> Cut {
    let place = from.place + (to - from.place) * (s / (s - t));
    let corner = |i: usize| {
        let Corner { at, vertex, .. } = b.corners()[i];
        Cut { place: at.truncate(), id: ContactId { a: a.name(), b: vertex }, ..*from }
    };
    match from.leaves {
        Leaving::B(i) if following(b, i) == clip => corner(clip),
        Leaving::B(i) if following(b, clip) == i => corner(i),
        Leaving::B(i) => Cut { place, id: ContactId { a: a.name(), b: b.corners()[i].edge }, ..*from },
        Leaving::A(i) => {
            let id = ContactId { a: a.corners()[i].edge, b: b.corners()[clip].edge };
            Cut { place, id, ..*from }
        }
    }
}

fn following(outline: &Outline, i: usize) -> usize {
    if i + 1 == outline.corners().len() { 0 } else { i + 1 }
}

/// The ends of the part of an edge over a face (Cyrus and Beck 1978, "Generalized two- and three-dimensional
/// clipping").
pub(super) fn edge_on_face(edge: &Outline, face: &Outline, slack: Slack, mut add: impl FnMut(Touch)) {
    let &[first, second] = edge.corners() else { return };
    let length = (second.shadow() - first.shadow()).length();
    let end = |t: f64, vertex: ContactFeature| End { t, a: vertex, b: face.name(), blur: slack.place };
    let mut ends = [end(0.0, first.vertex), end(1.0, second.vertex)];
    for (i, corner) in face.corners().iter().enumerate() {
        let p = corner.shadow();
        let along = face.corners()[following(face, i)].shadow() - p;
        let [s, t] = [first, second].map(|end| along.perp_dot(end.shadow() - p));
        let doubt = slack.rounding * along.length();
        if s < -doubt && t < -doubt {
            return;
        }
        let cut = End {
            t: (s / (s - t)).clamp(0.0, 1.0),
            a: edge.name(),
            b: corner.edge,
            blur: blur(slack.place, (s, t), along.length() * length),
        };
        if s < -doubt && cut.t > ends[0].t {
            ends[0] = cut;
        } else if t < -doubt && cut.t < ends[1].t {
            ends[1] = cut;
        }
    }
    if ends[0].t > ends[1].t {
        return;
    }
    for End { t, a, b, blur } in ends {
        let at = first.at.lerp(second.at, t);
        let touch = Touch::at(at.truncate(), [at.z, height(face, at.truncate())], ContactId { a, b });
        add(Touch { blur, ..touch });
    }
}

/// The end of a part of an edge, as a fraction of it.
struct End {
    t: f64,
    a: ContactFeature,
    b: ContactFeature,
    blur: f64,
}

/// The ends of what two edges have in common, if they run along each other within rounding.
fn parallel_edges(a: &Outline, b: &Outline, slack: Slack, touches: &mut List<Touch>) {
    let (&[p, q], &[r, s]) = (a.corners(), b.corners()) else { return };
    let along = q.shadow() - p.shadow();
    let length = along.length();
    // Each of the four ends may be off by the slack.
    let beside = |c: &Corner| (along.perp_dot(c.shadow() - p.shadow()) / length).abs() <= 2.0 * slack.place;
    if !(beside(&r) && beside(&s)) {
        return;
    }
    // Ends of b as fractions of a, and of a as fractions of b.
    let on_a = |c: &Corner| along.dot(c.shadow() - p.shadow()) / (length * length);
    let way = s.shadow() - r.shadow();
    let on_b = |c: &Corner| way.dot(c.shadow() - r.shadow()) / way.length_squared();
    let within = |t: f64| (0.0..=1.0).contains(&t);
    for end in [p, q].into_iter().filter(|c| within(on_b(c))) {
        let id = ContactId { a: end.vertex, b: b.name() };
        let other = r.at.lerp(s.at, on_b(&end));
        add(touches, Touch { blur: 2.0 * slack.place, ..Touch::between(end.at, other, id) });
    }
    for end in [r, s].into_iter().filter(|c| within(on_a(c))) {
        let id = ContactId { a: a.name(), b: end.vertex };
        let other = p.at.lerp(q.at, on_a(&end));
        add(touches, Touch { blur: 2.0 * slack.place, ..Touch::between(other, end.at, id) });
    }
}

/// A place over a wall at height `wall`.
pub(super) fn over_wall(at: DVec3, wall: f64, feature: ContactFeature) -> Touch {
    Touch::at(at.truncate(), [at.z, wall], ContactId { a: feature, b: ContactFeature::Face(0) })
}
