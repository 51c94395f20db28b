//! A body as a hierarchy of pieces in its own frame: halves of compounds, parts, boxes of trees, triangles.

use std::cell::OnceCell;
use std::ops::ControlFlow;

use glam::DMat3;

use crate::convex::PosedConvex;
use crate::math::Pose;
use crate::motion::{Piece, thin_box};
use crate::query::bodies::{Body, Form, Half, Parts, Surface};
use crate::query::pairs::halfspace::unit;
use crate::search::depth_first;
use crate::shape::{Aabb, Halfspace, Obb};
use crate::tree::{Child, EightBoxes, WideTree};

/// A piece of a body, by its place in the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    /// Some parts of a compound.
    Half(Half),
    /// One part of a compound, or a whole body.
    Part(u32),
    /// What lies below a place of the tree of a part.
    Place { part: u32, place: u32 },
    /// A triangle of a part.
    Triangle { part: u32, triangle: u32 },
}

/// A body as the search sees it.
pub(super) struct Side<'a> {
    body: &'a Body,
    parts: Option<&'a Parts>,
    /// The box of a convex body, once it is needed.
    boxed: OnceCell<Option<Piece<'static>>>,
}

impl<'a> Side<'a> {
    pub fn new(body: &'a Body) -> Self {
        let parts = match body.form() {
            Form::Compound(parts) => Some(&**parts),
            Form::Mesh | Form::Convex(_) | Form::Halfspace(_) => None,
        };
        Self { body, parts, boxed: OnceCell::new() }
    }

    /// Where the hierarchy begins.
    pub fn root(&self) -> Item {
        self.parts.map_or(Item::Part(0), |parts| half(parts, parts.tree.whole()))
    }

    /// The part and its pose in the frame of the whole.
    fn part(&self, i: u32) -> (&'a Body, &'a Pose) {
        match self.parts.and_then(|parts| parts.list.get(i as usize)) {
            Some((body, at)) => (body, at),
            None => (self.body, &Pose::IDENTITY),
        }
    }

    fn surface(&self, part: u32) -> Option<(&'a Surface, &'a Pose)> {
        let (body, at) = self.part(part);
        body.surface().map(|surface| (surface, at))
    }

