//! A curve of any length in bounded memory.

use crate::report::run::summary::CoursePoint;

/// Maximum number of points of a curve; more than a page is wide.
const MOST_POINTS: usize = 512;

/// Every n-th point, and the last.
#[derive(Clone, Debug)]
pub(super) struct Course {
    stride: u64,
    points: Vec<CoursePoint>,
    last: Option<CoursePoint>,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            stride: 1,
            points: Vec::new(),
            last: None,
        }
    }
}

impl Course {
    /// Appends a point.
    pub(super) fn push(&mut self, point: CoursePoint) {
        self.last = Some(point);
        if !point.pairs.is_multiple_of(self.stride) {
            return;
        }
        self.points.push(point);
        if self.points.len() >= MOST_POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.points
                .retain(|point| point.pairs.is_multiple_of(stride));
        }
    }

    /// The points that were kept.
    pub(super) fn points(&self) -> Vec<CoursePoint> {
        let mut points = self.points.clone();
        points.extend(self.last.filter(|last| points.last() != Some(last)));
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;

    #[test]
    fn long_curves_are_thinned_evenly_to_the_end() {
        let mut course = Course::default();
        for pairs in 1..=100_001 {
            let elo = Estimate {
                value: 0.0,
                lower: -1.0,
                upper: 1.0,
            };
            let llr = None;
            course.push(CoursePoint { pairs, elo, llr });
            if pairs == 300 {
                assert_eq!(course.points().len(), 300, "short curves are kept whole");
            }
        }
        let points = course.points();
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&points.len()));
        assert_eq!(points.last().map(|point| point.pairs), Some(100_001));
        let steps: Vec<u64> = points
            .windows(2)
            .map(|two| two[1].pairs - two[0].pairs)
            .collect();
        assert!(
            steps[..steps.len() - 1]
                .iter()
                .all(|&step| step == steps[0])
        );
    }
}
