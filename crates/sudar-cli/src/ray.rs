//! `sudar ray`: what rays hit.

mod given;
mod method;

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde::Serialize;
use sudar::pair::ray_triangle;
use sudar::{DVec3, Ray};
use sudar_classic::pick::Goal;

use crate::common::{self, ModelArgs};
use crate::help;
use crate::load;
use crate::progress::Waiting;
use crate::report::{self, Verdict};
use crate::scene::{self, PlacedPart};
use given::GivenArgs;
use method::{Counts, Method, Searcher};

/// Finds what rays hit: the first triangle, all of them, or whether there is one.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help::flowed(HELP))]
pub struct Args {
    /// Model files, or folders, of which every model file is read.
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    given: GivenArgs,
    /// Only hits up to this parameter.
    #[arg(long, value_name = "T", value_parser = common::not_negative, allow_hyphen_values = true)]
    max: Option<f64>,
    /// Every triangle that the ray meets.
    #[arg(long, conflicts_with = "any")]
    all: bool,
    /// Only whether there is a hit.
    #[arg(long)]
    any: bool,
    /// How hits are found.
    #[arg(long, value_name = "METHOD", default_value = "engine",
          value_parser = common::one_of(Method::ALL, |method| method.name()))]
    with: Method,
    /// Also count the tests.
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    common: ModelArgs,
}

const HELP: &str = "\
A ray hits triangles on either face; one that begins inside a part hits it where it leaves. Of triangles at the same parameter the first
is that of the first part, and there that of the least number. Triangles are numbered from 0 in each part, as the file has them.

Methods, all but the first as in the lecture of Igor S. Pandžić, \"Intersection and collision detection\":
  engine               the tree and the exact triangle test of the library
  triangle             every triangle, by barycentric coordinates
  polygon              every triangle as a polygon, by projection and crossings of its edges
  sphere-mathematical  the smallest sphere around each part by the quadratic equation, then its triangles
  sphere-optimal       the same by the form that rejects early
  slabs                the box around each part by slabs, then its triangles
  top-down             a tree of boxes built from the top
  bottom-up            a tree of boxes built from the bottom, triangle by triangle

engine, top-down and bottom-up decide exactly which triangles are hit. The others compute in plain f64: rays through edges and corners may
slip through or hit twice, and polygon meets no triangle of zero area.

JSON: {\"method\",\"parts\":n,\"rays\":[{\"from\",\"direction\",\"hit\":true or false,\"hits\":[{\"part\":n,\"file\",\"name\",\"triangle\":n,\"t\",\"distance\",\"point\",\"normal\",
\"barycentric\":[of its three corners], null if only rounding finds the hit}] but with --any}],\"counts\":{\"spheres\",\"boxes\",\"triangles\",\"polygons\"} with --count,\"notes\":[…]}

Counts are of all rays. boxes are nodes of the tree that were opened for engine, and boxes that were tested for others. normal has length
1 and is that from which the corners are counter-clockwise; zero of triangles without area.

Exit status: 0 if no ray hits anything, 1 if one does, 2 if something could not be read.

Example:
  sudar ray bracket.stl --from 0,0,5 --direction 0,0,-1 --all
  sudar ray parts/ --rays rays.csv --with bottom-up --count --json";

#[derive(Debug, Serialize)]
struct Document {
    method: &'static str,
    parts: usize,
    rays: Vec<RayAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<Counts>,
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct RayAnswer {
    from: DVec3,
    direction: DVec3,
    hit: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<Vec<HitAnswer>>,
}

#[derive(Debug, Serialize)]
struct HitAnswer {
    part: usize,
    file: String,
    name: String,
    triangle: u32,
    t: f64,
    distance: f64,
    point: DVec3,
    normal: DVec3,
    /// None where only rounding finds a hit.
    barycentric: Option<[f64; 3]>,
}

pub fn run(args: &Args) -> Result<Verdict> {
    args.common.threads.apply(0)?;
    let rays = given::rays(&args.given)?;
    let waiting = Waiting::new("casting rays");
    let (parts, notes) = scene::parts(&args.models, &args.common)?;
    ensure!(!parts.is_empty(), "the models have no triangles; name files with faces");
    let goal = if args.any {
        Goal::Any
    } else if args.all {
        Goal::All
    } else {
        Goal::First
    };
    let mut searcher = Searcher::new(&parts, args.with);
    let max = args.max.unwrap_or(f64::INFINITY);
    let answer = |ray: &Ray| {
        let found = searcher.search(ray, max, goal);
        let hits = found.iter().map(|(part, t, triangle)| hit(&parts, *part, ray, *t, *triangle)).collect();
        let hits = (!args.any).then_some(hits);
        RayAnswer { from: ray.origin, direction: ray.direction, hit: !found.is_empty(), hits }
    };
    let rays: Vec<RayAnswer> = rays.iter().map(answer).collect();
    drop(waiting);
    let counts = args.count.then_some(searcher.counts());
    let hit = rays.iter().any(|ray| ray.hit);
    let document = Document { method: args.with.name(), parts: parts.len(), rays, counts, notes };
    report::give(args.common.json, &document, || text(&document))?;
    Ok(if hit { Verdict::Found } else { Verdict::Clean })
}

fn hit(parts: &[PlacedPart], part: usize, ray: &Ray, t: f64, triangle: u32) -> HitAnswer {
    let PlacedPart { file, name, mesh } = &parts[part];
    let corners = mesh.triangle(triangle);
    let exact = ray_triangle(ray, &corners, f64::INFINITY);
    HitAnswer {
        part,
        file: file.clone(),
        name: name.clone(),
        triangle,
        t,
        distance: t * ray.direction.length(),
        point: ray.at(t),
        normal: corners.scaled_normal().normalize_or_zero(),
        barycentric: exact.map(|hit| hit.weights),
    }
}

fn text(document: &Document) -> String {
    let several = document.rays.len() > 1;
    let point = |p: DVec3| p.to_array().map(report::short).join(", ");
    let mut rows = Vec::new();
    for (i, ray) in document.rays.iter().enumerate() {
        let first = |rest: Vec<String>| [vec![i.to_string()], rest].concat();
        let hits = ray.hits.as_deref().unwrap_or(&[]);
        if hits.is_empty() {
            let said = if ray.hit { "hit" } else { "nothing" }.to_owned();
            rows.push(first([vec![said], vec![String::new(); 5]].concat()));
        }
        rows.extend(hits.iter().map(|hit| {
            let weights =
                hit.barycentric.map_or(String::new(), |weights| weights.map(report::short).join(", "));
            let triangle = hit.triangle.to_string();
            first(vec![
                hit.name.clone(),
                triangle,
                report::short(hit.t),
                point(hit.point),
                point(hit.normal),
                weights,
            ])
        }));
    }
    let mut columns = vec!["ray", "part", "triangle", "t", "point", "normal", "barycentric"];
    let mut numbers = vec![0, 2, 3];
    if !several {
        columns.remove(0);
        rows.iter_mut().for_each(|row| drop(row.remove(0)));
        numbers = vec![1, 2];
    }
    let counts = document.counts.map_or(String::new(), |counts| counts.text(document.method));
    report::table(&columns, &numbers, rows) + &counts + &load::footer(None, &document.notes)
}
