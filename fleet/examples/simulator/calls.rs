//! What a simulated worker calls.

use fleet::model::WorkerIdentity;
use fleet::store::work::Work;
use queue::wire::{LeaseBody, LeaseRequest};
use queue::{Standing, UnitResult};

/// The queue itself, or a server.
pub(crate) trait Calls: Clone + Send + Sync + 'static {
    fn lease(
        &self,
        worker: &WorkerIdentity,
        request: &LeaseRequest,
    ) -> impl Future<Output = anyhow::Result<Option<LeaseBody>>> + Send;

    fn heartbeat(
        &self,
        worker: &WorkerIdentity,
        token: &str,
        visibility_ms: u64,
    ) -> impl Future<Output = anyhow::Result<Standing>> + Send;

    fn complete(
        &self,
        worker: &WorkerIdentity,
        token: &str,
        results: &[UnitResult],
    ) -> impl Future<Output = anyhow::Result<()>> + Send;
}

impl Calls for Work {
    async fn lease(
        &self,
        worker: &WorkerIdentity,
        request: &LeaseRequest,
    ) -> anyhow::Result<Option<LeaseBody>> {
        Ok(Work::lease(self, worker, request).await?)
    }

    async fn heartbeat(
        &self,
        worker: &WorkerIdentity,
        token: &str,
        visibility_ms: u64,
    ) -> anyhow::Result<Standing> {
        Ok(Work::heartbeat(self, worker, token, visibility_ms).await?)
    }

    async fn complete(
        &self,
        worker: &WorkerIdentity,
        token: &str,
        results: &[UnitResult],
    ) -> anyhow::Result<()> {
        Ok(Work::complete(self, worker, token, results).await?)
    }
}
