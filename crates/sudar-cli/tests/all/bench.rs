//! `sudar bench`: a row for every query and place, with numbers that can be read.

use crate::support::Folder;

#[test]
fn every_query_has_a_row_for_every_place() {
    let folder = Folder::new();
    folder.write("tent.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n");
    let run = folder.sudar(&["bench", "tent.obj", "--poses", "3", "--seconds", "0.001"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let rows: Vec<Vec<&str>> = run.out.lines().map(|line| line.split(',').collect()).collect();
    // Of an open mesh nothing contains a point: eight queries in three places.
    assert_eq!(rows.len(), 1 + 8 * 3);
    for row in &rows[1..] {
        assert_eq!((row[0], row[1], row[4]), ("\"tent.obj\"", "2", "3"));
        assert!(row[7].parse::<f64>().unwrap() > 0.0 && row[8].parse::<f64>().unwrap() > 0.0, "{row:?}");
        let far = row[2] == "intersects" && row[3] == "far";
        assert!(!far || row[5] == "0", "{row:?}");
    }
    let written = folder.sudar(&["bench", "tent.obj", "--poses", "1", "--seconds", "0.001", "-o", "b.csv"]);
    assert_eq!((written.status, written.out.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(folder.join("b.csv")).unwrap().lines().count(), 25);
    let missing = folder.sudar(&["bench", "nothing.obj"]);
    assert_eq!(missing.status, 2);
    assert!(missing.err.contains("nothing.obj"), "{}", missing.err);
}
