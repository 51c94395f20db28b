//! Every tree, however built and searched, finds the pairs that testing all pairs finds.

use std::ops::ControlFlow;

use sudar::glam::{DQuat, DVec3};

use super::*;
use crate::volume::{Dop14, Dop18, Dop26, Kdop};
use sudar::effort::{Budget, Meter};
use sudar::math::Pose;
use sudar::pair::triangles_intersect;
use sudar::shape::{Aabb, Mesh, Obb, Sphere, Triangle};
use sudar::volume::Relative;
use sudar_testing::Random;
use sudar_testing::meshes::{bumpy, meeting_pairs, posed};

fn poses() -> Vec<Pose> {
    let mut random = Random::new(20);
    let mut pose = |i: u32| {
        let place = random.point().normalize() * (0.6 + 0.25 * f64::from(i));
        random.turned(place)
    };
    (0..8).map(&mut pose).collect()
}

fn found<V: Volume>(
    a: (&Mesh, &VolumeTree<V>),
    b: (&Mesh, &VolumeTree<V>),
    pose: &Pose,
    order: TraversalOrder,
) -> Vec<[u32; 2]> {
    let motion = Relative::new(&Pose::IDENTITY, a.0.aabb().reach(), pose, b.0.aabb().reach());
    let (ours, theirs) = (posed(a.0, &Pose::IDENTITY), posed(b.0, pose));
    let mut pairs = Vec::new();
    let mut kernel = Direct::new(a.1, b.1, &motion);
    let end = traverse((a.1, b.1), &mut kernel, order, &mut Meter::unlimited(), |x, y| {
        collect((&ours, a.1.items(x)), (&theirs, b.1.items(y)), &mut pairs);
        ControlFlow::Continue(())
    });
    assert_eq!(end, End::Complete);
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

fn collect(a: (&[Triangle], &[u32]), b: (&[Triangle], &[u32]), pairs: &mut Vec<[u32; 2]>) {
    let all = a.1.iter().flat_map(|&i| b.1.iter().map(move |&j| [i, j]));
    pairs.extend(all.filter(|&[i, j]| triangles_intersect(&a.0[i as usize], &b.0[j as usize])));
}

const ORDERS: [TraversalOrder; 5] = [
    TraversalOrder { descent: Descent::Larger, siblings: Siblings::InOrder },
    TraversalOrder { descent: Descent::First, siblings: Siblings::SmallerFirst },
    TraversalOrder { descent: Descent::Alternate, siblings: Siblings::NearestFirst },
    TraversalOrder { descent: Descent::Larger, siblings: Siblings::SmallerFirst },
    TraversalOrder { descent: Descent::Larger, siblings: Siblings::LastFirst },
];

fn finds_all<V: Volume>(build: impl Fn(&Mesh) -> VolumeTree<V>) {
    let (a, b) = (bumpy(5), bumpy(4));
    let (tree_a, tree_b) = (build(&a), build(&b));
    check_tree(&tree_a, a.triangles().len());
    let mut hits = 0;
    for (pose, order) in poses().iter().zip(ORDERS.iter().cycle()) {
        let expected = meeting_pairs(&posed(&a, &Pose::IDENTITY), &posed(&b, pose));
        hits += expected.len();
        assert_eq!(found((&a, &tree_a), (&b, &tree_b), pose, *order), expected);
    }
    assert!(hits > 100);
}

/// Every item is in a leaf, and children stand after their parents.
fn check_tree<V: Volume>(tree: &VolumeTree<V>, items: usize) {
    let mut seen = tree.items_below(0);
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), items);
    for i in 0..tree.nodes().len() as u32 {
        assert!(tree.children(i).all(|child| child > i) && tree.node(i).count > 0);
    }
    assert!(tree.depth() > 1 && tree.depth() < 60, "{}", tree.depth());
}

fn by_rules<V: Volume>(rules: BuildRules) -> impl Fn(&Mesh) -> VolumeTree<V> {
    move |mesh| VolumeTree::top_down(&Items::triangles(mesh), &rules)
}

