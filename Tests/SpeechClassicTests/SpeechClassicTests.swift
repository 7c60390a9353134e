import Testing

/// Everything that runs the engines, one test after the other: a recogniser takes 100 MB and a core, and two dozen at once
/// would exceed the host's limits on activation.
@Suite(.serialized) enum SpeechClassicTests {}
