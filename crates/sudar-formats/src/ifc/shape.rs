//! The shape of a product: its items, what they are made of, and what is cut out of them.

use std::collections::HashMap;
use std::rc::Rc;

use sudar::DVec3;
use sudar::glam::{DAffine3, DMat3};

use super::boolean::{Failure, Surface, Tree, evaluate};
use super::curve::{Curves, endless};
use super::frame::axes;
use super::profile::{Region, stretch};
use super::solid::{Complaints, Solid, extrude, is_closed, moved};
use super::units::{DEEPEST, Units};
use super::value::{Entry, Found, Lost};
use crate::step::Step;

/// What an item is made of.
#[derive(Debug)]
enum Node {
    Solid(Solid),
    /// All below the plane z = 0 of a frame, inside regions of another's plane, swept without end, if there are any.
    Half {
        frame: DAffine3,
        within: Option<(DAffine3, Vec<Region>)>,
    },
    All(Vec<Rc<Node>>),
    Moved(DAffine3, Rc<Node>),
    Operation {
        kind: Kind,
        first: Rc<Node>,
        others: Vec<Rc<Node>>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Union,
    Intersection,
    Difference,
}

/// Items that one product may have, counted as often as they come.
const MOST_ITEMS: usize = 200_000;
/// Solids that operations of one item may have.
const MOST_SOLIDS: usize = 4096;
/// Triangles that one product may have.
const MOST_TRIANGLES: usize = 1 << 24;
/// Steps that operations on the solids of one product may take: some seconds.
const STEPS: u64 = 30_000_000;
/// About the distance of points of the grid for exact operations, in metres.
const GRID: f64 = 8e-9;

/// The items of one product.
pub(super) struct Shapes<'a> {
    curves: Curves<'a>,
    known: HashMap<u32, Rc<Node>>,
    left: usize,
    steps: u64,
    pub complaints: Complaints,
}

/// One item by itself: all its solids, moved to the frame of the product, and how they make it.
#[derive(Debug, Default)]
struct Parts {
    solids: Vec<Surface>,
    deviation: f64,
}

impl<'a> Shapes<'a> {
    pub fn new(step: &'a Step<'a>, units: Units) -> Self {
        let curves = Curves { step, units };
        Self { curves, known: HashMap::new(), left: MOST_ITEMS, steps: STEPS, complaints: Vec::new() }
    }

    /// The shape of a representation without that of others, each with its place as seen from the first.
    pub fn without(&mut self, items: &[u32], cuts: &[(Vec<u32>, DAffine3)]) -> Solid {
        let cutters = self.cutters(cuts);
        let mut whole = Solid::default();
        for item in items {
            let found = self.node(*item, DEEPEST).and_then(|node| self.pieces(&node, DAffine3::IDENTITY));
            let made = found.and_then(|pieces| {
                for (node, frame) in pieces {
                    self.cut(&node, &frame, &cutters, &mut whole)?;
                }
                Ok(())
            });
            if let Err(Lost(why)) = made {
                self.complaints.push(why);
            }
        }
        whole
    }

    /// What is cut out, whole.
    fn cutters(&mut self, cuts: &[(Vec<u32>, DAffine3)]) -> Vec<Rc<Node>> {
        let mut cutters = Vec::new();
        for (items, frame) in cuts {
            for item in items {
                match self.node(*item, DEEPEST) {
                    Ok(node) => cutters.push(Rc::new(Node::Moved(*frame, node))),
                    Err(Lost(why)) => self.complaints.push(format!("an opening is not cut: {why}")),
                }
            }
        }
        cutters
    }

    /// The pieces of an item that are not made of others by operations, each with its place.
    fn pieces(&mut self, node: &Rc<Node>, frame: DAffine3) -> Found<Vec<(Rc<Node>, DAffine3)>> {
        let mut found = Vec::new();
        let mut next = vec![(node.clone(), frame)];
        while let Some((node, frame)) = next.pop() {
            self.left = self.left.checked_sub(1).ok_or_else(|| Lost(too_many()))?;
            match &*node {
                Node::All(nodes) => next.extend(nodes.iter().rev().map(|node| (node.clone(), frame))),
                Node::Moved(by, inner) => next.push((inner.clone(), frame * *by)),
                Node::Half { .. } => return Err(Lost("a half space is no body by itself".to_owned())),
                Node::Solid(_) | Node::Operation { .. } => found.push((node, frame)),
            }
        }
        Ok(found)
    }

