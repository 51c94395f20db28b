//! Oriented boxes by principal axes, where points are crowded (Huotari 2011, figures 6 to 13).

use sudar::volume::{ObbFit, fit_obb};
use sudar::{DQuat, DVec3};

use crate::inputs::random::Random;
use crate::output::axis::Axis;
use crate::output::figure::{Figure, Panel, Series};
use crate::output::finding::{Finding, say};
use crate::output::machine;
use crate::output::sheet::Sheet;
use crate::output::table::Tables;
use crate::plan::{Output, Plan, Result, ensure};

pub const TITLE: &str = "Oriented boxes by principal axes, where points are crowded (Huotari 2011)";

const FITS: [ObbFit; 3] = [ObbFit::Points, ObbFit::HullVertices, ObbFit::HullSurface];

/// Half the sides of the box that all clouds fill.
const HALF: DVec3 = DVec3::new(2.0, 1.0, 0.5);

/// The corners of the box.
fn corners() -> [DVec3; 8] {
    std::array::from_fn(|k| {
        let side = |bit: usize| if k & bit == 0 { -1.0 } else { 1.0 };
        HALF * DVec3::new(side(1), side(2), side(4))
    })
}

/// So many points on the eighth of a small ball that points outward from a corner: all are vertices of the hull.
fn rounded(random: &mut Random, corner: DVec3, count: usize) -> Vec<DVec3> {
    let outward = |d: DVec3| corner + d.abs() * corner.signum() * 0.02;
    (0..count).map(|_| outward(random.direction())).collect()
}

/// The clouds of the figures, by their numbers there.
fn clouds(count: usize) -> Vec<(&'static str, Vec<DVec3>)> {
    let mut random = Random::new(2011);
    let even = corners().to_vec();
    // Along a diagonal from face to face, well inside.
    let mut inside = even.clone();
    inside.extend((0..count).map(|_| HALF * random.between(-0.8, 0.8) + random.point(0.05)));
    let all_corners =
        corners().into_iter().flat_map(|corner| rounded(&mut random, corner, count / 8)).collect();
    let is_crowded = |k: usize| k == 0 || k == 7;
    let crowd =
        |(k, corner): (usize, DVec3)| rounded(&mut random, corner, if is_crowded(k) { count / 2 } else { 1 });
    let two_corners = corners().into_iter().enumerate().flat_map(crowd).collect();
    // A sampled diagonal of a rectangle with its other two corners, and the same a little above.
    let diagonal = |t: f64| DVec3::new(HALF.x * t, HALF.y * t, 0.0);
    let mut flat: Vec<DVec3> = (0..=count).map(|i| diagonal(2.0 * i as f64 / count as f64 - 1.0)).collect();
    flat.extend([DVec3::new(HALF.x, -HALF.y, 0.0), DVec3::new(-HALF.x, HALF.y, 0.0)]);
    let segment =
        [-HALF.z, HALF.z].iter().flat_map(|&z| flat.iter().map(move |p| *p + DVec3::Z * z)).collect();
    vec![
        ("8: corners", even),
        ("9: crowd inside", inside),
        ("10: crowds at all corners", all_corners),
        ("11: crowds at two corners", two_corners),
        ("12: a segment and two points", segment),
    ]
}

