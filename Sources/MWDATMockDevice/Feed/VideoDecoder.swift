import Foundation
import Glibc
import MWDATCore

/// The optional decoder of compressed files and of cameras: the program `ffmpeg`, as a child for each stream.
struct VideoDecoder: Sendable {
    /// The program's path.
    let program: String

    /// The decoder on a search path; nil when it is not installed.
    static func find(in searchPath: String? = ProcessInfo.processInfo.environment["PATH"]) -> VideoDecoder? {
        for folder in (searchPath ?? "/usr/bin").split(separator: ":") {
            let path = folder + "/ffmpeg"
            if access(String(path), X_OK) == 0 { return VideoDecoder(program: String(path)) }
        }
        return nil
    }

    private static let quiet = ["-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe"]
    /// One fragment for each access unit, at once.
    private static let fragments = [
        "-an", "-sn", "-tag:v", "hvc1", "-movflags", "empty_moov+default_base_moof+frag_every_frame", "-flush_packets",
        "1", "-f", "mp4", "pipe:1",
    ]

    /// A video file as pictures of the plan's size and rate, again and again.
    func decoded(path: String, _ plan: MockFeedPlan) throws(Refusal) -> MediaChild {
        try start(Self.quiet + ["-stream_loop", "-1", "-i", "file:" + path] + Self.pictures(plan))
    }

    /// A camera as pictures of the plan's size and rate.
    func decoded(camera: String, _ plan: MockFeedPlan) throws(Refusal) -> MediaChild {
        try start(Self.quiet + ["-f", "v4l2", "-i", camera] + Self.pictures(plan))
    }

    /// The HEVC of a video file as it is, again and again.
    func coded(path: String) throws(Refusal) -> MediaChild {
        try start(
            Self.quiet + ["-stream_loop", "-1", "-i", "file:" + path, "-map", "0:v:0", "-c", "copy"] + Self.fragments)
    }

    /// A camera as HEVC of the plan's size and rate.
    func coded(camera: String, _ plan: MockFeedPlan) throws(Refusal) -> MediaChild {
        try start(
            Self.quiet + ["-f", "v4l2", "-i", camera, "-vf", Self.filter(plan)] + Self.encoding(plan) + Self.fragments)
    }

    /// An encoder that takes packed I420 of the plan's size.
    func encoder(_ plan: MockFeedPlan) throws(Refusal) -> (child: MediaChild, plan: MockFeedPlan) {
        let input = [
            "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "\(plan.width)x\(plan.height)", "-r",
            "\(plan.framesPerSecond)", "-i", "pipe:0",
        ]
        let arguments =
            ["-v", "error", "-protocol_whitelist", "file,pipe"] + input + Self.encoding(plan) + Self.fragments
        return (try start(arguments, takesInput: true), plan)
    }

    private func start(_ arguments: [String], takesInput: Bool = false) throws(Refusal) -> MediaChild {
        try MediaChild(program, arguments, takesInput: takesInput)
    }

    private static func pictures(_ plan: MockFeedPlan) -> [String] {
        ["-map", "0:v:0", "-vf", filter(plan), "-pix_fmt", "yuv420p", "-f", "rawvideo", "pipe:1"]
    }

    private static func filter(_ plan: MockFeedPlan) -> String {
        let size = "\(plan.width):\(plan.height)"
        return "fps=\(plan.framesPerSecond),scale=\(size):force_original_aspect_ratio=increase,crop=\(size)"
    }

    /// A key frame each second, and no picture that waits for a later one.
    private static func encoding(_ plan: MockFeedPlan) -> [String] {
        let rate = plan.framesPerSecond
        return [
            "-c:v", "libx265", "-preset", "ultrafast", "-tune", "zerolatency", "-pix_fmt", "yuv420p", "-x265-params",
            "keyint=\(rate):min-keyint=\(rate):bframes=0:log-level=none:frame-threads=1:pools=none",
        ]
    }
}
