//! What those see who look.

use super::Bed;

pub(crate) fn results_are_read_on(bed: &Bed<'_>) {
    let job = bed.put_job(7, 2);
    let worker = bed.worker("one");
    assert!(
        bed.broker
            .results(&job.id, 0, 10)
            .expect("a job")
            .is_empty()
    );
    let mut read = Vec::new();
    let mut after = 0;
    while let Some(held) = bed.lease(&worker) {
        let leased = |state: &queue::JobState| (state.job.id == job.id).then_some(state.leased);
        let jobs = bed.broker.jobs().expect("all jobs");
        assert_eq!(jobs.iter().find_map(leased), Some(1));
        bed.done(&held);
        // Less than there is: the rest comes with the next.
        for result in bed.broker.results(&job.id, after, 1).expect("a job") {
            assert!(result.number > after);
            after = result.number;
            read.push(result);
        }
    }
    assert_eq!(read.len(), 4);
    let rest = bed.broker.results(&job.id, after, u32::MAX).expect("a job");
    read.extend(rest);
    let keys: Vec<u64> = read.iter().map(|result| result.key).collect();
    assert_eq!(keys, [0, 1, 2, 3, 4, 5, 6]);
    assert!(read.is_sorted_by(|one, next| one.number < next.number));
    assert_eq!(bed.broker.results(&job.id, 0, 100).expect("a job"), read);
    assert!(
        bed.broker
            .results(&job.id, u64::MAX, 1)
            .expect("a job")
            .is_empty()
    );
    assert!(bed.broker.results(&job.id, 0, 0).expect("a job").is_empty());
    let workers = bed.broker.workers().expect("all workers");
    assert!(workers.is_sorted_by(|one, next| one.worker.name < next.worker.name));
    let state = workers.iter().find(|state| state.worker.name == worker);
    let state = state.expect("it is known");
    assert_eq!((state.units, &*state.worker.about), (7, "a test"));
    assert_eq!(state.quarantined, None);
    assert!(state.silent_ms < 60_000);
}
