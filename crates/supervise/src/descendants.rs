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

/// The supervised children of this process.
pub(super) struct SupervisedChildren {
    ids: Vec<u32>,
    /// The number of children that were started so far.
    started: u64,
}

/// Locked while a child is started and while orphans are listed, so that a new child is not mistaken for an orphan.
static SUPERVISED_CHILDREN: Mutex<SupervisedChildren> =
    Mutex::new(SupervisedChildren { ids: Vec::new(), started: 0 });

fn supervised_children() -> MutexGuard<'static, SupervisedChildren> {
    SUPERVISED_CHILDREN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Locked while a child is reaped, so that the system's sum over all reaped children increases only by this child.
static REAPING: Mutex<()> = Mutex::new(());

/// Takes the lock [`REAPING`].
pub(super) fn reaping_lock() -> MutexGuard<'static, ()> {
    REAPING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A child that was started while this process had no other child. As long as no other child is started, every
/// orphan comes from this child.
#[derive(Clone, Copy)]
pub(super) struct OnlyChild {
    started: u64,
    used_before: CpuUse,
}

impl OnlyChild {
    /// The CPU time of this child and all processes that it left behind, after all of them were reaped. `None` if there were other
    /// children at the same time.
    pub fn used(&self) -> Option<CpuUse> {
        let is_only = supervised_children().started == self.started;
        is_only.then(|| self.used_before.until(&CpuUse::of_reaped_children()))
    }
}

/// Starts a supervised child. Also returns its registration as the only child, if there is no other supervised child.
pub(super) fn start(command: &mut Command) -> io::Result<(Child, Option<OnlyChild>)> {
    let mut children = supervised_children();
    let used_before = CpuUse::of_reaped_children();
    let child = command.spawn()?;
    children.started += 1;
    let only_child = OnlyChild { started: children.started, used_before };
    let only_child = children.ids.is_empty().then_some(only_child);
    children.ids.push(child.id());
    Ok((child, only_child))
}

/// Removes a supervised child that has ended and was waited for.
pub(super) fn forget(child: &Child) {
    let mut children = supervised_children();
    if let Some(index) = children.ids.iter().position(|&id| id == child.id()) {
        children.ids.swap_remove(index);
    }
}

/// Starts a thread that waits for the end of standard input, and then ends this process and everything that it started. If
/// standard input is a socket, its end comes when the process at the other end ends, for whatever reason. `before_exit` is called
/// after everything that this process started has been killed.
///
/// # Errors
///
/// This process does not lead its process group, so that ending the group would also end the process that started this one; or the
/// thread cannot be created.
pub fn end_with_parent(before_exit: fn()) -> io::Result<()> {
    if getpgrp() != getpid() {
        return Err(io::Error::other("this command is not for users: it needs a process group of its own"));
    }
    let wait = move || {
        let _ = io::copy(&mut io::stdin(), &mut io::sink());
        // The lock is never released, so that no other process can be started.
        let children = supervised_children();
        children.ids.iter().for_each(|&leader| super::kill_group(leader));
        #[cfg(target_os = "linux")]
        linux::end_children(|| None);
        before_exit();
        // An error could only mean that the group is empty.
        let _ = kill_current_process_group(Signal::KILL);
        drop(children);
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

    static ADOPTS_ORPHANS: AtomicBool = AtomicBool::new(false);

    /// If a killed process has not ended after this time, it is stuck in the kernel, and is ignored.
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
            ADOPTS_ORPHANS.store(true, Ordering::Relaxed);
        }
    }

    /// A file descriptor that becomes readable when the child ends.
    pub fn pidfd_of(child: &Child) -> Option<OwnedFd> {
        pidfd_open(pid(child.id())?, PidfdFlags::empty()).ok()
    }

    /// Ends all children that are not supervised, if this process adopts orphans.
    pub fn end_orphans() {
        if ADOPTS_ORPHANS.load(Ordering::Relaxed) {
            end_children(|| Some(supervised_children()));
        }
    }

    /// Reaps the children that are not supervised and have ended, if this process adopts orphans.
    pub fn reap_orphans() {
        if ADOPTS_ORPHANS.load(Ordering::Relaxed) {
            let supervised = supervised_children();
            for orphan in children_except(&supervised.ids) {
                reap(orphan);
            }
        }
    }

    /// Kills and reaps the children of this process, except those that `lock_supervised` returns, until there are no others. The
    /// loop is needed because the children of a killed process become children of this process.
    pub(super) fn end_children(
        lock_supervised: impl Fn() -> Option<MutexGuard<'static, SupervisedChildren>>,
    ) {
        let since = Instant::now();
        while since.elapsed() < END_TIMEOUT {
            let supervised = lock_supervised();
            let targets = children_except(supervised.as_ref().map_or(&[], |supervised| &supervised.ids));
            if targets.is_empty() {
                return;
            }
            targets.iter().for_each(|&child| kill(child));
            drop(supervised);
            if !targets.into_iter().fold(false, |any, child| reap(child) | any) {
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
    /// a session outside the container, where `getsid` of `rustix` panics.
    fn group_and_session(process: &str) -> Option<(i32, i32)> {
        let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        let mut fields = stat.rsplit_once(") ")?.1.split(' ').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    }

    /// Reaps a child if it has ended. Returns whether it had ended.
    fn reap(child: Pid) -> bool {
        let _lock = super::reaping_lock();
        matches!(waitid(WaitId::Pid(child), WaitIdOptions::EXITED | WaitIdOptions::NOHANG), Ok(Some(_)))
    }

    /// The children of this process without those with the ids `excluded_ids`.
    fn children_except(excluded_ids: &[u32]) -> Vec<Pid> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if waitid(WaitId::All, options).is_err() {
            return Vec::new();
        }
        let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
        let ids = lists.flat_map(|list| {
            list.split_ascii_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()
        });
        ids.filter(|id| !excluded_ids.contains(id)).filter_map(pid).collect()
    }
}

#[cfg(not(target_os = "linux"))]
mod linux {
    /// Has no effect on this system.
    pub fn adopt_orphans() {}

    pub fn end_orphans() {}

    pub fn reap_orphans() {}

    pub fn pidfd_of(_child: &std::process::Child) -> Option<std::os::fd::OwnedFd> {
        None
    }
}

pub use linux::adopt_orphans;
pub(super) use linux::{end_orphans, pidfd_of, reap_orphans};
