/// Mixes interleaved audio of several channels down to one by averaging the channels of each frame.
///
/// A frame may be split between two calls; its first samples are kept for the second.
public struct ChannelMixer: Sendable, Hashable {
    /// The channel counts that are mixed.
    public static let supportedChannels = 1...64

    /// Samples per frame.
    public let channels: Int
    private var sum: Int32 = 0
    private var held: Int32 = 0

    /// A mixer for frames of `channels` samples.
    /// - Throws: ``AudioFormatError/unsupportedChannelCount(_:)`` outside ``supportedChannels``.
    public init(channels: Int) throws(AudioFormatError) {
        guard Self.supportedChannels.contains(channels) else { throw .unsupportedChannelCount(channels) }
        self.channels = channels
    }

    /// Mixes a piece of the stream.
    public mutating func downmix(_ interleaved: [Int16]) -> [Int16] {
        var mono = [Int16]()
        mono.reserveCapacity(interleaved.count / channels + 1)
        downmix(interleaved.span, appendingTo: &mono)
        return mono
    }

    /// Mixes a piece of the stream, adding whole frames to `mono`; allocates only if `mono` has to grow.
    public mutating func downmix(_ interleaved: Span<Int16>, appendingTo mono: inout [Int16]) {
        let width = Int32(channels)
        if width == 1 {
            interleaved.withUnsafeBufferPointer { mono.append(contentsOf: $0) }
            return
        }
        for index in interleaved.indices {
            sum += Int32(interleaved[index])
            held += 1
            if held == width {
                let half = sum < 0 ? -(width / 2) : width / 2
                mono.append(Int16(truncatingIfNeeded: (sum + half) / width))
                sum = 0
                held = 0
            }
        }
    }
}