#[test]
fn all_rules_of_splitting_find_all_pairs() {
    for axis in SplitAxis::ALL {
        finds_all(by_rules::<Aabb>(BuildRules { axis, ..BuildRules::DEFAULT }));
    }
    for point in SplitPoint::ALL {
        finds_all(by_rules::<Aabb>(BuildRules {
            point,
            leaf: 3,
            ties_alternate: true,
            ..BuildRules::DEFAULT
        }));
    }
}

#[test]
fn deviations_are_added_without_squares() {
    // Along x the mean is 0 and the deviations add up to 6, their squares to 18; along y to 8 and 16.
    let points = [[3.0, 2.0], [-3.0, -2.0], [0.0, 2.0], [0.0, -2.0]];
    let mut items = Items::new();
    for [x, y] in points {
        items.push(&[DVec3::new(x, y, 0.0)]);
    }
    let lower = |axis| {
        let rules = BuildRules { axis, point: SplitPoint::Mean, ..BuildRules::DEFAULT };
        let mut found = VolumeTree::<Aabb>::top_down(&items, &rules).items_below(1);
        found.sort_unstable();
        found
    };
    assert_eq!(lower(SplitAxis::MostDeviation), [1, 3]);
    assert_eq!(lower(SplitAxis::Splatter), [1]);
}

#[test]
fn all_volumes_find_all_pairs() {
    let rules = BuildRules { unsplit: UnsplitRule::NextAxis, ..BuildRules::DEFAULT };
    finds_all(by_rules::<Sphere>(rules));
    finds_all(by_rules::<Obb>(rules));
    finds_all(by_rules::<Kdop<3>>(rules));
    finds_all(by_rules::<Dop14>(rules));
    finds_all(by_rules::<Dop18>(rules));
    finds_all(by_rules::<Dop26>(rules));
}

#[test]
fn trees_from_the_bottom_up_find_all_pairs() {
    finds_all(|mesh| VolumeTree::<Aabb>::bottom_up(&Items::triangles(mesh)));
    finds_all(|mesh| VolumeTree::<Sphere>::bottom_up(&Items::triangles(mesh)));
}

#[test]
fn trees_of_octants_find_all_pairs() {
    finds_all(|mesh| VolumeTree::octants(mesh, 1));
    finds_all(|mesh| VolumeTree::octants(mesh, 4).shrunk(&Items::triangles(mesh)));
}

#[test]
fn a_refitted_tree_finds_all_pairs_of_the_moved_mesh() {
    let (a, b) = (bumpy(5), bumpy(4));
    let bent = a.mapped(|p| DVec3::new(p.x * 1.3 + 0.2 * p.y * p.y, p.y * 0.7, p.z + 0.1 * p.x)).unwrap();
    let mut tree = by_rules::<Dop18>(BuildRules::DEFAULT)(&a);
    tree.refit(&Items::triangles(&bent));
    let other = by_rules::<Dop18>(BuildRules::DEFAULT)(&b);
    for pose in poses() {
        let expected = meeting_pairs(&posed(&bent, &Pose::IDENTITY), &posed(&b, &pose));
        assert_eq!(found((&bent, &tree), (&b, &other), &pose, ORDERS[0]), expected);
    }
}

#[test]
fn a_front_finds_all_pairs_and_tests_fewer_volumes() {
    let (a, b) = (bumpy(8), bumpy(4));
    let trees = (by_rules::<Aabb>(BuildRules::DEFAULT)(&a), by_rules::<Aabb>(BuildRules::DEFAULT)(&b));
    for depth in [FrontDepth::FirstTree, FrontDepth::BothTrees] {
        let (mut front, mut with, mut without) = (Front::new(depth), 0, 0);
        for step in 0..60 {
            let along = f64::from(step) * 0.03 - 0.9;
            let turn = DQuat::from_rotation_z(f64::from(step) * 0.01);
            let pose = Pose::new(DVec3::new(1.3, along, 0.1), turn).unwrap();
            let (ours, theirs) = (posed(&a, &Pose::IDENTITY), posed(&b, &pose));
            let motion = Relative::new(&Pose::IDENTITY, 2.0, &pose, 2.0);
            let order = TraversalOrder { descent: Descent::First, siblings: Siblings::InOrder };
            let mut kernel = Direct::new(&trees.0, &trees.1, &motion);
            let (mut pairs, mut meter) = (Vec::new(), Meter::unlimited());
            let end = front.traverse((&trees.0, &trees.1), &mut kernel, order, &mut meter, |x, y| {
                collect((&ours, trees.0.items(x)), (&theirs, trees.1.items(y)), &mut pairs);
                ControlFlow::Continue(())
            });
            assert_eq!(end, End::Complete);
            with += meter.statistics().nodes;
            pairs.sort_unstable();
            let mut meter = Meter::unlimited();
            let mut again = Vec::new();
            let _ = traverse((&trees.0, &trees.1), &mut kernel, order, &mut meter, |x, y| {
                collect((&ours, trees.0.items(x)), (&theirs, trees.1.items(y)), &mut again);
                ControlFlow::Continue(())
            });
            without += meter.statistics().nodes;
            again.sort_unstable();
            assert_eq!(pairs, again, "{step}");
        }
        assert!(with < without, "{depth:?}: {with} {without}");
        assert!(!front.is_empty() && front.len() < 100_000);
    }
}

