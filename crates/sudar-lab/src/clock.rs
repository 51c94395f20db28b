//! A clock for measurements, which is given from outside: no rule of a demo depends on it.

/// Seconds since some moment; `None`: nothing is measured, and all times are 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Clock(pub Option<fn() -> f64>);

impl Clock {
    /// Seconds since some moment.
    pub fn now(self) -> f64 {
        self.0.map_or(0.0, |clock| clock())
    }

    /// What something gives, and the seconds that it took.
    pub fn timed<T>(self, work: impl FnOnce() -> T) -> (T, f64) {
        let start = self.now();
        let result = work();
        (result, self.now() - start)
    }
}
