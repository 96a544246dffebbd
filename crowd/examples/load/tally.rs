use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

/// What was asked, how long each answer took, and what went wrong.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Of each kind of request, how long each took.
    pub took: BTreeMap<&'static str, Vec<Duration>>,
    pub errors: Vec<String>,
}

impl Tally {
    pub(crate) fn note(&mut self, kind: &'static str, took: Duration) {
        self.took.entry(kind).or_default().push(took);
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (kind, took) in other.took {
            self.took.entry(kind).or_default().extend(took);
        }
        self.errors.extend(other.errors);
    }

    pub(crate) fn report(&self, whole: Duration) -> String {
        let mut all: Vec<Duration> = self.took.values().flatten().copied().collect();
        let mut text = String::from("request       count    p50 ms    p99 ms    max ms\n");
        for (kind, took) in &self.took {
            line(&mut text, kind, &mut took.clone());
        }
        line(&mut text, "all", &mut all);
        let seconds = whole.as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "a rate is rounded")]
        let rate = all.len() as f64 / seconds.max(f64::EPSILON);
        let _ = write!(
            text,
            "{seconds:.1} s, {rate:.0} requests/s, {} errors",
            self.errors.len()
        );
        for error in self.errors.iter().take(5) {
            let _ = write!(text, "\nerror: {error}");
        }
        text
    }
}

fn line(text: &mut String, kind: &str, took: &mut [Duration]) {
    took.sort_unstable();
    let at = |percent: usize| {
        let index = (took.len() * percent).div_ceil(100).saturating_sub(1);
        took.get(index).map_or(0.0, |t| t.as_secs_f64() * 1000.0)
    };
    let (p50, p99, max) = (at(50), at(99), at(100));
    let count = took.len();
    let _ = writeln!(
        text,
        "{kind:<10}{count:>9}{p50:>10.2}{p99:>10.2}{max:>10.2}"
    );
}
