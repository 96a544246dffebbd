//! One connection, encrypted if wanted. Every call ends with its answer, the end of the connection, or its deadline.

use std::sync::Arc;
use std::time::Duration;

use kit::read;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, NoTls, Row, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::fault::Fault;
use super::target::{Roots, Target, Tls};
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

/// The TLS connector; `None` for unencrypted connections.
pub(super) fn connector(tls: &Tls) -> Result<Option<MakeRustlsConnect>, BrokerError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| BrokerError::Failed(format!("no version of TLS: {error}")))?;
    let config = match tls {
        Tls::Disable => return Ok(None),
        Tls::Prefer | Tls::Require => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(Anybody(provider)))
            .with_no_client_auth(),
        Tls::VerifyFull(roots) => builder
            .with_root_certificates(store(roots)?)
            .with_no_client_auth(),
    };
    Ok(Some(MakeRustlsConnect::new(config)))
}

fn store(roots: &Roots) -> Result<RootCertStore, BrokerError> {
    let mut store = RootCertStore::empty();
    match roots {
        Roots::System => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
        Roots::File(path) => {
            let bad = |error: &dyn std::fmt::Display| {
                BrokerError::BadUrl(format!("sslrootcert {}: {error}", path.display()))
            };
            let text = read::file(path, read::SETTINGS).map_err(|error| bad(&error))?;
            for certificate in CertificateDer::pem_slice_iter(&text) {
                let certificate = certificate.map_err(|error| bad(&error))?;
                store.add(certificate).map_err(|error| bad(&error))?;
            }
        }
    }
    if store.is_empty() {
        return Err(BrokerError::BadUrl(
            "sslrootcert holds no certificate".into(),
        ));
    }
    Ok(store)
}

/// Accepts any server certificate: modes without verification only request encryption.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn certificates_without_end_are_refused() {
        let error = store(&Roots::File("/dev/zero".into())).expect_err("no certificates");
        let expected = "bad URL of a broker: sslrootcert /dev/zero: more than 1 MiB, the most that is read of it";
        assert_eq!(error.to_string(), expected);
    }
}
