import Foundation
import MWDATCore

/// How a photo's file is coded.
public enum PhotoCaptureFormat: String, CaseIterable, Sendable {
    case heic
    case jpeg
}

/// A photo.
///
/// Its size does not follow the stream's resolution: glasses take stills of about 1080 × 1440 pixels.
public struct PhotoData: Sendable, Hashable {
    /// The file.
    public let data: Data
    /// How it is coded; glasses without the asked-for coder send the other one.
    public let format: PhotoCaptureFormat

    /// A photo in a file.
    public init(data: Data, format: PhotoCaptureFormat) {
        self.data = data
        self.format = format
    }
}

extension PhotoCaptureFormat {
    init(_ format: LinkPhotoFormat) {
        switch format {
        case .jpeg: self = .jpeg
        case .heic: self = .heic
        }
    }

    var onLink: LinkPhotoFormat {
        switch self {
        case .jpeg: .jpeg
        case .heic: .heic
        }
    }
}
