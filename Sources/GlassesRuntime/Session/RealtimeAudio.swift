/// The audio format of a realtime connection.
enum RealtimeAudio {
    /// Frames per second, both ways (`audio/pcm` of the realtime protocol).
    static let sampleRate = 24_000
    /// The length of an uplink block, in milliseconds.
    static let blockMilliseconds = 20
}
