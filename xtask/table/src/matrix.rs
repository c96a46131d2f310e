//! How are matrices multiplied so that every machine gets the same bytes?
//!
//! Each element of a product is summed over the inner dimension in order, with a separate multiplication and addition: the
//! compiler may take many columns at once, but it may not change what one column gets.

/// Rows of numbers, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) values: Vec<f32>,
}

impl Matrix {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: vec![0.0; rows * columns] }
    }

    pub(crate) fn row(&self, row: usize) -> &[f32] {
        self.values.get(row * self.columns..(row + 1) * self.columns).unwrap_or_default()
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        self.values.get_mut(row * self.columns..(row + 1) * self.columns).unwrap_or_default()
    }

    pub(crate) fn transposed(&self) -> Self {
        let mut turned = Self::zeros(self.columns, self.rows);
        for (row, values) in self.values.chunks_exact(self.columns.max(1)).enumerate() {
            for (column, value) in values.iter().enumerate() {
                if let Some(place) = turned.values.get_mut(column * self.rows + row) {
                    *place = *value;
                }
            }
        }
        turned
    }
}

/// Columns that are summed side by side.
const WIDE: usize = 16;
/// Rows that share one pass over a panel.
const TALL: usize = 6;

/// The right side of a product, laid out in panels of columns.
pub(crate) struct Panels {
    inner: usize,
    columns: usize,
    values: Vec<[f32; WIDE]>,
}

impl Panels {
    pub(crate) fn of(matrix: &Matrix) -> Self {
        let count = matrix.columns.div_ceil(WIDE);
        let mut values = vec![[0.0; WIDE]; count * matrix.rows];
        for (panel, rows) in values.chunks_exact_mut(matrix.rows.max(1)).enumerate() {
            for (row, place) in rows.iter_mut().enumerate() {
                let from = matrix.row(row).get(panel * WIDE..).unwrap_or_default();
                place.iter_mut().zip(from).for_each(|(place, value)| *place = *value);
            }
        }
        Self { inner: matrix.rows, columns: matrix.columns, values }
    }

    /// `left` times this.
    pub(crate) fn after(&self, left: &Matrix) -> Matrix {
        assert_eq!(left.columns, self.inner, "the inner dimensions of a product agree");
        let mut product = Matrix::zeros(left.rows, self.columns);
        let blocks =
            left.values.chunks(TALL * self.inner).zip(product.values.chunks_mut(TALL * self.columns));
        let mut turned = vec![[0.0; TALL]; self.inner];
        for (rows, out) in blocks {
            for (row, values) in rows.chunks_exact(self.inner).enumerate() {
                for (place, value) in turned.iter_mut().zip(values) {
                    place.iter_mut().skip(row).take(1).for_each(|place| *place = *value);
                }
            }
            for (panel, values) in self.values.chunks_exact(self.inner).enumerate() {
                let sums = block(&turned, values);
                for (sums, out) in sums.iter().zip(out.chunks_exact_mut(self.columns)) {
                    let place = out.get_mut(panel * WIDE..).unwrap_or_default();
                    place.iter_mut().zip(sums).for_each(|(place, sum)| *place = *sum);
                }
            }
        }
        product
    }
}

#[inline(never)]
fn block(left: &[[f32; TALL]], right: &[[f32; WIDE]]) -> [[f32; WIDE]; TALL] {
    let mut sums = [[0.0f32; WIDE]; TALL];
    for (factors, values) in left.iter().zip(right) {
        for (sums, factor) in sums.iter_mut().zip(factors) {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += factor * value);
        }
    }
    sums
}
