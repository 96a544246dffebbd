//! Compares the gradient with finite differences and the quantised network with the original, and
//! runs a training that must converge.

use std::cmp::Ordering;
use std::io::Write as _;
use std::sync::Mutex;

use chacha20::ChaCha8Rng;
use chess::notation::fen;
use chess::notation::pgn::PgnResult;
use chess::rules::{Color, Position};
use clap::Parser as _;
use engine::eval::network::KingBuckets;
use engine::eval::{Evaluation, Network};
use rand::SeedableRng;
use rand::seq::IndexedRandom;

use super::adam::{Rate, WIDTH};
use super::checkpoint;
use super::model::{NetworkShape, TrainedModel};
use super::sample::{Aim, Data, Sample};
use super::train::{TrainSettings, Trainer, mean_error};
use super::{Kings, TrainOptions, run};
use crate::line::TrainingLine;
use crate::{files, packed};

const SCALE: i32 = 250;

fn shape(kings: Kings) -> NetworkShape {
    NetworkShape {
        hidden: 2 * WIDTH,
        kings: kings.buckets(),
    }
}

/// The side with more men wins.
fn winner(position: &Position) -> PgnResult {
    let [white, black] = Color::ALL.map(|color| position.by_color(color).count());
    match white.cmp(&black) {
        Ordering::Greater => PgnResult::WhiteWins,
        Ordering::Equal => PgnResult::Draw,
        Ordering::Less => PgnResult::BlackWins,
    }
}

/// Positions of random games with results that a network can learn.
fn lines(seed: u64, count: usize) -> Vec<TrainingLine> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut position = Position::startpos();
        for _ in 0..40 {
            let Some(&m) = position.legal_moves().choose(&mut rng) else {
                break;
            };
            position = position.play_unchecked(m);
            let result = winner(&position);
            lines.push(TrainingLine {
                game: 1,
                position,
                result,
                score: None,
            });
        }
    }
    lines.truncate(count);
    lines
}

/// Samples whose targets are the results.
fn samples(lines: &[TrainingLine]) -> Vec<Sample> {
    let sample = |line: &TrainingLine| {
        let white = line.points().expect("there is a result");
        let target = match line.position.side_to_move() {
            Color::White => white,
            Color::Black => 1.0 - white,
        };
        Sample::new(&line.position, target)
    };
    lines.iter().filter_map(sample).collect()
}

#[test]
fn gradients_agree_with_finite_differences() {
    for kings in [Kings::One, Kings::Eight] {
        let mut model = TrainedModel::random(shape(kings), &mut ChaCha8Rng::seed_from_u64(1));
        let samples = &samples(&lines(1, 30))[24..];
        let error = |model: &mut TrainedModel| -> f64 {
            let count = u32::try_from(samples.len()).expect("a few");
            mean_error(model, samples) * f64::from(count)
        };
        let mut learned = model.clone();
        let learned_error = learned.learn(|index| &samples[index], samples.len());
        assert!((learned_error - error(&mut model)).abs() < 1e-5);
        let (mut tried, mut moved) = (0, 0);
        let rows = model.slabs[1].parameters.numbers.len();
        let gradients = learned.slabs[1].parameter_gradients();
        assert_eq!(gradients.len(), rows);
        // Every 41st parameter, of all layers.
        for index in (0..rows * WIDTH).step_by(83) {
            let (row, column) = (index / WIDTH, index % WIDTH);
            let shifted = |by: f32| {
                let mut other = model.clone();
                other.slabs[1].parameters.numbers[row].0[column] += by;
                other.fold();
                error(&mut other)
            };
            let derivative = f64::from(gradients[row].0[column]);
            if derivative == 0.0 && index % 20 != 0 {
                continue;
            }
            let difference = (shifted(0.01) - shifted(-0.01)) / 0.02;
            assert!(
                (difference - derivative).abs() < 3e-3 + 0.05 * derivative.abs(),
                "{row}, {column}: {derivative}, by differences {difference}"
            );
            tried += 1;
            moved += usize::from(derivative != 0.0);
        }
        assert!(tried > 40 && moved > 10, "{tried}, {moved}");
    }
}

#[test]
fn the_rows_of_all_buckets_learn_from_each() {
    let data = samples(&lines(5, 1000));
    let mut model = TrainedModel::random(shape(Kings::Eight), &mut ChaCha8Rng::seed_from_u64(1));
    let before = mean_error(&mut model, &data);
    for step in 1..=40 {
        model.learn(|index| &data[index], data.len());
        model.step(Rate::new(0.003, step, data.len()));
    }
    let after = mean_error(&mut model, &data);
    assert!(after < before / 2.0, "{before} to {after}");
    model.fold();
    // Folding afresh changes nothing.
    let folded = mean_error(&mut model, &data);
    assert!((folded - after).abs() < 1e-15, "{folded}, {after}");
}

