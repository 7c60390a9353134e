import GlassesPluginKit
import MWDATCamera

/// What the glasses' cameras stream: three sizes at five rates, in I420.
enum CameraModes {
    /// Stills are about this large, whatever the stream is.
    static let stillWidth = 1_080
    static let stillHeight = 1_440

    /// The description for the host.
    static let description = CameraDescription(
        formats: StreamingResolution.allCases.map { resolution in
            let size = resolution.videoFrameSize
            return CameraFormat(
                format: .i420, width: Int(size.width), height: Int(size.height),
                frameRates: StreamConfiguration.frameRates.map { Int($0) })
        }, photo: PhotoDescription(format: .jpeg, width: stillWidth, height: stillHeight))

    /// What a still without a stream is taken from.
    static let forStills = StreamConfiguration(videoCodec: .raw, resolution: .medium, frameRate: 24)

    /// The toolkit's wish for one of the description's streams.
    static func configuration(_ wanted: CameraConfiguration) -> StreamConfiguration {
        let resolution = StreamingResolution.allCases.first { Int($0.videoFrameSize.width) == wanted.width } ?? .medium
        return StreamConfiguration(videoCodec: .raw, resolution: resolution, frameRate: UInt(wanted.frameRate))
    }
}
