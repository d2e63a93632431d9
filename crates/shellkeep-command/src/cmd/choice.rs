//! What `choose-buffer` and `choose-client` are told in the same words.

#[derive(clap::Args, Clone, Debug, Default, PartialEq)]
pub struct ChoiceArgs {
    /// Start without the preview
    #[arg(short = 'N')]
    pub no_preview: bool,
    /// Sort the other way round
    #[arg(short = 'r')]
    pub reverse: bool,
    /// Zoom the pane
    #[arg(short = 'Z')]
    pub zoom: bool,
    /// How to print each line
    #[arg(short = 'F', value_name = "FORMAT")]
    pub format: Option<String>,
    /// Only what this format is true for
    #[arg(short = 'f', value_name = "FILTER")]
    pub filter: Option<String>,
    /// Which key chooses each line
    #[arg(short = 'K', value_name = "FORMAT")]
    pub key_format: Option<String>,
    /// What to sort by
    #[arg(short = 'O', value_name = "ORDER")]
    pub sort_order: Option<String>,
    /// The pane
    #[arg(short = 't', value_name = "PANE")]
    pub target: Option<String>,
}
