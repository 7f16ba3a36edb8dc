//! A session: one execution of a program that adds runs to a result directory.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use supervise::Accounting;
use supervise::proc::Root;

use crate::machine::{Machine, MachineFinding, now};

/// One execution of a program that adds runs to a result directory. Points in time are texts in the format of RFC 3339.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The start of the session.
    pub started_at: String,
    /// The end of the session; `None` if the session is running or was killed.
    pub ended_at: Option<String>,
    /// The command line.
    pub argv: Vec<String>,
    /// The result directory, relative to the current directory of the program; `None` if it is not UTF-8, and in results of earlier
    /// versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The number of parallel jobs.
    #[serde(default = "one_job")]
    pub jobs: usize,
    /// How the CPU time and the memory of runs were measured; `None` in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accounting: Option<String>,
    /// The load average over one minute at the start.
    pub load_before: Option<f64>,
    /// The load average over one minute at the end.
    pub load_after: Option<f64>,
    /// The number of added runs; `None` if the session is running or was killed.
    pub runs: Option<u64>,
    /// The results of the checks of the machine at the start.
    #[serde(default)]
    pub findings: Vec<MachineFinding>,
    /// The machine of this session; `None` means the machine of the last session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

fn one_job() -> usize {
    1
}

impl Session {
    /// Begins a session on this machine. It adds runs to `directory`, and measures them by the method `accounting`. `findings`
    /// are the results of the checks of the machine.
    pub fn begin(
        argv: Vec<String>,
        directory: &Path,
        jobs: usize,
        accounting: Accounting,
        findings: Vec<MachineFinding>,
    ) -> Self {
        Self {
            started_at: now(),
            ended_at: None,
            argv,
            directory: directory.to_str().map(str::to_owned),
            jobs,
            accounting: Some(accounting.name().to_owned()),
            load_before: Root::default().load(),
            load_after: None,
            runs: None,
            findings,
            machine: None,
        }
    }

    /// The day of the start in UTC, as in `2026-10-14`.
    pub fn day(&self) -> &str {
        self.started_at.split('T').next().unwrap_or_default()
    }

    /// Records that the session ends now, after it added this many runs.
    pub fn end(&mut self, runs: u64) {
        self.ended_at = Some(now());
        self.load_after = Root::default().load();
        self.runs = Some(runs);
    }

    /// The duration; `None` if the session is running or was killed, or if the clock was set back.
    pub fn duration(&self) -> Option<Duration> {
        let time = |text: &str| humantime::parse_rfc3339(text).ok();
        let end: SystemTime = time(self.ended_at.as_deref()?)?;
        end.duration_since(time(&self.started_at)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killed_session_has_no_duration() {
        let mut session =
            Session::begin(vec!["x".to_owned()], Path::new("r"), 1, Accounting::Groups, Vec::new());
        assert_eq!((session.duration(), session.runs), (None, None));
        assert_eq!(session.accounting.as_deref(), Some("cgroup"));
        session.end(3);
        assert!(session.duration().is_some());
        assert_eq!(session.runs, Some(3));
        let duration_between = |started_at: &str, ended_at: &str| {
            let (started_at, ended_at) = (started_at.to_owned(), Some(ended_at.to_owned()));
            Session { started_at, ended_at, ..session.clone() }.duration()
        };
        let [earlier, later] = ["2026-10-14T17:46:40Z", "2026-10-14T17:48:10.5Z"];
        assert_eq!(duration_between(earlier, later), Some(Duration::from_millis(90_500)));
        assert_eq!(duration_between(later, earlier), None);
    }
}
