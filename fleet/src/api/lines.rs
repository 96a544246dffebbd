//! Lines of a body that is too large to hold, each within a limit.

use axum::body::Body;
use http_body_util::BodyExt as _;
use serde::de::DeserializeOwned;
use web::problem::{BAD_REQUEST, Problem};

/// The longest line: a chunk of a job.
const LINE_BYTES: usize = 16 << 20;

/// The lines of a body, each a JSON value.
pub(super) struct Lines {
    body: Body,
    rest: Vec<u8>,
    /// Where the next line may begin to end: before this, `rest` has no line end.
    searched: usize,
    number: u64,
    is_over: bool,
}

impl Lines {
    pub(super) fn from_body(body: Body) -> Self {
        Self {
            body,
            rest: Vec::new(),
            searched: 0,
            number: 0,
            is_over: false,
        }
    }

    /// The next line, parsed; `None` at the end.
    pub(super) async fn next<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Problem> {
        loop {
            let end = self.rest[self.searched..]
                .iter()
                .position(|&byte| byte == b'\n');
            if let Some(end) = end {
                let after = self.searched + end + 1;
                let line: Vec<u8> = self.rest.drain(..after).collect();
                self.searched = 0;
                return self.parse(&line).map(Some);
            }
            self.searched = self.rest.len();
            if self.is_over {
                return self.last();
            }
            match self.body.frame().await {
                Some(Ok(frame)) => {
                    // Trailers are of no interest.
                    if let Ok(bytes) = frame.into_data() {
                        self.keep(&bytes)?;
                    }
                }
                Some(Err(error)) => {
                    return Err(self.problem(&format!("the body ended early: {error}")));
                }
                None => self.is_over = true,
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), Problem> {
        if self.rest.len() + bytes.len() > LINE_BYTES {
            let most = LINE_BYTES >> 20;
            return Err(self.problem(&format!("a line is longer than {most} MiB")));
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    fn last<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Problem> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line = std::mem::take(&mut self.rest);
        self.searched = 0;
        self.parse(&line).map(Some)
    }

    fn parse<T: DeserializeOwned>(&mut self, line: &[u8]) -> Result<T, Problem> {
        let parsed = serde_json::from_slice(line).map_err(|error| self.problem(&error.to_string()));
        self.number += 1;
        parsed
    }

    /// A problem with the line that is read now.
    fn problem(&self, what: &str) -> Problem {
        let line = self.number + 1;
        Problem::new(BAD_REQUEST, format!("line {line}: {what}"))
    }
}
