//! The order of pieces: halves of it are near each other in space.

use sudar::DVec3;

/// Sorts pieces so that every half, quarter and so on of them, counted as trees of certificates do, is a part of space.
pub(super) fn ordered(points: &[[f64; 3]], mut pieces: Vec<Vec<u32>>) -> Vec<Vec<u32>> {
    let middle = |piece: &Vec<u32>| {
        let sum = piece.iter().map(|&i| DVec3::from(points[i as usize])).sum::<DVec3>();
        sum / piece.len().max(1) as f64
    };
    let mut keyed: Vec<(DVec3, usize)> =
        pieces.iter().enumerate().map(|(i, piece)| (middle(piece), i)).collect();
    halve(&mut keyed);
    keyed.into_iter().map(|(_, i)| std::mem::take(&mut pieces[i])).collect()
}

fn halve(keyed: &mut [(DVec3, usize)]) {
    if keyed.len() < 3 {
        return;
    }
    let extent = sudar::Aabb::around(keyed.iter().map(|(p, _)| *p)).extent();
    let axis = (0..3).fold(0, |most, k| if extent[k] > extent[most] { k } else { most });
    let half = keyed.len() / 2;
    keyed.select_nth_unstable_by(half, |(p, i), (q, j)| p[axis].total_cmp(&q[axis]).then(i.cmp(j)));
    let (first, second) = keyed.split_at_mut(half);
    halve(first);
    halve(second);
}