    /// Adds a piece without what is cut out of it to the whole.
    fn cut(
        &mut self,
        node: &Rc<Node>,
        frame: &DAffine3,
        cutters: &[Rc<Node>],
        whole: &mut Solid,
    ) -> Found<()> {
        let mut parts = Parts::default();
        let mut bounds = None;
        self.bounds(node, *frame, &mut bounds)?;
        let Some(bounds) = bounds else { return Ok(()) };
        let mut cutting = Vec::new();
        for cutter in cutters {
            let mut around = None;
            self.bounds(cutter, DAffine3::IDENTITY, &mut around)?;
            if around.is_none_or(|around| overlap(&around, &bounds)) {
                cutting.push(cutter.clone());
            }
        }
        if let (Node::Solid(solid), true) = (&**node, cutting.is_empty()) {
            return whole.add(&moved(&solid.surface, frame), solid.deviation * stretch(frame));
        }
        let mut around = Some(bounds);
        for cutter in &cutting {
            self.bounds(cutter, DAffine3::IDENTITY, &mut around)?;
        }
        let around = around.unwrap_or(bounds);
        let first = self.tree(node, *frame, &around, &mut parts)?;
        let others = cutting.iter().map(|cutter| self.tree(cutter, DAffine3::IDENTITY, &around, &mut parts));
        let others = others.collect::<Found<Vec<_>>>()?;
        let tree = if others.is_empty() { first } else { Tree::Difference(Box::new(first), others) };
        match self.evaluate(&parts.solids, &tree) {
            Ok(made) => whole.add(&made, parts.deviation),
            Err(failure) => {
                self.complaints.push(format!("{} are not made: {}", what(node), told(failure)));
                // What there is without them.
                let uncut = parts.solids.first().cloned().unwrap_or_default();
                whole.add(&uncut, parts.deviation)
            }
        }
    }

    fn evaluate(&mut self, solids: &[Surface], tree: &Tree) -> Result<Surface, Failure> {
        let grid = libm::exp2(libm::log2(GRID / self.curves.units.metres).round());
        evaluate(solids, tree, grid, &mut self.steps)
    }

