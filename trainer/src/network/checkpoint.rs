//! Checkpoints: a training after an epoch, in a file.

use std::io::{Read, Write};

use super::adam::{Moments, NeuronColumns};
use super::train::Trainer;
use crate::files::{self, TrainerError};

const MAGIC: [u8; 8] = *b"TSTRAIN\x02";

/// Identifies the data and settings of a training: a SHA-256.
pub(super) type TrainingId = [u8; 32];

/// Writes a checkpoint of a training.
pub(super) fn write(path: &str, of: &TrainingId, trainer: &Trainer) -> Result<(), TrainerError> {
    files::write(path, |file| {
        let mut put = |bytes: &[u8]| file.write_all(bytes).map_err(files::at(path));
        put(&MAGIC)?;
        put(of)?;
        put(&trainer.epochs.to_le_bytes())?;
        put(&trainer.steps.to_le_bytes())?;
        let slabs = trainer.model.slabs.iter().map(|slab| &slab.parameters);
        for moments in slabs.chain([&trainer.model.output_bias]) {
            let Moments {
                numbers,
                means,
                squares,
            } = moments;
            for NeuronColumns(row) in numbers.iter().chain(means).chain(squares) {
                let bytes: Vec<u8> = row.iter().flat_map(|number| number.to_le_bytes()).collect();
                put(&bytes)?;
            }
        }
        Ok(())
    })
}

/// Continues a training from a checkpoint.
pub(super) fn read(path: &str, of: &TrainingId, trainer: &mut Trainer) -> Result<(), TrainerError> {
    let mut file = files::open(path)?;
    if take(&mut file, path)? != MAGIC || take(&mut file, path)? != *of {
        let path = path.to_owned();
        return Err(TrainerError::Checkpoint { path });
    }
    trainer.epochs = u32::from_le_bytes(take(&mut file, path)?);
    trainer.steps = u64::from_le_bytes(take(&mut file, path)?);
    let model = &mut trainer.model;
    let slabs = model.slabs.iter_mut().map(|slab| &mut slab.parameters);
    for moments in slabs.chain([&mut model.output_bias]) {
        let Moments {
            numbers,
            means,
            squares,
        } = moments;
        for NeuronColumns(row) in numbers.iter_mut().chain(means).chain(squares) {
            for number in row {
                *number = f32::from_le_bytes(take(&mut file, path)?);
            }
        }
    }
    // The sums of the rows are not in the file.
    model.fold();
    Ok(())
}

/// The next bytes of a file.
fn take<const N: usize>(file: &mut impl Read, path: &str) -> Result<[u8; N], TrainerError> {
    let mut bytes = [0; N];
    file.read_exact(&mut bytes).map_err(files::at(path))?;
    Ok(bytes)
}
