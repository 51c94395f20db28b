//! Everything the library does, as a dependant's plain `cargo run` compiles it, on threads with a stack of
//! 512 kB: once called from a thread of its own, and once from within the pool.

mod shapes;
mod verbs;
mod worlds;

use std::error::Error;
use std::time::Instant;

/// What each part returns.
pub type Done = Result<(), Box<dyn Error + Send + Sync>>;

/// A name and what it runs.
type Part = (&'static str, fn() -> Done);

const STACK: usize = 512 << 10;

fn main() -> Done {
    rayon::ThreadPoolBuilder::new().stack_size(STACK).build_global()?;
    let caller = std::thread::Builder::new().stack_size(STACK).spawn(|| run("one thread"))?;
    caller.join().map_err(|_| "the thread panicked")??;
    rayon::join(|| run("in the pool"), || ()).0
}

fn run(place: &str) -> Done {
    let parts: [Part; 6] = [
        ("verbs", verbs::all),
        ("sweeps", verbs::sweeps),
        ("hulls, volumes and masses", verbs::of_points),
        ("broad phases", worlds::broad_phases),
        ("scenes", worlds::scenes),
        ("rigid bodies", worlds::rigid_bodies),
    ];
    for (name, part) in parts {
        let start = Instant::now();
        part().map_err(|error| format!("{name}: {error}"))?;
        println!("{place}: {name} in {:.1} s", start.elapsed().as_secs_f64());
    }
    Ok(())
}