#[test]
fn a_front_that_was_stopped_goes_on_truly() {
    let (a, b) = (bumpy(6), bumpy(4));
    let trees = (by_rules::<Aabb>(BuildRules::DEFAULT)(&a), by_rules::<Aabb>(BuildRules::DEFAULT)(&b));
    let mut front = Front::new(FrontDepth::BothTrees);
    for (step, pose) in poses().iter().chain(&poses()).enumerate() {
        let motion = Relative::new(&Pose::IDENTITY, 2.0, pose, 2.0);
        let mut kernel = Direct::new(&trees.0, &trees.1, &motion);
        let (ours, theirs) = (posed(&a, &Pose::IDENTITY), posed(&b, pose));
        let expected = meeting_pairs(&ours, &theirs);
        let budget = if step.is_multiple_of(3) { Budget::nodes(40) } else { Budget::UNLIMITED };
        let mut pairs = Vec::new();
        let end =
            front.traverse((&trees.0, &trees.1), &mut kernel, ORDERS[0], &mut Meter::new(&budget), |x, y| {
                collect((&ours, trees.0.items(x)), (&theirs, trees.1.items(y)), &mut pairs);
                if step % 3 == 1 && !pairs.is_empty() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            });
        pairs.sort_unstable();
        match end {
            End::Complete => assert_eq!(pairs, expected),
            End::Stopped | End::OutOfBudget(..) => assert!(pairs.iter().all(|p| expected.contains(p))),
        }
        assert_eq!(step % 3 == 1 && !expected.is_empty(), end == End::Stopped);
    }
}

#[test]
fn equal_and_flat_items_are_split_all_the_same() {
    let t = Triangle::from([DVec3::ZERO, DVec3::X, DVec3::Y]);
    let same = Mesh::joined(&vec![Mesh::from_triangle(t); 100]).unwrap();
    for point in SplitPoint::ALL {
        let rules = BuildRules { point, unsplit: UnsplitRule::NextAxis, ..BuildRules::DEFAULT };
        check_tree(&by_rules::<Obb>(rules)(&same), 100);
        check_tree(&by_rules::<Dop26>(rules)(&same), 100);
    }
    let together = BuildRules { unsplit: UnsplitRule::Leaf, ..BuildRules::DEFAULT };
    assert_eq!(by_rules::<Aabb>(together)(&same).nodes().len(), 1);
    // Each cube holds all of them: nothing is split.
    assert_eq!(VolumeTree::octants(&same, 1).items_below(0).len() % 100, 0);
    assert!(VolumeTree::<Aabb>::top_down(&Items::new(), &BuildRules::DEFAULT).nodes().is_empty());
    assert!(VolumeTree::<Aabb>::bottom_up(&Items::new()).items_below(0).is_empty());
    // Sizes that halve a thousand times over: the split in half keeps the tree from becoming a list.
    let mut items = Items::new();
    for i in 0..2000 {
        items.push(&[DVec3::X * f64::powi(2.0, -(i % 300)), DVec3::X * f64::powi(2.0, -(i % 300)) * 1.1]);
    }
    let tree = VolumeTree::<Aabb>::top_down(&items, &BuildRules::DEFAULT);
    assert!(tree.depth() < 200, "{}", tree.depth());
}
