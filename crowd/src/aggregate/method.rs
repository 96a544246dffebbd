/// How labels are made into probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// The share of votes.
    Majority,
    /// Each worker is right with a probability of his own, and else says any other label.
    OneCoin,
    /// Each worker has a probability for each label that he says given each that is true.
    DawidSkene,
}

/// When expectation-maximisation ends. The default is that of crowd-kit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// It ends after so many iterations, whatever has come of them; after none there is the share of votes.
    pub iterations: u32,
    /// It ends when the bound per label grows by less.
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
