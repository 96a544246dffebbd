use super::rows::Rows;
use super::votes::Votes;

/// The vote share of each label of a task; known answers have probability 1.
pub(super) fn majority(votes: &Votes) -> Rows {
    let mut shares = Rows::zeros(votes.tasks, votes.labels);
    for given in votes.given {
        shares.row_mut(given.task)[given.label] += 1.0;
    }
    for row in shares.iter_mut() {
        let sum: f64 = row.iter().sum();
        for share in row {
            *share /= sum;
        }
    }
    votes.clamp(&mut shares);
    shares
}
