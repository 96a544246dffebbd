//! Writes probabilities as CSV.

use super::Labels;

/// Writes the columns `task`, `label` and `probability`: one row per task and label, tasks in order
/// of first occurrence, labels in byte order.
///
/// Numbers have as many digits as needed to read back the same `f64`. `probability` receives the
/// indices of task and label.
pub fn write_probabilities(labels: &Labels, probability: impl Fn(usize, usize) -> f64) -> Vec<u8> {
    let order = labels.names().sorted();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut row = |fields: [&str; 3]| {
        writer
            .write_record(fields)
            .expect("memory takes rows of three fields");
    };
    row(["task", "label", "probability"]);
    for (task, name) in labels.tasks().texts().iter().enumerate() {
        for &label in &order {
            let number = format!("{:?}", probability(task, label));
            row([name, &labels.names().texts()[label], &number]);
        }
    }
    writer.into_inner().expect("memory can be flushed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_numbers_read_back() {
        let mut labels = Labels::default();
        for (task, label) in [("z", "no"), ("a,\"b\"", "a")] {
            labels.push(task, "w", label).expect("no conflict");
        }
        let numbers = [[0.1 + 0.2, 1e-300], [1.0, 0.0]];
        let text = write_probabilities(&labels, |task, label| numbers[task][label]);
        assert_eq!(
            String::from_utf8(text).expect("text"),
            "task,label,probability\nz,a,1e-300\nz,no,0.30000000000000004\n\
             \"a,\"\"b\"\"\",a,0.0\n\"a,\"\"b\"\"\",no,1.0\n"
        );
    }
}
