import Foundation
import MWDATCore

/// A simulated camera. A feed that is set while a stream runs is shown at once. Any thread.
public protocol MockCameraKit: Sendable {
    /// Shows a file from its beginning, again and again: JPEG, Motion JPEG, a folder of JPEG files by name, or a video. Videos, and
    /// `/dev/video…` for a camera, need the package `ffmpeg`. A feed that cannot be read ends the stream with a reason.
    func setCameraFeed(fileURL: URL)
    /// Shows a camera of this machine; needs the package `ffmpeg`.
    func setCameraFeed(cameraFacing: CameraFacing)
    /// Shows the test pattern, which carries its picture's number; it is what a new camera shows. An addition to the vendor's API.
    func setTestPattern()
    /// Lets photos be the picture in a JPEG or PNG file; it is read for each photo. Without it photos are made of the feed.
    func setCapturedImage(fileURL: URL)
}

/// A simulated touch pad. Any thread; without a session a call does nothing and writes a line to the error output.
public protocol MockCaptouchKit: Sendable {
    /// Pauses the session and its stream, or lets both go on.
    func tap()
    /// Ends the session.
    func tapAndHold()
}

/// A simulated display. Any thread.
public protocol MockDisplayKit: Sendable {
    /// What is shown now.
    func createPreviewView() -> MockDisplayPreview
    /// Chooses the element with this identifier, as its wearer would; without such an element it writes a line to the error output.
    func sendClick(identifier: String)
    /// Lets the video that plays come to its end. An addition to the vendor's API.
    func finishVideo()
}

/// What a simulated display shows. In the vendor's kit it is a SwiftUI view; here it is told in words.
public struct MockDisplayPreview: Sendable, Hashable, CustomStringConvertible {
    /// The shown view as UTF-8 JSON; nil for nothing.
    public let tree: Data?
    /// The texts of the view, in their order.
    public let texts: [String]
    /// What can be clicked, in its order.
    public let identifiers: [String]
    /// Whether a video plays.
    public let isPlaying: Bool

    /// The texts, one a line.
    public var description: String { texts.joined(separator: "\n") }
}
