//! `sudar cull`: which parts a camera sees.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde::Serialize;
use sudar::pair::Containment;
use sudar::shape::Frustum;
use sudar::volume::smallest_sphere;
use sudar::{Aabb, DVec3, Sphere};
use sudar_classic::pick::{CullEffort, CullTest, Culled, camera, cull, cull_tree};
use sudar_classic::tree::{BuildRules, Items, VolumeTree};

use crate::common::{self, ModelArgs};
use crate::help;
use crate::load;
use crate::pose::PointArg;
use crate::progress::Waiting;
use crate::report::{self, Verdict};
use crate::scene::{self, PlacedPart};

/// Tells which parts are outside, inside or on the border of what a camera sees.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Model files, or folders, of which every model file is read.
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Where the camera is.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    eye: PointArg,
    /// The point in the middle of its picture.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    look_at: PointArg,
    /// The direction that is up in the picture.
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, default_value = "0,0,1")]
    up: PointArg,
    /// The angle from the lower to the upper edge of the picture, in degrees, below 180.
    #[arg(long, value_name = "DEGREES", default_value_t = 60.0, value_parser = common::positive, allow_hyphen_values = true)]
    fov: f64,
    /// How many times as wide as high the picture is.
    #[arg(long, value_name = "RATIO", default_value_t = 1.5, value_parser = common::positive, allow_hyphen_values = true)]
    aspect: f64,
    /// The least depth that is seen.
    #[arg(long, value_name = "D", default_value_t = 0.1, value_parser = common::positive, allow_hyphen_values = true)]
    near: f64,
    /// The greatest depth that is seen.
    #[arg(long, value_name = "D", default_value_t = 1000.0, value_parser = common::positive, allow_hyphen_values = true)]
    far: f64,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
The tests are those of the lecture of Igor S. Pandžić, \"Intersection and collision detection\", side by side:
  spheres    the smallest sphere around each part with the six sides of the view frustum: outside if its centre is farther beyond a
             side than its radius, inside if it is as far within all of them
  octants    the same with three sides: those of the octant of the frustum that the centre is in; the answers are the same
  boxes      the box around each part with the six sides, by its two corners nearest to and farthest along the normal of a side
  hierarchy  a tree of these boxes from the top: what is outside or inside is so with all its parts, and where a side passes through the
             next level is tested; the answers are those of the boxes

What is said to be outside or inside is so, to the rounding of the sides. A part that intersects by its sphere or box may be outside.

  planes     comparisons of a volume with a side
  octants    octants that were found, each at the cost of three comparisons

