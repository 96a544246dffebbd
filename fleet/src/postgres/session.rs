//! One connection. Every call ends by its answer, by the end of the connection, or by its deadline.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row, Socket};

use super::fault::Fault;
use super::target::Target;
use super::tls::connector;
use crate::BrokerError;

/// Somewhat more than the server takes, so that it is the server that ends a call; this is for one
/// that does not even do that.
const DEADLINE: Duration = Duration::from_secs(40);
/// All of it: the name, the connection, TLS, the password.
const TO_CONNECT: Duration = Duration::from_secs(15);

pub(super) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

#[derive(Debug)]
pub(super) struct Session {
    client: Client,
    /// Drives this connection, and only while a call waits. Taken when dropped.
    runtime: Option<Runtime>,
}

impl Session {
    pub(super) fn open(target: &Target) -> Result<Self, BrokerError> {
        let tls = connector(&target.tls)?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| BrokerError::Unreachable(error.into()))?;
        let opened = runtime.block_on(async {
            match tls {
                None => open(target, NoTls).await,
                Some(tls) => open(target, tls).await,
            }
        });
        let opened = opened.map_err(Fault::into_plain);
        let runtime = Some(runtime);
        opened.map(|client| Self { client, runtime })
    }

    pub(super) fn rows(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, Fault> {
        self.block_on(DEADLINE, self.client.query_typed(sql, parameters))
    }

    /// Statements without parameters, as many as there are.
    pub(super) fn batch(&self, sql: &str, deadline: Duration) -> Result<(), Fault> {
        self.block_on(deadline, self.client.batch_execute(sql))
    }

    fn block_on<T>(
        &self,
        deadline: Duration,
        call: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Fault> {
        let runtime = self.runtime.as_ref().expect("taken only when dropped");
        // Made inside: a timer belongs to the runtime that it is made in.
        match runtime.block_on(async { timeout(deadline, call).await }) {
            Ok(answer) => answer.map_err(Fault::from),
            Err(_) => Err(Fault::late(deadline)),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A name that is still being looked up is not waited for.
            runtime.shutdown_background();
        }
    }
}

async fn open<T>(target: &Target, tls: T) -> Result<Client, Fault>
where
    T: MakeTlsConnect<Socket>,
    T::Stream: Send + 'static,
{
    let opened = timeout(TO_CONNECT, target.config.connect(tls)).await;
    let (client, connection) = opened.map_err(|_| Fault::late(TO_CONNECT))??;
    // Its end is seen by the call that waits, or by the next.
    tokio::spawn(async { drop(connection.await) });
    Ok(client)
}
