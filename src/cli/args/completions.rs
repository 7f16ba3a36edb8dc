//! Arguments of `queenlab completions`.

use clap::Args;

/// Print shell completions.
#[derive(Args, Debug)]
#[command(after_help = "Examples:
  queenlab completions bash > ~/.local/share/bash-completion/completions/queenlab
  queenlab completions zsh > ~/.zfunc/_queenlab
  queenlab completions fish > ~/.config/fish/completions/queenlab.fish")]
pub struct CompletionsArguments {
    /// Shell to print completions for.
    pub shell: clap_complete::Shell,
}
