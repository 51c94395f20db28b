//! Pictures of the theatre.

use crate::gl;

#[test]
fn every_play_shows_its_own_colours() {
    if !gl::is_there() {
        return;
    }
    type Like = fn([u8; 3]) -> bool;
    for (link, is_like, least) in [
        // Cells of four algorithms.
        ("#theatre", (|[r, g, b]| r < 60 && g > 110 && b > 60 && b < g) as Like, 1000),
        // Pairs that are late.
        ("#theatre&play=perception&budget=5", |[r, g, b]| r > 150 && g > 140 && b < 110, 1000),
        // Rooms that are seen.
        ("#theatre&play=rooms", |[r, g, b]| r > 100 && g > 90 && b < g && b < 120, 1000),
    ] {
        let picture = gl::picture(link, 20);
        let count = gl::count(&picture, is_like);
        assert!(count > least, "{link}: {count}");
    }
}
