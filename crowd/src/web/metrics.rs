//! Metrics of the server, exported as Prometheus text.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

const REQUESTS: &str = "crowd_http_requests_total";
const SECONDS: &str = "crowd_http_request_duration_seconds";
// These are upper bounds in seconds.
const BUCKETS: [f64; 11] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0,
];

/// The counters of one server; there are no global ones.
#[derive(Clone)]
pub struct Metrics {
    recorder: Arc<PrometheusRecorder>,
    handle: PrometheusHandle,
}

impl Metrics {
    pub fn new() -> Self {
        let recorder = PrometheusBuilder::new()
            .set_buckets(&BUCKETS)
            .expect("there are buckets")
            .build_recorder();
        let handle = recorder.handle();
        metrics::with_local_recorder(&recorder, describe);
        Self {
            recorder: Arc::new(recorder),
            handle,
        }
    }

    pub(crate) fn request(&self, method: &Method, route: &str, status: u16, took: Duration) {
        let route = route.to_owned();
        let method = known(method);
        metrics::with_local_recorder(&*self.recorder, || {
            let labels = [
                ("method", method.to_owned()),
                ("route", route.clone()),
                ("status", status.to_string()),
            ];
            counter!(REQUESTS, &labels).increment(1);
            histogram!(SECONDS, "method" => method, "route" => route).record(took.as_secs_f64());
        });
    }

    pub(crate) fn upkeep(&self, took: Duration, failed: bool) {
        metrics::with_local_recorder(&*self.recorder, || {
            histogram!("crowd_upkeep_duration_seconds").record(took.as_secs_f64());
            if failed {
                counter!("crowd_upkeep_failures_total").increment(1);
            }
        });
    }

    /// Sets gauges, which are read on demand.
    pub(crate) fn set(&self, gauges: &[(&'static str, u64)]) {
        metrics::with_local_recorder(&*self.recorder, || {
            for &(name, value) in gauges {
                #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
                gauge!(name).set(value as f64);
            }
        });
    }

    pub(crate) fn render(&self) -> String {
        self.handle.render()
    }

    /// Folds recorded samples together to bound memory use.
    pub(crate) fn fold(&self) {
        self.handle.run_upkeep();
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

fn describe() {
    describe_counter!(REQUESTS, "requests answered, by method, route and status");
    describe_histogram!(SECONDS, "seconds from request to answer");
    describe_histogram!("crowd_upkeep_duration_seconds", "seconds one upkeep took");
    describe_counter!("crowd_upkeep_failures_total", "upkeeps that failed");
    describe_gauge!("crowd_connections", "connections that are open");
    describe_gauge!("crowd_positions", "positions in all campaigns");
    describe_gauge!("crowd_contributors", "people who have a session");
    describe_gauge!("crowd_lists", "lists that were finished");
    describe_gauge!(
        "crowd_cases",
        "test cases: lists on which people and the generator agree"
    );
    describe_gauge!("crowd_assignments_open", "positions that people are at");
    describe_gauge!("crowd_searches", "searches for /play that run");
    describe_gauge!("crowd_searches_waiting", "requests that wait for a search");
}

fn known(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PATCH => "PATCH",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        // A method is any word, and each would be a series of its own.
        _ => "other",
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge times its requests")]
pub(crate) async fn measure(
    State(metrics): State<Metrics>,
    request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().cloned();
    let response = next.run(request).await;
    // Anybody can invent paths, so all unknown ones share a label.
    let route = route.as_ref().map_or("none", MatchedPath::as_str);
    metrics.request(&method, route, response.status().as_u16(), began.elapsed());
    response
}