    /// What stands for an item; `None` if it has no bounds and only its children do.
    pub fn piece(&self, item: Item) -> Option<Piece<'a>> {
        match item {
            Item::Half(half) => self.parts.and_then(|parts| bound(*parts.tree.bounds(half), &Pose::IDENTITY)),
            Item::Part(i) => {
                let (body, at) = self.part(i);
                match body.form() {
                    Form::Mesh => bound(body.own_aabb(), at),
                    Form::Convex(convex) => Some(Piece::Convex(PosedConvex::new(convex, at))),
                    Form::Halfspace(h) => Some(plane(&h.posed(at))),
                    Form::Compound(_) => None,
                }
            }
            Item::Place { part, place } => self
                .surface(part)
                .map(|(surface, at)| Piece::Bound(surface.tree.oriented_box(place).posed(at))),
            Item::Triangle { part, triangle } => self
                .surface(part)
                .map(|(surface, at)| Piece::Triangle(surface.mesh.triangle(triangle).posed(at))),
        }
    }

    /// The box of an item that is all of a convex body.
    pub fn boxed(&self, item: Item) -> Option<Piece<'static>> {
        let is_whole = matches!(item, Item::Part(_)) && self.parts.is_none() && self.body.convex().is_some();
        let boxed = || *self.boxed.get_or_init(|| bound(self.body.own_aabb(), &Pose::IDENTITY));
        is_whole.then(boxed).flatten()
    }

    /// Whether the item's piece is a piece of the body and no bound.
    pub fn is_leaf(&self, item: Item) -> bool {
        match item {
            Item::Half(_) | Item::Place { .. } => false,
            Item::Triangle { .. } => true,
            Item::Part(i) => !self.part(i).0.is_numbered(),
        }
    }

    /// Shows what an item is made of.
    pub fn open(&self, item: Item, mut show: impl FnMut(Item)) {
        match item {
            Item::Half(whole) => {
                if let Some(parts) = self.parts {
                    whole.split().into_iter().for_each(|next| show(half(parts, next)));
                }
            }
            Item::Part(part) => {
                if let Some((surface, _)) = self.surface(part) {
                    places(&surface.tree, 0, part, show);
                }
            }
            Item::Place { part, place } => {
                if let Some((surface, _)) = self.surface(part) {
                    match surface.tree.child_at(place) {
                        Child::Node(node) => places(&surface.tree, node, part, show),
                        Child::Leaf(list) => {
                            list.iter().for_each(|&triangle| show(Item::Triangle { part, triangle }));
                        }
                    }
                }
            }
            Item::Triangle { .. } => {}
        }
    }

    /// Shows all pieces of the body that are no bounds.
    pub fn each(&self, mut show: impl FnMut(&Piece)) {
        depth_first(vec![self.root()], |item, waiting| {
            if self.is_leaf(item) {
                self.piece(item).iter().for_each(&mut show);
            } else {
                self.open(item, |next| waiting.push(next));
            }
            ControlFlow::<()>::Continue(())
        });
    }

    /// Shows what an item is made of, up to eight pieces at a time side by side in the frame of the body;
    /// whether that can be.
    pub fn open_eight(&self, item: Item, mut show: impl FnMut(&[Item], &EightBoxes)) -> bool {
        let (Item::Part(part) | Item::Place { part, .. }) = item else { return false };
        let Some((surface, _)) = self.surface(part).filter(|(_, at)| **at == Pose::IDENTITY) else {
            return false;
        };
        let child = match item {
            Item::Place { place, .. } => surface.tree.child_at(place),
            Item::Half(_) | Item::Part(_) | Item::Triangle { .. } => Child::Node(0),
        };
        let mut items = [item; 8];
        match child {
            Child::Node(node) => {
                let places = surface.tree.places(node);
                let count = places.len();
                items.iter_mut().zip(places).for_each(|(item, place)| *item = Item::Place { part, place });
                show(&items[..count], &surface.tree.eight_boxes(node));
            }
            Child::Leaf(list) => {
                let mut boxes = EightBoxes::NONE;
                for some in list.chunks(8) {
                    for (slot, &triangle) in some.iter().enumerate() {
                        items[slot] = Item::Triangle { part, triangle };
                        boxes.set(slot, &thin_box(&surface.mesh.triangle(triangle)));
                    }
                    show(&items[..some.len()], &boxes);
                }
            }
        }
        true
    }

    /// The feature by which an item is reported.
    pub fn feature(&self, item: Item) -> u32 {
        match (item, self.parts.is_some()) {
            (Item::Part(i) | Item::Place { part: i, .. } | Item::Triangle { part: i, .. }, true) => i,
            (Item::Triangle { triangle, .. }, false) => self.body.feature(triangle),
            (Item::Half(_) | Item::Part(_) | Item::Place { .. }, _) => 0,
        }
    }
}

fn half(parts: &Parts, half: Half) -> Item {
    if half.count() == 1 { Item::Part(parts.tree.numbers(half)[0]) } else { Item::Half(half) }
}

fn places(tree: &WideTree, node: usize, part: u32, show: impl FnMut(Item)) {
    tree.places(node).map(|place| Item::Place { part, place }).for_each(show);
}

fn bound(aabb: Aabb, at: &Pose) -> Option<Piece<'static>> {
    let bound = Obb { center: aabb.center(), axes: DMat3::IDENTITY, half: aabb.extent() * 0.5 };
    let finite = bound.center.is_finite() && bound.half.is_finite();
    finite.then(|| Piece::Bound(bound.posed(at)))
}

fn plane(h: &Halfspace) -> Piece<'static> {
    let (normal, offset) = unit(h);
    Piece::Plane(Halfspace { normal, offset })
}
