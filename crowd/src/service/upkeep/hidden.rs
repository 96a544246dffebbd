//! Draws the open positions that measure people without their knowledge: hidden gold.
//!
//! They are drawn among the open positions themselves, by chance alone, so that there is nothing by
//! which to recognise them: anything derived from a certified position could be compared with the
//! public test cases, up to symmetry.

use chacha20::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use crate::model::PositionState;
use crate::service::core::on_a_thread;
use crate::service::{Service, ServiceError};
use crate::trust::agreed_answer;

impl Service {
    /// Draws for each open position once whether it is hidden gold. Where the two generators
    /// differ, it is not.
    pub(super) async fn draw_hidden(&self) -> Result<(), ServiceError> {
        if self.are_positions_new().await? {
            self.read_positions().await?;
        }
        let positions = self.positions();
        let share = self.settings().hidden_share;
        let mut rng = ChaCha8Rng::seed_from_u64(self.draw());
        let drawn = on_a_thread(move || {
            let new = positions
                .all()
                .filter(|known| known.state == PositionState::Open && !known.is_drawn);
            let drawn = new.map(|known| {
                let is_chosen = rng.random::<f64>() < share;
                let is_hidden = is_chosen && agreed_answer(&known.position).is_some();
                (known.id, is_hidden)
            });
            drawn.collect::<Vec<(i64, bool)>>()
        });
        let drawn = drawn.await?;
        if drawn.is_empty() {
            return Ok(());
        }
        // What was not chosen is stored, too, so that it is not drawn again.
        for hidden in [true, false] {
            let those = drawn.iter().filter(|(_, is_hidden)| *is_hidden == hidden);
            let ids: Vec<i64> = those.map(|(id, _)| *id).collect();
            self.store().set_hidden(&ids, hidden).await?;
        }
        self.read_positions().await
    }
}
