use std::time::Instant;
fn main() { sudar::convex::bench_epa(&|f: &mut dyn FnMut()| { let mut best = f64::INFINITY; for _ in 0..40 { let t = Instant::now(); f(); best = best.min(t.elapsed().as_secs_f64()); } best }); }
