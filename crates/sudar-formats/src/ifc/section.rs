//! Rolled and bent sections by their sizes, about the middle of the box around them.
//!
//! Where the inner face of a flange or leg slopes, its thickness is that at the middle: of a leg that begins at an edge
//! of the section, as those of L and U, at half of its width; of flanges to both sides of a web, as those of I and T,
//! at a quarter of the width of both (DIN 1024 to 1028 measure so too).

use super::profile::Corner;
use super::units::Units;
use super::value::{Entry, Found};

impl Units {
    /// The corners of a section, counter-clockwise.
    pub(super) fn section(self, entry: &Entry<'_>) -> Found<Vec<Corner>> {
        match &*entry.class {
            "IFCISHAPEPROFILEDEF" => self.i_shape(entry),
            "IFCASYMMETRICISHAPEPROFILEDEF" => self.asymmetric_i_shape(entry),
            "IFCTSHAPEPROFILEDEF" => self.t_shape(entry),
            "IFCLSHAPEPROFILEDEF" => self.l_shape(entry),
            "IFCUSHAPEPROFILEDEF" => self.u_shape(entry),
            "IFCCSHAPEPROFILEDEF" => c_shape(entry),
            "IFCZSHAPEPROFILEDEF" => z_shape(entry),
            _ => Err(entry.unread()),
        }
    }

    /// How much a face rises along the length of the flange, 0 where the file says nothing.
    fn slope(self, entry: &Entry<'_>, i: usize) -> Found<f64> {
        let angle = entry.get(i).number().unwrap_or(0.0) * self.angle;
        // A steeper flange would end before its edge; rolled ones rise by at most an eighth.
        if (0.0..1.0).contains(&angle) {
            Ok(libm::tan(angle))
        } else {
            Err(entry.wrong(i, "slope of a flange"))
        }
    }

    fn i_shape(self, entry: &Entry<'_>) -> Found<Vec<Corner>> {
        let (depth, web) = (entry.length(4)?, entry.length(5)?);
        let flange = Flange {
            width: entry.length(3)?,
            thickness: entry.length(6)?,
            slope: self.slope(entry, 9)?,
            fillet: entry.radius(7),
            edge: entry.radius(8),
        };
        Ok(i_shape(depth, web, [&flange, &flange]))
    }

    fn asymmetric_i_shape(self, entry: &Entry<'_>) -> Found<Vec<Corner>> {
        let (depth, web) = (entry.length(4)?, entry.length(5)?);
        // IFC 2x3 has a length in the place of the first of them, and no slopes.
        let is_long = entry.count() > 12;
        let edge = |i: usize| if is_long { entry.radius(i) } else { 0.0 };
        let bottom = Flange {
            width: entry.length(3)?,
            thickness: entry.length(6)?,
            slope: self.slope(entry, 12)?,
            fillet: entry.radius(7),
            edge: edge(11),
        };
        let top = Flange {
            width: entry.length(8)?,
            thickness: entry.get(9).number().unwrap_or(bottom.thickness),
            slope: self.slope(entry, 14)?,
            fillet: entry.radius(10),
            edge: edge(13),
        };
        Ok(i_shape(depth, web, [&bottom, &top]))
    }

    fn t_shape(self, entry: &Entry<'_>) -> Found<Vec<Corner>> {
        let (y, width) = (entry.length(3)? / 2.0, entry.length(4)?);
        let (web, web_slope) = (entry.length(5)? / 2.0, self.slope(entry, 10)?);
        let flange = Flange {
            width,
            thickness: entry.length(6)?,
            slope: self.slope(entry, 11)?,
            fillet: entry.radius(7),
            edge: entry.radius(8),
        };
        let web_edge = entry.radius(9);
        // The web has its thickness halfway up and grows towards the flange.
        let side = |at: f64| web + at * web_slope;
        // Where both faces meet: x = side(h), h = y - flange.at(x).
        let quarter = width / 4.0;
        let level = y - flange.thickness - quarter * flange.slope;
        let x = (web + level * web_slope) / (1.0 - web_slope * flange.slope);
        let corner = (x, y - flange.at(x), flange.fillet);
        let tip = (width / 2.0, y - flange.at(width / 2.0), flange.edge);
        let right = [(side(-y), -y, web_edge), corner, tip, (width / 2.0, y, 0.0)];
        Ok(mirrored(&right))
    }