    /// Grows bounds by those of all that is finite.
    fn bounds(&mut self, node: &Node, frame: DAffine3, bounds: &mut Option<[DVec3; 2]>) -> Found<()> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Lost(too_many()))?;
        match node {
            Node::Solid(solid) => {
                for p in solid.surface.vertices.iter().map(|p| frame.transform_point3(*p)) {
                    let [min, max] = bounds.unwrap_or([p, p]);
                    *bounds = Some([min.min(p), max.max(p)]);
                }
            }
            Node::Half { .. } => {}
            Node::All(nodes) => nodes.iter().try_for_each(|node| self.bounds(node, frame, bounds))?,
            Node::Moved(by, node) => self.bounds(node, frame * *by, bounds)?,
            Node::Operation { first, others, .. } => {
                self.bounds(first, frame, bounds)?;
                others.iter().try_for_each(|node| self.bounds(node, frame, bounds))?;
            }
        }
        Ok(())
    }

    /// How a node is made of solids, which are added to the parts.
    fn tree(&mut self, node: &Node, frame: DAffine3, around: &[DVec3; 2], parts: &mut Parts) -> Found<Tree> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Lost(too_many()))?;
        match node {
            Node::Solid(solid) => {
                parts.deviation = parts.deviation.max(solid.deviation * stretch(&frame));
                parts.solid(moved(&solid.surface, &frame))
            }
            Node::Half { frame: half, within } => {
                let below = parts.solid(below(&(frame * *half), around))?;
                let Some((prism, regions)) = within else { return Ok(below) };
                let prism = parts.solid(endless_prism(&(frame * *prism), regions, around))?;
                Ok(Tree::Intersection(Box::new([below, prism])))
            }
            Node::All(nodes) => {
                let trees = nodes
                    .iter()
                    .map(|node| self.tree(node, frame, around, parts))
                    .collect::<Found<Vec<_>>>()?;
                let union = trees.into_iter().reduce(|a, b| Tree::Union(Box::new([a, b])));
                union.ok_or_else(|| Lost("a shape without items".to_owned()))
            }
            Node::Moved(by, node) => self.tree(node, frame * *by, around, parts),
            Node::Operation { kind, first, others } => {
                let first = self.tree(first, frame, around, parts)?;
                let others = others
                    .iter()
                    .map(|node| self.tree(node, frame, around, parts))
                    .collect::<Found<Vec<_>>>()?;
                let both = |a: Tree, b: Tree| Box::new([a, b]);
                Ok(match kind {
                    Kind::Difference => Tree::Difference(Box::new(first), others),
                    Kind::Union => others.into_iter().fold(first, |a, b| Tree::Union(both(a, b))),
                    Kind::Intersection => {
                        others.into_iter().fold(first, |a, b| Tree::Intersection(both(a, b)))
                    }
                })
            }
        }
    }

    /// An item, made once.
    fn node(&mut self, number: u32, depth: usize) -> Found<Rc<Node>> {
        if let Some(known) = self.known.get(&number) {
            return Ok(known.clone());
        }
        self.left = self.left.checked_sub(1).ok_or_else(|| Lost(too_many()))?;
        let entry = self.curves.step.entry(number)?;
        let depth = depth.checked_sub(1).ok_or_else(|| endless(&entry))?;
        let node = Rc::new(match &*entry.class {
            "IFCMAPPEDITEM" => self.mapped(&entry, depth)?,
            "IFCBOOLEANRESULT" | "IFCBOOLEANCLIPPINGRESULT" => self.operation(entry, depth)?,
            "IFCCSGSOLID" => Node::All(vec![self.node(entry.reference(0)?, depth)?]),
            "IFCHALFSPACESOLID" | "IFCBOXEDHALFSPACE" => {
                Node::Half { frame: self.half(&entry)?, within: None }
            }
            "IFCPOLYGONALBOUNDEDHALFSPACE" => {
                let place = self.curves.step.axes(Some(entry.reference(2)?))?;
                let ring = self.curves.ring(entry.reference(3)?)?;
                let ring = ring.points.into_iter().map(DVec3::truncate).collect();
                Node::Half {
                    frame: self.half(&entry)?,
                    within: Some((place, vec![Region::new(ring, Vec::new())])),
                }
            }
            _ => {
                let found = self.curves.solid(&entry, &mut self.complaints)?;
                Node::Solid(found.ok_or_else(|| entry.unread())?)
            }
        });
        self.known.insert(number, node.clone());
        Ok(node)
    }

    fn mapped(&mut self, entry: &Entry<'_>, depth: usize) -> Found<Node> {
        let map = self.curves.step.entry(entry.reference(0)?)?;
        let origin = self.curves.step.axes(map.get(0).reference())?;
        let target = self.curves.step.operator(entry.reference(1)?)?;
        let representation = self.curves.step.entry(map.reference(1)?)?;
        let mut nodes = Vec::new();
        for item in representation.references(3)? {
            match self.node(item, depth) {
                Ok(node) => nodes.push(node),
                Err(Lost(why)) => self.complaints.push(why),
            }
        }
        Ok(Node::Moved(target * origin.inverse(), Rc::new(Node::All(nodes))))
    }

    /// A chain of operations on its first operands is one, however long.
    fn operation(&mut self, mut entry: Entry<'a>, depth: usize) -> Found<Node> {
        let kind = kind(&entry)?;
        let mut others = Vec::new();
        loop {
            self.left = self.left.checked_sub(1).ok_or_else(|| Lost(too_many()))?;
            others.push(self.node(entry.reference(2)?, depth)?);
            let first = self.curves.step.entry(entry.reference(1)?)?;
            let goes_on = matches!(&*first.class, "IFCBOOLEANRESULT" | "IFCBOOLEANCLIPPINGRESULT")
                && self::kind(&first)? == kind
                && !self.known.contains_key(&first.number);
            if !goes_on {
                let first = self.node(first.number, depth)?;
                others.reverse();
                return Ok(Node::Operation { kind, first, others });
            }
            entry = first;
        }
    }

    /// The frame below whose plane z = 0 a half space is.
    fn half(&self, entry: &Entry<'_>) -> Found<DAffine3> {
        let plane = self.curves.step.entry(entry.reference(0)?)?;
        if plane.class != "IFCPLANE" {
            return Err(plane.unread());
        }
        let frame = self.curves.step.axes(Some(plane.reference(0)?))?;
        // With the flag the normal points away from what is filled.
        if entry.says(1, "F") {
            let turn = DMat3::from_cols(DVec3::X, DVec3::NEG_Y, DVec3::NEG_Z);
            return Ok(frame * DAffine3::from_mat3(turn));
        }
        Ok(frame)
    }
}

