//! Determines which tables can be probed, given that each depends on others. Pure.

use std::collections::HashSet;

use crate::material::Material;

/// The materials for which tables were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Those with a WDL table (`*.rtbw`).
    pub(super) wdl: HashSet<Material>,
    /// Those with a DTZ table (`*.rtbz`).
    pub(super) dtz: HashSet<Material>,
}

/// The materials that can be probed, each with both colourings.
#[derive(Clone, Debug)]
pub(super) struct Inventory {
    pub(super) wdl: HashSet<Material>,
    pub(super) dtz: HashSet<Material>,
    /// Number of usable WDL tables.
    pub(super) tables: usize,
    /// Maximum number of pieces of a usable table, kings included; 0 if there is none.
    pub(super) most_pieces: u32,
}

impl Inventory {
    /// Computes what can be probed with the tables found: WDL needs all tables that the material's
    /// captures lead to, DTZ also those that its promotions lead to.
    pub(super) fn new(found: &Found) -> Self {
        let mut candidates: Vec<Material> = found.wdl.iter().copied().collect();
        candidates.sort_by_key(|material| material.pieces());
        let mut wdl = HashSet::from([Material::BARE]);
        let (mut tables, mut most_pieces) = (0, 0);
        for material in candidates {
            let needed = material.after_captures();
            if needed.iter().all(|needed| wdl.contains(needed)) {
                wdl.extend([material, material.exchanged()]);
                tables += 1;
                most_pieces = material.pieces();
            }
        }
        let has_distances = |material: &&Material| {
            let is_found =
                found.dtz.contains(material) || found.dtz.contains(&material.exchanged());
            let needed = material.after_promotions();
            **material == Material::BARE || is_found && needed.iter().all(|it| wdl.contains(it))
        };
        let dtz = wdl.iter().filter(has_distances).copied().collect();
        Self {
            wdl,
            dtz,
            tables,
            most_pieces,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> HashSet<Material> {
        let material = |name: &&str| Material::from_name(name).expect("a name");
        names.iter().map(material).collect()
    }

    fn inventory(wdl: &[&str], dtz: &[&str]) -> Inventory {
        Inventory::new(&Found {
            wdl: set(wdl),
            dtz: set(dtz),
        })
    }

    fn material(name: &str) -> Material {
        Material::from_name(name).expect("a name")
    }

    #[test]
    fn a_table_needs_those_its_captures_lead_to() {
        let partial = inventory(&["KQvK", "KQvKR", "KRPvK"], &["KQvK"]);
        assert!(partial.wdl.contains(&material("KQvK")) && partial.wdl.contains(&Material::BARE));
        assert!(partial.wdl.contains(&material("KQvK").exchanged()));
        assert!(!partial.wdl.contains(&material("KQvKR")), "KRvK is missing");
        assert!(!partial.wdl.contains(&material("KRPvK")));
        assert_eq!((partial.tables, partial.most_pieces), (1, 3));
        let more = inventory(&["KQvK", "KRvK", "KQvKR"], &[]);
        assert!(more.wdl.contains(&material("KQvKR").exchanged()));
        assert_eq!((more.tables, more.most_pieces), (3, 4));
    }

    #[test]
    fn captures_that_promote_count() {
        let without = inventory(&["KPvK", "KRvK", "KRvKP"], &[]);
        assert!(!without.wdl.contains(&material("KRvKP")));
        let all = ["KPvK", "KRvK", "KQvK", "KBvK", "KNvK", "KRvKP"];
        assert!(inventory(&all, &[]).wdl.contains(&material("KRvKP")));
    }

    #[test]
    fn dtz_needs_the_tables_after_promotions() {
        let pawn = inventory(&["KPvK", "KQvK", "KRvK", "KBvK"], &["KPvK", "KQvK", "KNvK"]);
        assert!(
            pawn.dtz.contains(&material("KQvK").exchanged()) && pawn.dtz.contains(&Material::BARE)
        );
        assert!(!pawn.dtz.contains(&material("KPvK")), "KNvK has no results");
        assert!(!pawn.dtz.contains(&material("KRvK")) && !pawn.dtz.contains(&material("KNvK")));
    }

    #[test]
    fn without_tables_nothing_can_be_probed() {
        let nothing = inventory(&[], &["KQvK"]);
        assert_eq!((nothing.tables, nothing.most_pieces), (0, 0));
    }
}
