//! Output and the end of a child on other systems: threads read the pipes, and the end is polled.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;

use super::*;

pub fn status_of(_raw: i32) -> Option<ExitStatus> {
    None
}

pub struct Leash;

impl Leash {
    pub fn tie(_command: &mut Command) -> io::Result<Option<Self>> {
        Ok(None)
    }

    pub fn number(&mut self) -> Option<i32> {
        None
    }
}

pub struct Ears {
    heard: Option<Receiver<Heard>>,
    output: bool,
}

impl Ears {
    pub fn of(child: &mut Child) -> Self {
        let (sender, heard) = sync_channel(16);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let output = stdout.is_some();
        read(stdout, sender.clone(), Heard::Output);
        read(stderr, sender, Heard::Error);
        Self { heard: Some(heard), output }
    }

    pub fn hear_output(&self) -> bool {
        self.output
    }

    pub fn hear_anything(&self) -> bool {
        self.heard.is_some()
    }

    pub fn close_output(&mut self) {
        self.output = false;
    }

    pub fn close(&mut self) {
        self.heard = None;
    }

    pub fn wait_for_end(&self, _longest: Duration) {
        thread::sleep(SHORT_LOOK);
    }

    pub fn listen(&mut self, longest: Duration, runs: bool) -> io::Result<Heard> {
        let longest = if runs { longest.min(SHORT_LOOK) } else { longest };
        match self.heard.as_ref().map(|heard| heard.recv_timeout(longest)) {
            Some(Ok(heard)) => return Ok(heard),
            Some(Err(RecvTimeoutError::Disconnected)) => self.heard = None,
            Some(Err(RecvTimeoutError::Timeout)) => {}
            None => thread::sleep(longest),
        }
        Ok(Heard::Nothing)
    }
}

fn read(pipe: Option<impl Read + Send + 'static>, sender: SyncSender<Heard>, heard: fn(Vec<u8>) -> Heard) {
    let Some(mut pipe) = pipe else { return };
    thread::spawn(move || {
        let mut buffer = vec![0; CHUNK_BYTES];
        loop {
            let read = pipe.read(&mut buffer).unwrap_or(0);
            if sender.send(heard(buffer[..read].to_vec())).is_err() || read == 0 {
                return;
            }
        }
    });
}
