/// A matrix of numbers, stored row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    width: usize,
    cells: Vec<f64>,
}

impl Rows {
    pub(super) fn zeros(height: usize, width: usize) -> Self {
        Self {
            width,
            cells: vec![0.0; height * width],
        }
    }

    /// One row.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.cells[index * self.width..(index + 1) * self.width]
    }

    pub(super) fn row_mut(&mut self, index: usize) -> &mut [f64] {
        &mut self.cells[index * self.width..(index + 1) * self.width]
    }

    /// The rows in order; none if their width is 0.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.cells.chunks_exact(self.width.max(1))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        self.cells.chunks_exact_mut(self.width.max(1))
    }

    pub(super) fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The mean of the rows.
    pub(super) fn mean(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        let mut height = 0.0;
        for row in self.iter() {
            add(&mut sums, row);
            height += 1.0;
        }
        for sum in &mut sums {
            *sum /= height;
        }
        sums
    }
}

/// Adds a row to another of the same width.
pub(super) fn add(sums: &mut [f64], row: &[f64]) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += number;
    }
}
