//! One connection. Every call ends with its answer, the end of the connection, or its deadline.

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

/// Somewhat longer than the server's own timeout, so that normally the server ends a call; this one
/// is for a server that does not respond at all.
const DEADLINE: Duration = Duration::from_secs(40);
/// Covers all of name lookup, connection, TLS and authentication.
const TO_CONNECT: Duration = Duration::from_secs(15);

pub(super) type Parameter<'a> = (&'a (dyn ToSql + Sync), Type);

#[derive(Debug)]
pub(super) struct Session {
    client: Client,
    /// Drives this connection, only while a call waits. `None` only during drop.
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

    /// Executes any number of statements without parameters.
    pub(super) fn batch(&self, sql: &str, deadline: Duration) -> Result<(), Fault> {
        self.block_on(deadline, self.client.batch_execute(sql))
    }

    fn block_on<T>(
        &self,
        deadline: Duration,
        call: impl Future<Output = Result<T, tokio_postgres::Error>>,
    ) -> Result<T, Fault> {
        let runtime = self.runtime.as_ref().expect("taken only when dropped");
        // Inside `async`, since a timer belongs to the runtime in which it is created.
        match runtime.block_on(async { timeout(deadline, call).await }) {
            Ok(answer) => answer.map_err(Fault::from),
            Err(_) => Err(Fault::late(deadline)),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Does not wait for a pending name lookup.
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
    // The end of the connection is noticed by the current or the next call.
    tokio::spawn(async { drop(connection.await) });
    Ok(client)
}
