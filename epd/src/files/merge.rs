//! Concatenation of files.

use std::collections::{HashMap, HashSet};

use crate::files::{Document, Item};
use crate::operand::Operand;
use crate::operation::Operation;
use crate::record::Record;

/// Concatenates files; the head of each stays above its records.
pub(crate) fn concat(documents: Vec<Document>) -> Document {
    let mut all = Document::default();
    for mut document in documents {
        let mut between = std::mem::take(&mut all.tail);
        between.append(&mut document.head);
        match document.items.first_mut() {
            Some(first) if !all.items.is_empty() => first.above = between,
            Some(_) => {
                all.head.append(&mut between);
            }
            None => all.tail = between,
        }
        all.items.append(&mut document.items);
        all.tail.append(&mut document.tail);
        all.errors.append(&mut document.errors);
    }
    all
}

/// Renames each record whose `id` is already used: appends ` (2)`, or the next number that makes it
/// unique. Returns the number of renamed records.
pub(crate) fn make_ids_unique(document: &mut Document) -> usize {
    let ids = document.items.iter().filter_map(|item| item.record.id());
    let mut taken: HashSet<String> = ids.map(str::to_owned).collect();
    // Number of occurrences of each id.
    let mut met: HashMap<String, usize> = HashMap::new();
    let mut renamed = 0;
    for Item { record, .. } in &mut document.items {
        let Some(id) = record.id().map(str::to_owned) else {
            continue;
        };
        let number = met.entry(id.clone()).or_default();
        *number += 1;
        if *number == 1 {
            continue;
        }
        let mut new = format!("{id} ({number})");
        while !taken.insert(new.clone()) {
            *number += 1;
            new = format!("{id} ({number})");
        }
        rename(record, &new);
        renamed += 1;
    }
    renamed
}

fn rename(record: &mut Record, id: &str) {
    let mut operations = record.operations().to_vec();
    let is_id = |operation: &&mut Operation| operation.opcode() == "id";
    if let Some(operation) = operations.iter_mut().find(is_id) {
        *operation = Operation::new_unchecked("id", vec![Operand::Text(id.to_owned())]);
    }
    record
        .set_operations(operations)
        .expect("the depths are those of a record that was read");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::parse(0, "x", text.as_bytes())
    }

    fn record(id: &str) -> String {
        format!("4k3/8/8/8/8/8/8/4K3 w - - id \"{id}\";\n")
    }

    #[test]
    fn keeps_order_and_comments() {
        let texts = [
            format!("# one\n{}# end of one\n", record("a")),
            "# no records\n".to_owned(),
            format!("# two\n{}", record("b")),
        ];
        let merged = concat(texts.iter().map(|text| document(text)).collect());
        assert_eq!(merged.to_string(), texts.concat());
        let merged = concat(vec![document("# no records\n"), document(&texts[0])]);
        assert_eq!(merged.to_string(), format!("# no records\n{}", texts[0]));
    }

    #[test]
    fn ids_are_made_unique() {
        let ids = ["a", "a (2)", "b", "a", "a"];
        let mut merged = document(&ids.map(record).concat());
        assert_eq!(make_ids_unique(&mut merged), 2);
        let ids: Vec<_> = merged
            .items
            .iter()
            .filter_map(|item| item.record.id())
            .collect();
        assert_eq!(ids, ["a", "a (2)", "b", "a (3)", "a (4)"]);
    }
}