    fn l_shape(self, entry: &Entry<'_>) -> Found<Vec<Corner>> {
        let depth = entry.length(3)?;
        let width = entry.get(4).number().filter(|x| *x > 0.0).unwrap_or(depth);
        let (y, x, t) = (depth / 2.0, width / 2.0, entry.length(5)?);
        let (fillet, edge, slope) = (entry.radius(6), entry.radius(7), self.slope(entry, 8)?);
        // The faces y = t - depth/2 - slope x and x = t - width/2 - slope y.
        let below = (t - y - slope * (t - x)) / (1.0 - slope * slope);
        let corner = (t - x - slope * below, below, fillet);
        let (right, top) = ((x, t - y - slope * x, edge), (t - x - slope * y, y, edge));
        Ok(vec![(-x, -y, 0.0), (x, -y, 0.0), right, corner, top, (-x, y, 0.0)])
    }

    fn u_shape(self, entry: &Entry<'_>) -> Found<Vec<Corner>> {
        let (y, x) = (entry.length(3)? / 2.0, entry.length(4)? / 2.0);
        let (web, flange) = (entry.length(5)?, entry.length(6)?);
        let (fillet, edge, slope) = (entry.radius(7), entry.radius(8), self.slope(entry, 9)?);
        let inner = |at: f64| flange - at * slope - y;
        let below = [(-x, -y, 0.0), (x, -y, 0.0), (x, inner(x), edge), (web - x, inner(web - x), fillet)];
        Ok(below.iter().copied().chain(below.iter().rev().map(|&(x, y, r)| (x, -y, r))).collect())
    }
}

/// A flange to both sides of a web.
struct Flange {
    width: f64,
    /// At a quarter of the width.
    thickness: f64,
    /// By how much it gets thicker with each length towards the web.
    slope: f64,
    fillet: f64,
    edge: f64,
}

impl Flange {
    /// How thick it is so far from the middle.
    fn at(&self, x: f64) -> f64 {
        self.thickness + (self.width / 4.0 - x) * self.slope
    }
}

/// Two flanges, the lower one first, at the ends of a web.
fn i_shape(depth: f64, web: f64, [bottom, top]: [&Flange; 2]) -> Vec<Corner> {
    let (y, w) = (depth / 2.0, web / 2.0);
    let half = |flange: &Flange| flange.width / 2.0;
    mirrored(&[
        (half(bottom), -y, 0.0),
        (half(bottom), bottom.at(half(bottom)) - y, bottom.edge),
        (w, bottom.at(w) - y, bottom.fillet),
        (w, y - top.at(w), top.fillet),
        (half(top), y - top.at(half(top)), top.edge),
        (half(top), y, 0.0),
    ])
}

/// The right side from below, and the left one down.
fn mirrored(right: &[Corner]) -> Vec<Corner> {
    right.iter().copied().chain(right.iter().rev().map(|&(x, y, r)| (-x, y, r))).collect()
}

fn c_shape(entry: &Entry<'_>) -> Found<Vec<Corner>> {
    let (y, x) = (entry.length(3)? / 2.0, entry.length(4)? / 2.0);
    let (wall, girth, inner) = (entry.length(5)?, entry.length(6)?, entry.radius(7));
    let outer = if inner > 0.0 { inner + wall } else { 0.0 };
    let below = [
        (-x, -y, outer),
        (x, -y, outer),
        (x, girth - y, 0.0),
        (x - wall, girth - y, 0.0),
        (x - wall, wall - y, inner),
        (wall - x, wall - y, inner),
    ];
    Ok(below.iter().copied().chain(below.iter().rev().map(|&(x, y, r)| (x, -y, r))).collect())
}

fn z_shape(entry: &Entry<'_>) -> Found<Vec<Corner>> {
    let (y, width) = (entry.length(3)? / 2.0, entry.length(4)?);
    let (web, flange) = (entry.length(5)?, entry.length(6)?);
    let (fillet, edge) = (entry.radius(7), entry.radius(8));
    let (w, x) = (web / 2.0, width - web / 2.0);
    let half = [(-w, -y, 0.0), (x, -y, 0.0), (x, flange - y, edge), (w, flange - y, fillet)];
    Ok(half.iter().copied().chain(half.iter().map(|&(x, y, r)| (-x, -y, r))).collect())
}
