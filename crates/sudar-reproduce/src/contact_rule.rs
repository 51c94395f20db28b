//! The contact rule of Maštera 2007 beside contacts from features, on the fighters in a room.

use sudar::dynamics::{BodyState, Bounds, Flight, Inertia};
use sudar::pair::{TriangleIntersection, triangle_intersection};
use sudar::query::{Body, contacts, manifold};
use sudar::{Aabb, DMat3, DVec3, Mesh, Pose};
use sudar_scene::{Scene, box_fighter};

use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::plan::{Output, Plan, Result};

pub const TITLE: &str =
    "energy and bite of fighters in a room by the contact rule of Maštera 2007 and by ours";

const NOTES: [&str; 3] = [
    "Four fighters, elastic, without gravity, in a closed room; 60 steps a second. energy: kinetic, over that at the start; bite: largest depth of a \
     contact between fighters, and of a vertex beyond a wall, in metres.",
    "rule: after each step, of each pair whose triangles meet, one contact at the centre of the points of intersection, with the normal of the \
     side with fewer triangles, and the impulse with restitution 1 if the bodies approach there; with the full inertia tensor and, as the source \
     found to work, with its diagonal alone.",
    "ours: response simultaneous, all contacts of an instant at once, at the certified time of first contact.",
];

const NAMES: [&str; 3] = ["rule, full tensor", "rule, diagonal tensor", "ours"];
const STEP: f64 = 1.0 / 60.0;

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("flying fighters");
    let scene = box_fighter(4)?;
    let steps = plan.choose(120, 3600);
    let runs = [by_rule(&scene, steps, false)?, by_rule(&scene, steps, true)?, ours(&scene, steps)?];
    let mut sheet = Sheet::new(&NOTES, "time_s,method,energy_ratio,bite_m");
    for (name, rows) in NAMES.iter().zip(&runs) {
        // Names with commas stand in quotes (RFC 4180).
        let quote = if name.contains(',') { "\"" } else { "" };
        for [time, energy, bite] in rows {
            sheet.row(format_args!("{time},{quote}{name}{quote},{energy},{bite}"));
        }
    }
    let panel = |title: &str, y: &str, column: usize| {
        let series = |(i, (name, rows)): (usize, (&'static str, &Vec<[f64; 3]>))| {
            let draw = if i == 2 { Series::line } else { Series::dashed };
            draw(name, i, rows.iter().map(|row| (row[0], row[column])).collect())
        };
        let series = NAMES.into_iter().zip(&runs).enumerate().map(series).collect();
        Panel::new(title, Axis::linear("time in s"), Axis::linear(y), series)
    };
    let panels = vec![
        panel("Energy", "kinetic energy over that at the start", 1),
        panel("Bite", "largest depth in m", 2),
    ];
    let figure = Figure::new("Contact rules on fighters in a room", panels, &[&machine::version()]);
    plan.output(3 * steps).sheet("contact-rule", sheet).figure("contact-rule", &figure)
}

/// Steps between two rows.
const ROW: usize = 10;

fn ours(scene: &Scene, steps: usize) -> Result<Vec<[f64; 3]>> {
    let mut world = scene.world()?;
    let first = world.energy().kinetic;
    let (mut rows, mut bite) = (Vec::new(), 0.0);
    for k in 1..=steps {
        world.step(STEP)?;
        bite = f64::max(bite, world.deepest());
        if k % ROW == 0 {
            rows.push([k as f64 * STEP, world.energy().kinetic / first, bite]);
            bite = 0.0;
        }
    }
    Ok(rows)
}

/// A fighter by the rule.
struct Flyer {
    body: Body,
    inertia: Inertia,
    /// What impulses reckon with.
    tensor: DMat3,
    motion: BodyState,
}

impl Flyer {
    fn pose(&self) -> Pose {
        self.motion.pose(self.inertia.center)
    }

    fn energy(&self) -> f64 {
        let spin = self.motion.rotation.inverse() * self.motion.angular_velocity;
        0.5 * (self.inertia.mass * self.motion.velocity.length_squared()
            + spin.dot(self.inertia.tensor * spin))
    }

    /// How an impulse at an arm turns the body.
    fn turned(&self, moment: DVec3) -> DVec3 {
        let turn = self.motion.rotation;
        turn * (self.tensor.inverse() * (turn.inverse() * moment))
    }

    fn push(&mut self, impulse: DVec3, point: DVec3) {
        let turned = self.turned((point - self.motion.center).cross(impulse));
        self.motion.velocity += impulse / self.inertia.mass;
        self.motion.angular_velocity += turned;
    }

    /// The part of the denominator of the impulse.
    fn yields(&self, n: DVec3, point: DVec3) -> f64 {
        let arm = point - self.motion.center;
        1.0 / self.inertia.mass + n.dot(self.turned(arm.cross(n)).cross(arm))
    }
}

