import Foundation

/// How a stream's sound arrives. Experimental; the vendor has not published the cases, this one is ours.
public enum AudioCodec: String, CaseIterable, Sendable {
    /// 16-bit little-endian mono PCM.
    case pcm
}

/// Sound of the glasses' microphone. Experimental; the vendor has not published the members, these are ours.
public struct AudioFrame: Sendable, Hashable {
    /// The sound: 16-bit little-endian mono PCM.
    public let data: Data
    /// Samples a second, 8,000 to 48,000.
    public let sampleRate: Int
    /// When the first sample was taken, on the time line of the stream's pictures.
    public let presentationTimeStamp: CMTime
}