#[test]
fn training_depends_on_neither_threads_nor_interruption_and_agrees_with_the_engine() {
    let data = Data {
        training: samples(&lines(2, 12_000)),
        hold_out: samples(&lines(3, 600)),
    };
    let settings = TrainSettings {
        seed: 1,
        epochs: 4,
        batch: 128,
        rate: 0.003,
    };
    let path = std::env::temp_dir().join(format!("checkpoint-{}", std::process::id()));
    let path = path.to_str().expect("a path in UTF-8");
    let with = |threads: usize, resumed: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("threads");
        pool.install(|| {
            let mut trainer = Trainer::new(shape(Kings::Four), 1);
            if resumed {
                checkpoint::read(path, &[7; 32], &mut trainer).expect("it was written");
                assert_eq!(trainer.epochs, 2);
            }
            trainer
                .run(&data, settings, |trainer, errors| match errors.epoch {
                    2 => checkpoint::write(path, &[7; 32], trainer),
                    _ => Ok(()),
                })
                .expect("files can be written");
            trainer.model
        })
    };
    let numbers = |model: &TrainedModel| -> Vec<_> {
        let slabs = model.slabs.iter().map(|slab| slab.parameters.clone());
        slabs.chain([model.output_bias.clone()]).collect()
    };
    let mut model = with(1, false);
    assert_eq!(numbers(&model), numbers(&with(3, true)));
    let mut other = Trainer::new(shape(Kings::Four), 1);
    let fault = checkpoint::read(path, &[8; 32], &mut other).expect_err("another training");
    assert!(
        fault
            .to_string()
            .contains("not a checkpoint of this training")
    );
    files::remove(path).expect("it was there");
    let mut untaught = Trainer::new(shape(Kings::Four), 1).model;
    let [before, after] =
        [&mut untaught, &mut model].map(|model| mean_error(model, &data.hold_out));
    assert!(after < before / 2.0, "{before} to {after}");
    agrees_in_the_engine(&mut model);

    // Starting from a network continues it, but for the rounding of its weights.
    let mut again = Trainer::new(shape(Kings::Four), 2).model;
    again.start_from(&model.quantized(SCALE));
    for (found, expected) in again
        .points(&data.hold_out)
        .iter()
        .zip(model.points(&data.hold_out))
    {
        assert!(
            (found - expected).abs() < 0.03,
            "{found}, expected {expected}"
        );
    }
}

/// The engine's integer arithmetic predicts nearly the same points.
fn agrees_in_the_engine(model: &mut TrainedModel) {
    let network = Network::new(model.quantized(SCALE));
    let lines = lines(4, 300);
    let samples = samples(&lines);
    assert_eq!(samples.len(), lines.len());
    for (line, expected) in lines.iter().zip(model.points(&samples)) {
        let value = f64::from(network.evaluate(&line.position)) / f64::from(SCALE);
        let points = 1.0 / (1.0 + (-value).exp());
        assert!(
            (points - f64::from(expected)).abs() < 0.03,
            "{}: {points}, expected {expected}",
            fen::write(&line.position)
        );
    }
}

#[test]
fn a_target_is_of_the_score_those_after_it_and_the_result() {
    let mut bytes = Vec::new();
    for (index, text) in [
        "1;4k3/p7/8/8/8/8/P7/3K4 w - - 0 1;1-0;0",
        "1;4k3/8/p7/8/8/8/P7/3K4 b - - 0 1;*;-500",
        "1;4k3/8/p7/8/8/8/P7/3K4 b - - 0 1;1-0;0",
        "1;4k3/8/p7/8/8/P7/8/3K4 w - - 0 1;1-0;500",
    ]
    .into_iter()
    .enumerate()
    {
        let line: TrainingLine = text.parse().expect("a line");
        bytes.extend(packed::pack(&line, index == 0).expect("it fits"));
    }
    let aim = Aim {
        lambda: 0.25,
        smooth: 0.5,
        scale: 250.0,
    };
    let mut data = Data::default();
    data.read("x", bytes.as_slice(), aim).expect("valid");
    data.training.extend(data.hold_out);
    let found: Vec<f32> = data.training.iter().map(|sample| sample.target).collect();
    let won = 0.880_797; // 500 centipawns
    let last = 0.75 * won + 0.25;
    let third = 0.75 * (0.25 + won / 2.0) + 0.25;
    let first = 0.75 * (0.375 + won / 4.0) + 0.25;
    let expected = [first, won, 1.0 - third, last];
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found - expected).abs() < 1e-5,
            "{found}, expected {expected}"
        );
    }
    assert_eq!((found.len(), KingBuckets::ONE.count()), (4, 1));
}

#[test]
fn a_training_resumes_with_the_same_positions_only() {
    #[derive(clap::Parser)]
    struct Arguments {
        #[command(flatten)]
        options: TrainOptions,
    }

    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, score: i32| {
        let pack = |line: TrainingLine| {
            let score = Some(score);
            packed::pack(&TrainingLine { score, ..line }, true).expect("it fits")
        };
        let bytes: Vec<u8> = lines(6, 200).into_iter().flat_map(pack).collect();
        let path = path(name);
        files::write(&path, |file| {
            file.write_all(&bytes).map_err(files::at(&path))
        })
        .expect("new");
    };
    write("one.bin", 20);
    write("moved.bin", 20);
    write("other.bin", 30);
    // What is reported, and the error if there is one.
    let train = |name: &str| {
        let (file, out) = (path(name), path("new.net"));
        let words = ["trainer", &file, "-o", &out, "--epochs=1", "--hidden=64"];
        let arguments = Arguments::try_parse_from(words).expect("sound");
        let said = Mutex::new(String::new());
        let say = |text: &str| *said.lock().expect("one thread") += text;
        let error = run(&arguments.options, &say).err();
        let said = said.into_inner().expect("one thread");
        (
            said,
            error.map_or_else(String::new, |error| error.to_string()),
        )
    };
    let resumed = "resumed after epoch 1";

    // The network cannot replace a folder, which interrupts the training after its last epoch.
    std::fs::create_dir(path("new.net")).expect("a folder");
    let (said, error) = train("one.bin");
    assert!(
        !said.contains(resumed) && error.contains("new.net: "),
        "{error}"
    );
    let (said, error) = train("other.bin");
    assert!(
        !said.contains(resumed) && error.contains("not a checkpoint of this"),
        "{error}"
    );
    std::fs::remove_dir(path("new.net")).expect("empty");
    let (said, error) = train("moved.bin");
    assert!(said.contains(resumed) && error.is_empty(), "{error}");
}