pub fn run(plan: &Plan) -> Result<Output> {
    plan.tell("fits of oriented boxes");
    let comments = [
        TITLE,
        "clouds that fill a box of 4 × 2 × 1, turned; numbers are those of the source's figures, which are flat",
        "volume: of the oriented box; over_box: by that of the box that is filled, 8 but for rounded corners",
    ];
    let mut sheet = Sheet::new(&comments, "figure,points,fit,volume,over_box");
    let turn = DQuat::from_scaled_axis(DVec3::new(0.4, -0.7, 1.1));
    let clouds = clouds(plan.choose(100, 400));
    let mut bars = vec![Vec::new(); FITS.len()];
    let mut queries = 0;
    for (x, (name, points)) in clouds.iter().enumerate() {
        let turned: Vec<DVec3> = points.iter().map(|&p| turn * p).collect();
        for (fit, bars) in FITS.iter().zip(&mut bars) {
            let found = fit_obb(&turned, *fit).ok_or("there are no points")?;
            let volume = 8.0 * found.half.element_product();
            let over = volume / (8.0 * HALF.element_product());
            ensure(over > 0.97, || format!("{name}: a box of {volume} cannot hold all"))?;
            sheet.row(format_args!("{name},{},{},{volume:.6},{over:.6}", points.len(), fit.name()));
            bars.push((x as f64, over));
            queries += 1;
        }
    }
    let number = |name: &str| name.split(':').next().unwrap_or_default().to_owned();
    let names = clouds.iter().map(|(name, _)| number(name)).collect();
    let legend = clouds.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let series = FITS.iter().zip(bars).enumerate();
    let series =
        series.map(|(place, (fit, bars))| Series::bars(fit.name(), place, [place, FITS.len()], bars));
    let y = Axis::linear("volume by that of the box");
    let panel = Panel::new("clouds", Axis::named("figure", names), y, series.collect());
    let figure = Figure::new(TITLE, vec![panel], &[comments[1], &legend, &machine::version()]);
    plan.output(queries).sheet("obb-fits", sheet).figure("obb-fits", &figure)
}

/// Beyond this a box is badly oriented.
const BAD: f64 = 1.1;

pub fn find(tables: &Tables) -> Result<Vec<Finding>> {
    let table = tables.get("obb-fits")?;
    let over =
        |figure: &str, fit: ObbFit| table.number(&[("figure", figure), ("fit", fit.name())], "over_box");
    let [points, vertices, surface] = FITS;
    let all = table.numbers(&[], "over_box")?;
    let (least, most) = all.iter().fold((f64::INFINITY, 0.0f64), |(l, m), &x| (l.min(x), m.max(x)));
    let [even, crowd] = [over("8: corners", points)?, over("9: crowd inside", points)?];
    let mended = over("9: crowd inside", vertices)?;
    let [all_corners, two_corners] =
        [over("10: crowds at all corners", vertices)?, over("11: crowds at two corners", vertices)?];
    let at_two = over("11: crowds at two corners", surface)?;
    let [sampled, hull] = [points, surface].map(|fit| over("12: a segment and two points", fit));
    let (sampled, hull) = (sampled?, hull?);
    Ok(vec![
        Finding::new(
            "Huotari 2011, figures 6 and 7",
            "a badly oriented box is far larger than a well oriented one",
            format!("around clouds of one shape boxes have {} to {} times its volume", say(least), say(most)),
            most > BAD * least,
        ),
        Finding::new(
            "Huotari 2011, figures 8 and 9",
            "points added inside turn the principal axes of all points; the vertices of the hull alone mend that",
            format!(
                "the box by all points has {} times the volume without them and {} with them, that by the vertices {}",
                say(even),
                say(crowd),
                say(mended)
            ),
            even < BAD && crowd > BAD && mended < BAD,
        ),
        Finding::new(
            "Huotari 2011, figures 10 and 11",
            "vertices of the hull that are crowded unevenly turn the axes in turn",
            format!(
                "{} times the volume with crowds at all corners, {} with crowds at two, and {} by the surface of the hull",
                say(all_corners),
                say(two_corners),
                say(at_two)
            ),
            all_corners < BAD && two_corners > BAD && at_two < BAD,
        ),
        Finding::new(
            "Huotari 2011, figures 12 and 13",
            "samples of a segment and two points have axes that are not those of the least box; samples of the whole surface of the hull have",
            format!(
                "{} times the volume by the samples, {} by the surface of the hull",
                say(sampled),
                say(hull)
            ),
            sampled > BAD && hull < BAD,
        ),
    ])
}