JSON: {\"frustum\":{\"corners\":[8 points: bit 0 of the number is right, bit 1 top, bit 2 far]},
       \"parts\":[{\"file\",\"name\",\"spheres\":\"outside\", \"inside\" or \"intersecting\",\"octants\",\"boxes\",\"hierarchy\"}],
       \"tests\":[{\"name\",\"outside\":n,\"intersecting\":n,\"inside\":n,\"volumes\":n,\"planes\":n,\"octants\":n}],\"notes\":[…]}

Exit status: 0, or 2 if something could not be read.

Example:
  sudar cull house.glb --eye 8,2,1.7 --look-at 0,0,1 --fov 50 --far 100";

#[derive(Debug, Serialize)]
struct Document {
    frustum: Corners,
    parts: Vec<PartAnswer>,
    tests: Vec<TestAnswer>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Corners {
    corners: [DVec3; 8],
}

#[derive(Debug, Serialize)]
struct PartAnswer {
    file: String,
    name: String,
    spheres: &'static str,
    octants: &'static str,
    boxes: &'static str,
    hierarchy: &'static str,
}

#[derive(Debug, Serialize)]
struct TestAnswer {
    name: &'static str,
    outside: usize,
    intersecting: usize,
    inside: usize,
    volumes: u64,
    planes: u64,
    octants: u64,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let frustum = frustum(args)?;
    let waiting = Waiting::new("looking");
    let (parts, notes) = scene::parts(&args.models, &args.common)?;
    let bounds = parts.iter().map(bounds).collect::<Option<Vec<_>>>().unwrap_or_default();
    let [spheres, octants, boxes] = CullTest::ALL.map(|test| cull(&frustum, &bounds, test));
    let hierarchy = by_hierarchy(&frustum, &bounds);
    drop(waiting);
    let name = |found: &Culled, i: usize| found.containment.get(i).map_or("outside", |one| word(*one));
    let answer = |(i, part): (usize, &PlacedPart)| PartAnswer {
        file: part.file.clone(),
        name: part.name.clone(),
        spheres: name(&spheres, i),
        octants: name(&octants, i),
        boxes: name(&boxes, i),
        hierarchy: name(&hierarchy, i),
    };
    let all = [("spheres", &spheres), ("octants", &octants), ("boxes", &boxes), ("hierarchy", &hierarchy)];
    let document = Document {
        frustum: Corners { corners: *frustum.corners() },
        parts: parts.iter().enumerate().map(answer).collect(),
        tests: all.map(|(name, found)| test(name, found)).into(),
        notes,
    };
    report::give(args.common.json, &document, || text(&document))?;
    Ok(Verdict::Clean)
}

fn frustum(args: &Args) -> Result<Frustum> {
    ensure!(args.fov < 180.0, "--fov {}: must be below 180 degrees", args.fov);
    let pose = camera(args.eye.point(), args.look_at.point(), args.up.point());
    let pose = pose.context("--look-at must be another point than --eye, and not along --up from it")?;
    let up = libm::tan(0.5 * args.fov.to_radians());
    Ok(Frustum::perspective(&pose, [args.aspect * up, up], args.near, args.far)?)
}

/// The smallest sphere and the box around the triangles of a part.
fn bounds(part: &PlacedPart) -> Option<(Sphere, Aabb)> {
    let mesh = &part.mesh;
    let corners: Vec<DVec3> =
        mesh.triangles().iter().flatten().map(|&k| mesh.vertices()[k as usize]).collect();
    Some((smallest_sphere(&corners)?, mesh.aabb()))
}

fn by_hierarchy(frustum: &Frustum, bounds: &[(Sphere, Aabb)]) -> Culled {
    let mut items = Items::new();
    for (_, aabb) in bounds {
        items.push(&aabb.corners());
    }
    let tree = VolumeTree::<Aabb>::top_down(&items, &BuildRules::DEFAULT);
    cull_tree(frustum, &tree, &mut |_, _| {})
}

fn word(containment: Containment) -> &'static str {
    match containment {
        Containment::Outside => "outside",
        Containment::Inside => "inside",
        Containment::Intersecting => "intersecting",
    }
}

fn test(name: &'static str, found: &Culled) -> TestAnswer {
    let count = |wanted| found.containment.iter().filter(|one| **one == wanted).count();
    let CullEffort { volumes, planes, octants } = found.effort;
    TestAnswer {
        name,
        outside: count(Containment::Outside),
        intersecting: count(Containment::Intersecting),
        inside: count(Containment::Inside),
        volumes,
        planes,
        octants,
    }
}

fn text(document: &Document) -> String {
    let row = |part: &PartAnswer| {
        let answers = [part.spheres, part.octants, part.boxes, part.hierarchy].map(str::to_owned);
        [vec![part.name.clone()], answers.into()].concat()
    };
    let parts = report::table(
        &["part", "spheres", "octants", "boxes", "hierarchy"],
        &[],
        document.parts.iter().map(row),
    );
    let numbers = |test: &TestAnswer| {
        let TestAnswer { name, outside, intersecting, inside, volumes, planes, octants } = test;
        let counts = [outside, intersecting, inside].map(ToString::to_string);
        let tests = [volumes, planes, octants].map(ToString::to_string);
        [vec![(*name).to_owned()], counts.into(), tests.into()].concat()
    };
    let tests = report::table(
        &["test", "outside", "intersecting", "inside", "volumes", "planes", "octants"],
        &[1, 2, 3, 4, 5, 6],
        document.tests.iter().map(numbers),
    );
    parts + "\n" + &tests + &load::footer(None, &document.notes)
}
