/// How a stream's pictures arrive. Only the configured form is ever delivered.
public enum VideoCodec: String, CaseIterable, Sendable {
    /// Decoded pictures: packed I420 in a pixel buffer. The stream pauses while the app is in the background.
    case raw
    /// HEVC access units, to be decoded or recorded by the app.
    case hvc1
}