fn kind(entry: &Entry<'_>) -> Found<Kind> {
    [("DIFFERENCE", Kind::Difference), ("UNION", Kind::Union), ("INTERSECTION", Kind::Intersection)]
        .into_iter()
        .find(|(word, _)| entry.says(0, word))
        .map(|(_, kind)| kind)
        .ok_or_else(|| entry.wrong(0, "operation"))
}

fn too_many() -> String {
    format!("is made of more than {MOST_ITEMS} items; simplify it, and export it again")
}

fn what(node: &Node) -> &'static str {
    if matches!(node, Node::Operation { .. }) { "its boolean operations" } else { "its openings" }
}

fn told(failure: Failure) -> &'static str {
    match failure {
        Failure::Open => "one of the solids is not closed",
        Failure::Steps => "they take too many steps",
        Failure::Size => "the solids reach too far",
    }
}

impl Solid {
    fn add(&mut self, other: &Surface, deviation: f64) -> Found<()> {
        let first = self.surface.vertices.len();
        if self.surface.triangles.len() + other.triangles.len() > MOST_TRIANGLES {
            return Err(Lost(format!("has more than {MOST_TRIANGLES} triangles")));
        }
        self.surface.vertices.extend(&other.vertices);
        self.surface.triangles.extend(other.triangles.iter().map(|t| t.map(|i| i + first as u32)));
        self.deviation = self.deviation.max(deviation);
        Ok(())
    }
}

impl Parts {
    /// Adds a solid. Faces of a closed one that look inwards are turned.
    fn solid(&mut self, mut surface: Surface) -> Found<Tree> {
        if self.solids.len() == MOST_SOLIDS {
            return Err(Lost(format!("is made of more than {MOST_SOLIDS} solids")));
        }
        if is_closed(&surface) && super::solid::volume(&surface) < 0.0 {
            surface.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        self.solids.push(surface);
        Ok(Tree::Solid(self.solids.len() - 1))
    }
}

fn overlap(a: &[DVec3; 2], b: &[DVec3; 2]) -> bool {
    a[0].cmple(b[1]).all() && b[0].cmple(a[1]).all()
}

/// The lowest and highest of the corners of bounds along each axis of a frame, with room about them.
fn reach(frame: &DAffine3, around: &[DVec3; 2]) -> [DVec3; 2] {
    let inverse = frame.inverse();
    let corners = (0..8_usize).map(|i| {
        let pick = |axis: usize| around[i >> axis & 1][axis];
        inverse.transform_point3(DVec3::new(pick(0), pick(1), pick(2)))
    });
    let (min, max) =
        corners.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), p| (min.min(p), max.max(p)));
    let room = (max - min).max_element() * 0.125 + f64::MIN_POSITIVE;
    [min - room, max + room]
}

/// All below the plane z = 0 of a frame, as far as bounds reach.
fn below(frame: &DAffine3, around: &[DVec3; 2]) -> Surface {
    // Axes that stay along those of the world where the plane does.
    let z = frame.matrix3.z_axis;
    let turned = DAffine3::from_mat3_translation(axes(z, None), frame.translation);
    let [min, max] = reach(&turned, around);
    // What is wholly below is cut wholly, what is above not at all.
    let bottom = min.z.min(-1.0);
    let ring = [[min.x, min.y], [max.x, min.y], [max.x, max.y], [min.x, max.y]];
    let region = Region::new(ring.map(sudar::glam::DVec2::from_array).to_vec(), Vec::new());
    extrude(&[region], &turned, DVec3::Z * bottom)
}

fn endless_prism(frame: &DAffine3, regions: &[Region], around: &[DVec3; 2]) -> Surface {
    let [min, max] = reach(frame, around);
    let from = DAffine3::from_translation(DVec3::Z * min.z);
    extrude(regions, &(*frame * from), DVec3::Z * (max.z - min.z))
}
