import GlassesPluginKit

/// Where pictures come from: a camera, files, or a test pattern.
package protocol CameraSource: Sendable {
    /// What a person reads in logs and errors.
    var name: String { get }
    /// What it can stream; constant.
    var description: CameraDescription { get }
    /// Writes pictures of `configuration`, one of the description's, until `stop` is signalled; nil then, else why it ended.
    ///
    /// Runs on a thread of its own, which it may block. It has let go of its device when it returns.
    func stream(_ configuration: CameraConfiguration, to writer: FrameWriter, until stop: StopSignal) -> PluginFailure?
}
