import Foundation

/// Why a picture could not be decoded.
public enum DecoderError: LocalizedError, Equatable, Sendable {
    /// Something that a decoder should not meet: there is no memory for the picture.
    case unexpected
    /// The caller gave up before the picture was decoded.
    case cancelled
    /// The bytes are no picture of a kind that can be decoded, or one that is larger than ``UIImage/pixelLimit``.
    case invalidFormat
    /// The decoder could not be set up; the code is the decoder's.
    case configurationError(OSStatus)
    /// The bytes begin as a picture and are damaged; the code is the decoder's.
    case decodingFailed(OSStatus)

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .unexpected: "There is no memory for the picture. Free some, or take smaller pictures."
        case .cancelled: "The decoding was given up."
        case .invalidFormat:
            "These bytes are no JPEG or PNG picture, or a larger one than can be decoded. Send another."
        case .configurationError(let code):
            "The decoder could not be set up (\(code)). Free some memory, then try again."
        case .decodingFailed(let code): "The picture is damaged (\(code)). Take it again."
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
