/// How labels are aggregated to probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// Vote shares.
    Majority,
    /// One probability of being correct per worker; all wrong labels are equally likely.
    OneCoin,
    /// Dawid and Skene's model: a confusion matrix per worker.
    DawidSkene,
}

/// Stopping criteria of expectation-maximisation. The defaults are those of crowd-kit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Maximum number of iterations; 0 gives the vote shares.
    pub iterations: u32,
    /// Stop when the bound per label grows by less than this.
    pub tolerance: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            iterations: 100,
            tolerance: 1e-5,
        }
    }
}
