//! Queries under budgets.

use rand::RngExt;
use sudar::effort::Budget;
use sudar::query::Work;
use sudar_testing::Random;

/// What a query answers when it may open no node, one, some, and as many as it takes, which comes with `true`.
pub fn under_budgets<T>(r: &mut Random, ask: impl Fn(&mut Work) -> T) -> [(T, bool); 4] {
    let mut whole = Work::default();
    ask(&mut whole);
    let enough = whole.statistics().nodes;
    [0, 1, r.random_range(0..=enough), enough].map(|nodes| {
        let mut work = Work::new(Budget::nodes(nodes));
        let answer = ask(&mut work);
        assert!(work.statistics().nodes <= nodes);
        (answer, nodes >= enough)
    })
}
