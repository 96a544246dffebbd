//! HTTPS served by the program itself, by a certificate that may be renewed while it runs.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Interval of checking whether the certificate was renewed.
const EVERY: Duration = Duration::from_secs(30);

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read, or is not PEM.
    #[error("cannot read '{file}': {reason}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The two do not belong together, or are of a kind that is not supported.
    #[error("'{certificate}' and its key cannot be used: {reason}")]
    Pair {
        /// The file with the certificate.
        certificate: String,
        /// Why.
        #[source]
        reason: rustls::Error,
    },
}

/// A certificate with its key; clones share it.
#[derive(Clone)]
pub struct Tls(Arc<TlsFiles>);

struct TlsFiles {
    certificate: PathBuf,
    key: PathBuf,
    now: RwLock<Loaded>,
}

#[derive(Clone)]
struct Loaded {
    config: Arc<ServerConfig>,
    modified: Modified,
}

/// When the certificate and the key were last modified, if the system knows.
type Modified = [Option<SystemTime>; 2];

impl Tls {
    /// Reads a certificate (with those that sign it) and its private key, both PEM.
    ///
    /// # Errors
    /// A file cannot be read, or the two do not belong together.
    pub fn open(certificate: &Path, key: &Path) -> Result<Self, TlsError> {
        let loaded = load(certificate, key)?;
        Ok(Self(Arc::new(TlsFiles {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            now: RwLock::new(loaded),
        })))
    }

    /// Reads the files again if they have changed; new connections then use them. Returns whether they
    /// had. If they cannot be used, the old ones stay in use.
    ///
    /// # Errors
    /// As those of [`Tls::open`].
    pub fn reload(&self) -> Result<bool, TlsError> {
        let files = &*self.0;
        let modified = modified(&files.certificate, &files.key);
        let before = self.loaded().modified;
        if modified == before {
            return Ok(false);
        }
        let loaded = load(&files.certificate, &files.key)?;
        *files.now.write().unwrap_or_else(PoisonError::into_inner) = loaded;
        Ok(true)
    }

    /// Reloads the files whenever they change, for ever.
    pub async fn follow(self) {
        let mut last_fault = None;
        loop {
            tokio::time::sleep(EVERY).await;
            match self.reload() {
                Ok(true) => {
                    last_fault = None;
                    tracing::info!("the certificate was renewed");
                }
                Ok(false) => {}
                Err(error) => {
                    let text = error.to_string();
                    // Once, not twice a minute.
                    if last_fault.as_ref() != Some(&text) {
                        tracing::error!("the certificate was not renewed: {text}");
                        last_fault = Some(text);
                    }
                }
            }
        }
    }

    /// The handshake of a connection.
    pub(crate) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        let config = self.loaded().config;
        TlsAcceptor::from(config).accept(stream).await
    }

    fn loaded(&self) -> Loaded {
        let now = self.0.now.read().unwrap_or_else(PoisonError::into_inner);
        now.clone()
    }
}

impl std::fmt::Debug for Tls {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Tls").field(&self.0.certificate).finish()
    }
}

fn load(certificate: &Path, key: &Path) -> Result<Loaded, TlsError> {
    let at_file = |file: &Path| {
        let file = file.display().to_string();
        |reason: String| TlsError::File { file, reason }
    };
    // Before reading, so that a file that changes meanwhile is read again.
    let modified = modified(certificate, key);
    let chain = CertificateDer::pem_file_iter(certificate)
        .and_then(Iterator::collect)
        .map_err(|error| error.to_string())
        .and_then(|chain: Vec<CertificateDer<'static>>| {
            if chain.is_empty() {
                return Err(String::from("it has no certificate"));
            }
            Ok(chain)
        })
        .map_err(at_file(certificate))?;
    let private = PrivateKeyDer::from_pem_file(key)
        .map_err(|error| error.to_string())
        .map_err(at_file(key))?;
    let paired = |reason| TlsError::Pair {
        certificate: certificate.display().to_string(),
        reason,
    };
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(paired)?
        .with_no_client_auth()
        .with_single_cert(chain, private)
        .map_err(paired)?;
    // Connections are served by `http1::Builder`, so HTTP/2 must not be agreed on.
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Loaded {
        config: Arc::new(config),
        modified,
    })
}

fn modified(certificate: &Path, key: &Path) -> Modified {
    [certificate, key].map(|file| file.metadata().and_then(|data| data.modified()).ok())
}
