import Testing

/// Everything that runs the engines, one test after the other: a recogniser takes 140 MB and a core.
@Suite(.serialized) enum SpeechNeuralTests {}
