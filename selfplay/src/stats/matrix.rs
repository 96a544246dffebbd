//! Symmetric positive definite matrices.

/// The lower triangular Cholesky factor `L`, where the matrix is `L` times its transpose.
pub(crate) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Matrix {
    pub(crate) size: usize,
    pub(crate) cells: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zero(size: usize) -> Self {
        let cells = vec![0.0; size * size];
        Self { size, cells }
    }

    /// Adds `value * row * row^T`, where `row` has these few cells and is 0 elsewhere.
    pub(crate) fn add_outer(&mut self, row: &[(usize, f64)], value: f64) {
        for &(i, a) in row {
            for &(j, b) in row {
                self.cells[i * self.size + j] += value * a * b;
            }
        }
    }

    /// `None` if the matrix is not positive definite.
    pub(crate) fn cholesky(&self) -> Option<Cholesky> {
        let n = self.size;
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let row_i = &lower[i * n..i * n + j];
                let row_j = &lower[j * n..j * n + j];
                let dot: f64 = row_i.iter().zip(row_j).map(|(a, b)| a * b).sum();
                let rest = self.cells[i * n + j] - dot;
                lower[i * n + j] = if i != j {
                    rest / lower[j * n + j]
                } else if rest > 0.0 {
                    libm::sqrt(rest)
                } else {
                    return None;
                };
            }
        }
        Some(Cholesky { size: n, lower })
    }
}

impl Cholesky {
    /// Solves the linear system with this right-hand side.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        let n = self.size;
        let mut x = right.to_vec();
        for i in 0..n {
            let dot: f64 = (0..i).map(|j| self.lower[i * n + j] * x[j]).sum();
            x[i] = (x[i] - dot) / self.lower[i * n + i];
        }
        for i in (0..n).rev() {
            let dot: f64 = (i + 1..n).map(|j| self.lower[j * n + i] * x[j]).sum();
            x[i] = (x[i] - dot) / self.lower[i * n + i];
        }
        x
    }

    /// The inverse times this matrix times the inverse.
    pub(crate) fn sandwich(&self, filling: &Matrix) -> Matrix {
        self.solve_rows(&self.solve_rows(filling))
    }

    /// Solves the system with each row on the right; the solutions are the columns of the result.
    fn solve_rows(&self, right: &Matrix) -> Matrix {
        let n = self.size;
        let mut solved = Matrix::zero(n);
        for (column, row) in right.cells.chunks_exact(n).enumerate() {
            for (line, value) in self.solve(row).into_iter().enumerate() {
                solved.cells[line * n + column] = value;
            }
        }
        solved
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandwich_of_the_matrix_is_its_inverse() {
        let mut matrix = Matrix::zero(3);
        for row in [[1.0, 2.0, 0.5], [0.0, 1.0, -1.0], [3.0, 0.0, 1.0]] {
            let row: Vec<(usize, f64)> = row.into_iter().enumerate().collect();
            matrix.add_outer(&row, 2.0);
        }
        let inverse = matrix
            .cholesky()
            .expect("positive definite")
            .sandwich(&matrix);
        for i in 0..3 {
            for j in 0..3 {
                let cell: f64 = (0..3)
                    .map(|k| matrix.cells[i * 3 + k] * inverse.cells[k * 3 + j])
                    .sum();
                let expected = f64::from(u8::from(i == j));
                assert!((cell - expected).abs() < 1e-12, "{i}, {j}: {cell}");
            }
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_root() {
        let mut matrix = Matrix::zero(2);
        matrix.add_outer(&[(0, 1.0), (1, -1.0)], 1.0);
        assert!(matrix.cholesky().is_none());
    }
}
