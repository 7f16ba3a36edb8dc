//! Keeps track of the children of this process, and ends the processes that they leave behind.
//!
//! When a process ends, its children get a new parent: the nearest ancestor that adopts orphans, or otherwise the first process of the
//! system. Therefore, a process that calls [`adopt_orphans`] becomes the parent of all processes that its children leave behind,
//! including daemons with their own session and an empty environment. It kills these processes when a child has ended. On systems
//! other than Linux, only process groups are killed.

use std::io;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::CpuUse;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpgrp, getpid, kill_current_process_group, waitid,
};

/// The supervised children.
pub(super) struct Supervised {
    ids: Vec<u32>,
    /// The number of children that were started so far.
    started: u64,
}

/// Locked while a child is started and while orphans are collected, so that a new child is not mistaken for an orphan.
static SUPERVISED: Mutex<Supervised> = Mutex::new(Supervised { ids: Vec::new(), started: 0 });

fn supervised() -> MutexGuard<'static, Supervised> {
    SUPERVISED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locked while a child is reaped, so that the system's sum over all reaped children increases only by this child.
static REAPING: Mutex<()> = Mutex::new(());

/// See [`REAPING`].
pub(super) fn reaping() -> MutexGuard<'static, ()> {
    REAPING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child that was started while this process had no other child. As long as no other one is started, every orphan belongs to it.
#[derive(Clone, Copy)]
pub(super) struct OnlyChild {
    started: u64,
    used_before: CpuUse,
}

impl OnlyChild {
    /// The CPU time of this child and all processes that it left behind, after all of them were reaped. `None` if there were other
    /// children at the same time.
    pub fn used(&self) -> Option<CpuUse> {
        let is_only = supervised().started == self.started;
        is_only.then(|| self.used_before.until(&CpuUse::of_reaped_children()))
    }
}

/// Starts a supervised child.
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Option<OnlyChild>)> {
    let mut supervised = supervised();
    let used_before = CpuUse::of_reaped_children();
    let child = command.spawn()?;
    supervised.started += 1;
    let only = OnlyChild { started: supervised.started, used_before };
    let only = supervised.ids.is_empty().then_some(only);
    supervised.ids.push(child.id());
    Ok((child, only))
}

/// Removes a supervised child that has ended and was waited for.
pub(super) fn forget(child: &Child) {
    let mut supervised = supervised();
    if let Some(place) = supervised.ids.iter().position(|&id| id == child.id()) {
        supervised.ids.swap_remove(place);
    }
}

/// Ends this process and everything that it started when standard input reaches its end, for example because the process at its other end
/// has ended for any reason. `last` is called after everything that this process started has been killed.
///
/// # Errors
///
/// This process does not lead its process group, so that ending the group would end its caller; or the thread that waits
/// cannot be created.
pub fn end_with_parent(last: fn()) -> io::Result<()> {
    if getpgrp() != getpid() {
        return Err(io::Error::other("this command is not for users: it needs a process group of its own"));
    }
    let wait = move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        // The lock is never released, so that no other process can be started.
        let supervised = supervised();
        supervised.ids.iter().for_each(|&leader| super::kill_group(leader));
        #[cfg(target_os = "linux")]
        linux::end_children(|| None);
        last();
        // An error could only mean that the group is empty.
        let _ = kill_current_process_group(Signal::KILL);
        drop(supervised);
    };
    std::thread::Builder::new().spawn(wait).map(drop)
}

fn pid(id: u32) -> Option<Pid> {
    i32::try_from(id).ok().and_then(Pid::from_raw)
}

/// Whether a child has ended; the child is not reaped.
pub(super) fn has_ended(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that there is no such child to wait for.
    pid(child.id()).is_none_or(|id| !matches!(waitid(WaitId::Pid(id), options), Ok(None)))
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::os::fd::OwnedFd;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use rustix::process::{PidfdFlags, kill_process, kill_process_group, pidfd_open, set_child_subreaper};

    use super::*;

    static ADOPTS: AtomicBool = AtomicBool::new(false);

    /// If a killed process has not ended after this time, it is stuck in the system, and is ignored.
    const END_TIMEOUT: Duration = Duration::from_secs(10);

    /// Makes this process adopt every process that its descendants leave behind, and kill these processes
    /// whenever a supervised child has ended. Every child that is not supervised is treated as left behind, so this is
    /// only for processes that start all children by `crate::process::Process`. Has no effect in a
    /// process that already has children, and on systems other than Linux.
    pub fn adopt_orphans() {
        // Children from before this process executed its program are indistinguishable from orphans.
        let before = fs::read_to_string(format!("/proc/self/task/{}/children", std::process::id()));
        if before.is_ok_and(|children| children.trim().is_empty())
            && set_child_subreaper(Some(getpid())).is_ok()
        {
            ADOPTS.store(true, Ordering::Relaxed);
        }
    }

    pub fn end_of(child: &Child) -> Option<OwnedFd> {
        pidfd_open(pid(child.id())?, PidfdFlags::empty()).ok()
    }

    pub fn end_orphans() {
        if ADOPTS.load(Ordering::Relaxed) {
            end_children(|| Some(supervised()));
        }
    }

    pub fn reap_orphans() {
        if ADOPTS.load(Ordering::Relaxed) {
            let supervised = supervised();
            for orphan in children_but(&supervised.ids) {
                reap(orphan);
            }
        }
    }

    /// Kills and reaps the children of this process, except the supervised ones in `spared`, until none are left. The loop
    /// is needed because the children of a killed process become children of this one.
    pub(super) fn end_children(spared: impl Fn() -> Option<MutexGuard<'static, Supervised>>) {
        let since = Instant::now();
        while since.elapsed() < END_TIMEOUT {
            let spared = spared();
            let doomed = children_but(spared.as_ref().map_or(&[], |spared| &spared.ids));
            if doomed.is_empty() {
                return;
            }
            doomed.iter().for_each(|&child| kill(child));
            drop(spared);
            if !doomed.into_iter().fold(false, |any, child| reap(child) | any) {
                thread::sleep(Duration::from_micros(200));
            }
        }
    }

    /// Kills a process. If it is in another session, its group is killed as well, which stops a process that
    /// forks repeatedly. In the session of this process, the group may contain unrelated processes.
    fn kill(process: Pid) {
        // An error means that the process has ended already.
        if let (Some((_, own_session)), Some((group, session))) =
            (group_and_session("self"), group_and_session(&process.to_string()))
            && session != own_session
            && let Some(group) = Pid::from_raw(group)
        {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = kill_process(process, Signal::KILL);
    }

    /// The ids of a process's group and session, from `/proc`. Both are 0 in a container that was started from
    /// a session outside it; `getsid` of `rustix` panics there.
    fn group_and_session(process: &str) -> Option<(i32, i32)> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    }

    /// Reaps a child if it has ended. Returns whether it had ended.
    fn reap(child: Pid) -> bool {
        let _alone = super::reaping();
        matches!(waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG), Ok(Some(_)))
    }

    fn children_but(spared: &[u32]) -> Vec<Pid> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::All, options).is_err() {
            return Vec::new();
        }
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        let ids = lists.flat_map(|list| {
            list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()
        });
        ids.filter(|id| !spared.contains(id)).filter_map(pid).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    /// Has no effect on this system.
    pub fn adopt_orphans() {}

    pub fn end_orphans() {}

    pub fn reap_orphans() {}

    pub fn end_of(_child: &std::process::Child) -> Option<std::os::fd::OwnedFd> {
        None
    }
}

pub use linux::adopt_orphans;
pub(super) use linux::{end_of, end_orphans, reap_orphans};
