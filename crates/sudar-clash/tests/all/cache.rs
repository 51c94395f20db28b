//! Checks that know what earlier ones found.

use std::sync::Arc;

use sudar::effort::Statistics;
use sudar::{Aabb, DVec3, Mesh, Pose};
use sudar_clash::{
    Assembly, Cache, CacheError, ClashOptions, ClashReport, Part, body_of, find_clashes, find_clashes_cached,
};
use sudar_testing::Random;

/// Boxes that overlap, touch, hold each other and are apart, some of them turned.
fn assembly(rng: &mut Random, count: usize) -> Assembly {
    let part = |i: usize| {
        let min = DVec3::from_array([0; 3].map(|_| rng.whole(0, 6)));
        let size = DVec3::from_array([0; 3].map(|_| rng.whole(1, 4)));
        let mesh = Mesh::from_aabb(Aabb { min: DVec3::ZERO, max: size });
        let pose = if i.is_multiple_of(3) { rng.turned(min) } else { Pose::from_translation(min).unwrap() };
        Part { name: format!("part {i}"), body: body_of(Arc::new(mesh)), pose }
    };
    Assembly { parts: (0..count).map(part).collect() }
}

fn options() -> ClashOptions {
    let mut options = ClashOptions::new(0.5).unwrap();
    options.set_touch(1e-6).unwrap();
    options.set_deviations(vec![0.0, 0.01, 0.02]).unwrap();
    options
}

fn cached(assembly: &Assembly, options: &ClashOptions, cache: &mut Cache) -> ClashReport {
    find_clashes_cached(assembly, options, cache, &|_, _| {}).unwrap()
}

/// Reports as text, with every digit, and without what the queries did.
fn bits(mut report: ClashReport) -> String {
    report.statistics = Statistics::default();
    format!("{report:?}")
}

fn anew(assembly: &Assembly, options: &ClashOptions) -> String {
    bits(find_clashes(assembly, options, &|_, _| {}).unwrap())
}

#[test]
fn what_is_known_and_what_moved_has_the_bits_of_a_check_from_nothing() {
    let mut rng = Random::new(46);
    let options = options();
    let mut assembly = assembly(&mut rng, 60);
    let mut cache = Cache::default();
    for round in 0..6 {
        let from_nothing = anew(&assembly, &options);
        // Through the bytes of a file, as from one run to the next.
        let report = cached(&assembly, &options, &mut cache);
        assert_eq!(bits(report.clone()), from_nothing, "{round}");
        cache = Cache::read(cache.into_bytes()).unwrap();
        assert_eq!(cache.len(), report.candidates, "what was not used is gone");
        let again = cached(&assembly, &options, &mut cache);
        assert_eq!(bits(again.clone()), from_nothing, "{round}");
        assert!(again.statistics.nodes == 0, "nothing was examined again");
        // Some parts move, the order changes, and a name.
        for _ in 0..5 {
            let i = rng.below(assembly.parts.len());
            let place = DVec3::from_array([0; 3].map(|_| rng.whole(0, 6)));
            assembly.parts[i].pose = rng.turned(place);
        }
        assembly.parts.rotate_left(round);
        assembly.parts[0].name += "!";
    }
}

#[test]
fn other_options_are_other_results() {
    let mut rng = Random::new(47);
    let assembly = assembly(&mut rng, 40);
    let mut cache = Cache::default();
    cached(&assembly, &options(), &mut cache);
    let mut others = vec![ClashOptions::new(0.25).unwrap(), ClashOptions::new(0.5).unwrap(), options()];
    others[1].set_touch(0.5).unwrap();
    others[2].set_deviations(vec![0.1; 40]).unwrap();
    for options in others {
        assert_eq!(bits(cached(&assembly, &options, &mut cache.clone())), anew(&assembly, &options));
    }
}

#[test]
fn a_damaged_file_is_refused_whatever_is_damaged() {
    let mut rng = Random::new(48);
    let mut cache = Cache::default();
    cached(&assembly(&mut rng, 12), &options(), &mut cache);
    let bytes = cache.into_bytes();
    assert!(Cache::read(bytes.clone()).is_ok());
    let refused = |bytes: Vec<u8>| Cache::read(bytes).unwrap_err();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << rng.below(8);
        assert_eq!(refused(damaged), CacheError::Damaged, "{place}");
        assert_eq!(refused(bytes[..place].to_vec()), CacheError::Damaged, "{place}");
    }
    assert_eq!(refused([bytes.clone(), vec![0]].concat()), CacheError::Damaged);
}
