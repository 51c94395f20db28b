//! What pages say of the systems in numbers, from the table.

use crate::output::finding::say;
use crate::output::table::{Table, Tables};
use crate::plan::Result;

fn cell(table: &Table, gap: &str, system: &str, column: &str) -> Result<String> {
    table.number(&[("models", "cars"), ("gap", gap), ("system", system)], column).map(say)
}

/// Tests of volumes and of triangles at a gap.
fn pair(tables: &Tables, gap: &str, system: &str) -> Result<[String; 2]> {
    let table = tables.get("systems")?;
    let tests = |column| cell(table, gap, system, column);
    Ok([tests("volume_tests")?, tests("triangle_tests")?])
}

/// Tests of a system on the two cars at each gap.
pub fn tests(tables: &Tables, system: &str) -> Result<String> {
    let [[near, near_triangles], close, inside] =
        [pair(tables, "near", system)?, pair(tables, "close", system)?, pair(tables, "inside", system)?];
    Ok(format!(
        "{near} pairs of volumes and {near_triangles} of triangles at a gap of 2 %, {} at 0.1 % to tell them apart, and {} until \
         the first hit where they overlap",
        close.join(" and "),
        inside.join(" and ")
    ))
}

/// Tests and memory of a system beside those of the engine.
pub fn beside_engine(tables: &Tables, system: &str) -> Result<String> {
    let table = tables.get("systems")?;
    let engine = |gap| cell(table, gap, "sudar", "volume_tests");
    let bytes = |system| cell(table, "near", system, "bytes_per_triangle");
    Ok(format!(
        "On two cars of 905 and 878 triangles it tests {}; the engine {}, {} and {} nodes of eight. {} bytes a triangle, the \
         engine {}.",
        tests(tables, system)?,
        engine("near")?,
        engine("close")?,
        engine("inside")?,
        bytes(system)?,
        bytes("sudar")?
    ))
}

/// All systems on the two cars, as a table of a page.
pub fn table(tables: &Tables) -> Result<String> {
    let systems = tables.get("systems")?.texts(&[("models", "cars"), ("gap", "near")], "system")?;
    let row = |system| -> Result<String> {
        let [near, inside] = ["near", "inside"].map(|gap| pair(tables, gap, system));
        Ok(format!("| {system} | {} | {} |", near?.join(" / "), inside?.join(" / ")))
    };
    let rows = systems.into_iter().map(row).collect::<Result<Vec<_>>>()?;
    Ok(format!("| system | near (2 %) | inside |\n|---|---|---|\n{}", rows.join("\n")))
}
