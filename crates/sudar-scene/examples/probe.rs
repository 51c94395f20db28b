fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: u32 = args[2].parse().unwrap();
    let scene = match args[1].as_str() {
        "bridge" => sudar_scene::bridge(n),
        "ropes" => sudar_scene::ropes(n, 60),
        "net" => sudar_scene::net(n),
        "ragdolls" => sudar_scene::ragdolls(n),
        "cars" => sudar_scene::cars(n),
        _ => sudar_scene::crane(n),
    }
    .unwrap();
    let mut world = scene.world().unwrap();
    let steps: u32 = args[3].parse().unwrap();
    let start = std::time::Instant::now();
    let (mut gap, mut twist) = (0.0_f64, 0.0_f64);
    for k in 0..steps {
        if k + 1 == steps {
            eprintln!("LAST");
        }
        let report = world.step(1.0 / 60.0).unwrap();
        gap = gap.max(report.gap);
        twist = twist.max(report.twist);
        if args.len() > 4 && k % 30 == 29 {
            println!(
                "{k} gap {:.2e} twist {:.2e} energy {} asleep {}",
                report.gap,
                report.twist,
                world.energy().total(),
                world.bodies().filter(|(b, _)| world.is_asleep(*b).unwrap()).count()
            );
        }
    }
    println!(
        "{} ms a step, gap {gap:e} twist {twist:e}",
        start.elapsed().as_secs_f64() * 1e3 / f64::from(steps)
    );
}
