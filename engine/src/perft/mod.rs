//! Counting.
use crate::rules::Position;
/// Counts.
///
/// # Errors
/// Never.
pub fn count(p: &Position, d: u32) -> Result<u64, std::convert::Infallible> { if d==0 {return Ok(1)} if d==1 {return Ok(u64::from(p.legal_move_count()))} Ok(p.legal_moves().into_iter().map(|m| count(&p.play_unchecked(m), d-1).unwrap()).sum()) }