fn by_rule(scene: &Scene, steps: usize, diagonal: bool) -> Result<Vec<[f64; 3]>> {
    let mut flyers = Vec::new();
    for body in &scene.bodies {
        let inertia = body.inertia()?;
        let (center, rotation) = (body.position + body.rotation * inertia.center, body.rotation);
        let motion =
            BodyState { center, rotation, velocity: body.velocity, angular_velocity: body.angular_velocity };
        let t = inertia.tensor;
        let own = DMat3::from_diagonal(DVec3::new(t.x_axis.x, t.y_axis.y, t.z_axis.z));
        flyers.push(Flyer {
            body: body.body.clone(),
            inertia,
            tensor: if diagonal { own } else { t },
            motion,
        });
    }
    let bounds = scene.settings.bounds.unwrap_or(Bounds { min: DVec3::splat(-6.0), max: DVec3::splat(6.0) });
    let room = Body::new(Mesh::from_aabb(Aabb { min: bounds.min, max: bounds.max }));
    let first: f64 = flyers.iter().map(Flyer::energy).sum();
    let (mut rows, mut bite) = (Vec::new(), 0.0);
    for k in 1..=steps {
        for flyer in &mut flyers {
            flyer.motion = Flight::free(&flyer.inertia, flyer.motion, 0.0).at(STEP);
        }
        for i in 0..flyers.len() {
            for j in i + 1..flyers.len() {
                strike(&mut flyers, i, j);
            }
            strike_room(&mut flyers[i], &room);
        }
        bite = f64::max(bite, deepest(&flyers, &bounds));
        if k % ROW == 0 {
            rows.push([k as f64 * STEP, flyers.iter().map(Flyer::energy).sum::<f64>() / first, bite]);
            bite = 0.0;
        }
    }
    Ok(rows)
}

/// The one contact of the rule: the centre of all points of intersection, and the normals of the side with
/// fewer triangles.
fn contact(a: &Body, at: &Pose, b: &Body, bt: &Pose) -> Option<(DVec3, DVec3)> {
    let pairs = contacts(a.at(at), b.at(bt));
    let mut points = Vec::new();
    for [i, j] in &pairs {
        let (Some(s), Some(t)) = (a.posed_triangle(at, *i), b.posed_triangle(bt, *j)) else { continue };
        match triangle_intersection(&s, &t) {
            Some(TriangleIntersection::Point(p)) => points.push(p),
            Some(TriangleIntersection::Segment(s)) => points.extend([s.a, s.b]),
            Some(TriangleIntersection::Polygon(corners)) => points.extend(corners),
            None => {}
        }
    }
    let sides = [0, 1].map(|side| {
        let mut numbers: Vec<u32> = pairs.iter().map(|pair| pair[side]).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    });
    let (body, pose, numbers) =
        if sides[0].len() < sides[1].len() { (a, at, &sides[0]) } else { (b, bt, &sides[1]) };
    let normals = numbers
        .iter()
        .filter_map(|i| body.posed_triangle(pose, *i))
        .map(|t| t.scaled_normal().normalize_or_zero());
    let normal = normals.sum::<DVec3>().normalize_or_zero();
    let center = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    (!points.is_empty() && normal != DVec3::ZERO).then_some((center, normal))
}

fn strike(flyers: &mut [Flyer], i: usize, j: usize) {
    let found = contact(&flyers[i].body, &flyers[i].pose(), &flyers[j].body, &flyers[j].pose());
    let Some((point, normal)) = found else { return };
    let along = flyers[j].motion.center - flyers[i].motion.center;
    let n = if normal.dot(along) < 0.0 { -normal } else { normal };
    let speed = (flyers[j].motion.velocity_at(point) - flyers[i].motion.velocity_at(point)).dot(n);
    if speed < 0.0 {
        let impulse = -2.0 * speed / (flyers[i].yields(n, point) + flyers[j].yields(n, point));
        flyers[i].push(n * -impulse, point);
        flyers[j].push(n * impulse, point);
    }
}

fn strike_room(flyer: &mut Flyer, room: &Body) {
    let Some((point, normal)) = contact(&flyer.body, &flyer.pose(), room, &Pose::IDENTITY) else { return };
    let n = if normal.dot(flyer.motion.center - point) < 0.0 { -normal } else { normal };
    let speed = flyer.motion.velocity_at(point).dot(n);
    if speed < 0.0 {
        flyer.push(n * (-2.0 * speed / flyer.yields(n, point)), point);
    }
}

fn deepest(flyers: &[Flyer], bounds: &Bounds) -> f64 {
    let mut most: f64 = 0.0;
    for (i, a) in flyers.iter().enumerate() {
        let own = a.body.aabb(&a.pose());
        most = most.max((bounds.min - own.min).max(own.max - bounds.max).max_element());
        for b in &flyers[i + 1..] {
            let found = manifold(a.body.at(&a.pose()), b.body.at(&b.pose()), 0.0);
            most = found.iter().map(|contact| contact.depth).fold(most, f64::max);
        }
    }
    most
}
