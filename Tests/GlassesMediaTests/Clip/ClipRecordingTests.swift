import FramePattern
import Foundation
import GlassesDomain
import TestProcess
import Testing

@testable import GlassesMedia

@Suite struct ClipRecordingTests {
    private static let frameTime = 1.0 / 30

    /// Records numbered frames with a flash and a tone of 0.2 s that begin with frame 20.
    private func record(
        _ count: Int, to path: String, format: VideoFormat = .mp4H264, soundRate: Int? = nil, width: Int = 320,
        height: Int = 240, rotation: Int = 0, recorder: MP4ClipRecorder = MP4ClipRecorder(),
        frame: (CameraFrame) throws -> CameraFrame = { $0 }
    ) throws -> VideoClip {
        let writer = try recorder.begin(
            ClipPlan(path: path, format: format, frameRate: 30, soundRate: soundRate))
        let begin = 5.0
        // A microphone delivers sooner than a camera, and began before it.
        var heard = begin - 0.1
        for number in 0..<count {
            let time = begin + Double(number) * Self.frameTime
            while let rate = soundRate, heard < time + 0.05 {
                try addTone(to: writer, at: heard, rate: rate, toneStart: begin + 20 * Self.frameTime)
                heard += 0.025
            }
            let picture = Frames.i420(
                UInt32(number), flash: number >= 20, width: width, height: height, rotation: rotation,
                at: .fromSeconds(time))
            try writer.add(frame(picture))
        }
        return try writer.finish()
    }

    private func addTone(to writer: any ClipWriter, at start: Double, rate: Int, toneStart: Double) throws {
        let count = rate / 40
        let wave = Tone.samples(rate, rate: rate)
        let samples = (0..<count).map { index -> Int16 in
            let offset = Int(((start - toneStart) * Double(rate)).rounded()) + index
            return offset >= 0 && offset < rate / 5 ? wave[offset] : 0
        }
        try writer.addSound(samples, at: MonotonicTime.zero.advanced(by: .fromSeconds(start)))
    }

    @Test(arguments: [(VideoFormat.mp4H264, 16_000), (.mp4Hevc, 48_000), (.mov, 16_000), (.mov, 44_100)])
    func everyFrameShowsItsNumberAndTheToneBeginsWithTheFlash(format: VideoFormat, rate: Int) async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let clip = try record(75, to: path, format: format, soundRate: rate)
        #expect(clip.format == (format == .mov ? .mov : .mp4H264))
        #expect(clip.durationMs == 2_500 && clip.width == 320 && clip.height == 240)
        #expect(clip.uri == URL(fileURLWithPath: path).absoluteString)
        let decoded = try await DecodedClip(path, width: 320, height: 240, hasSound: true)
        #expect(decoded.numbers(width: 320, height: 240) == (0..<75).map { UInt32($0) })
        let flash = try #require(
            decoded.pictures.firstIndex {
                FrameNumberPattern.isFlashing(luma: $0, width: 320, height: 240, stride: 320)
            })
        let tone = try #require(Tone.onset(in: decoded.sound))
        #expect(abs(Double(tone) / 48_000 - Double(flash) * Self.frameTime) < 0.040)
        // A whole packet more or less.
        #expect(abs(decoded.sound.count - 2_500 * 48) <= 960)
        let mode = try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        #expect(mode == 0o600)
    }

    @Test func theStreamsAreWhatTheClipSays() async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        _ = try record(40, to: path, soundRate: 16_000)
        let video = try await ProbedClip(
            path, stream: "v:0", "codec_name,profile,width,height,color_range,color_space,has_b_frames,nb_read_packets")
        #expect(video["codec_name"] == "h264" && video["profile"] == "Constrained Baseline")
        #expect(video["width"] == "320" && video["height"] == "240")
        #expect(video["color_range"] == "tv" && video["color_space"] == "smpte170m")
        let sound = try await ProbedClip(path, stream: "a:0", "codec_name,sample_rate,channels,start_time")
        #expect(sound["codec_name"] == "opus" && sound["sample_rate"] == "48000" && sound["channels"] == "1")
        let file = try await ProbedClip(path, stream: nil, "format_name,duration,nb_streams")
        #expect(file["nb_streams"] == "2")
        let duration = try #require(file["duration"].flatMap(Double.init))
        #expect(abs(duration - 40 * Self.frameTime) < 0.03)
    }

    @Test(arguments: [90, 180, 270])
    func aTurnedCameraGivesAClipThatPlayersTurn(rotation: Int) async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let clip = try record(10, to: path, rotation: rotation)
        #expect(clip.width == 320 && clip.height == 240)
        let isTurned = rotation != 180
        let (width, height) = isTurned ? (240, 320) : (320, 240)
        let decoded = try await DecodedClip(path, width: width, height: height, hasSound: false)
        #expect(decoded.pictures.count == 10)
        // Turned back, the picture shows its number.
        let upright = Plane(width: width, height: height) { target in
            for (index, byte) in decoded.pictures[7].enumerated() { target[index] = byte }
        }
        let stored = upright.turned(quarters: (360 - rotation) / 90)
        #expect(FrameNumberPattern.read(luma: stored.bytes, width: 320, height: 240, stride: 320) == 7)
    }

    @Test(arguments: [CameraPixelFormat.jpeg, .i420])
    func withoutOpenH264TheClipIsMotionJPEG(format: CameraPixelFormat) async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let coder = TurboPictureCoder()
        let clip = try record(
            40, to: path, soundRate: 16_000, recorder: MP4ClipRecorder(openH264: "libmissing.so")
        ) { frame in
            guard format == .jpeg else { return frame }
            var frame = frame
            frame.bytes = [UInt8](try coder.jpeg(frame, quality: 80, takenAt: nil).file)
            (frame.format, frame.planes) = (.jpeg, [])
            return frame
        }
        #expect(clip.format == .mov && clip.durationMs == 1_333)
        let video = try await ProbedClip(path, stream: "v:0", "codec_name")
        #expect(video["codec_name"] == "mjpeg")
        let sound = try await ProbedClip(path, stream: "a:0", "codec_name,sample_rate")
        #expect(sound["codec_name"] == "pcm_s16le" && sound["sample_rate"] == "16000")
        let decoded = try await DecodedClip(path, width: 320, height: 240, hasSound: true)
        #expect(decoded.numbers(width: 320, height: 240) == (0..<40).map { UInt32($0) })
    }

    @Test(arguments: [(66, 98), (65, 97), (720, 1_280), (64, 64)] as [(Int, Int)])
    func anySizeIsRecordedWithoutItsOddColumnAndRow(width: Int, height: Int) async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let (evenWidth, evenHeight) = (width & ~1, height & ~1)
        let writer = try MP4ClipRecorder().begin(
            ClipPlan(path: path, format: .mp4H264, frameRate: 30, soundRate: nil))
        for number in 0..<5 {
            var frame = Frames.i420(
                UInt32(number), width: width + width % 2, height: height + height % 2,
                at: .milliseconds(33 * number))
            (frame.width, frame.height) = (width, height)
            try writer.add(frame)
        }
        let clip = try writer.finish()
        #expect(clip.width == evenWidth && clip.height == evenHeight && clip.format == .mp4H264)
        let decoded = try await DecodedClip(path, width: evenWidth, height: evenHeight, hasSound: false)
        #expect(decoded.pictures.count == 5)
    }

    @Test func aSizeThatH264DoesNotHaveIsMotionJPEG() throws {
        let folder = try ClipFolder()
        let writer = try MP4ClipRecorder().begin(
            ClipPlan(path: folder.file("clip"), format: .mp4H264, frameRate: 30, soundRate: nil))
        try writer.add(Frames.striped(.yuyv, width: 8, height: 8, gap: 0))
        #expect(try writer.finish().format == .mov)
    }

    @Test(arguments: [VideoFormat.mp4H264, .mov])
    func aPauseKeepsPicturesAndSoundTogether(format: VideoFormat) async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip")
        let writer = try MP4ClipRecorder().begin(
            ClipPlan(path: path, format: format, frameRate: 10, soundRate: 16_000))
        for number in 0..<10 {
            let time = Duration.milliseconds(number < 5 ? 100 * number : 30_000 + 100 * number)
            try writer.add(Frames.i420(UInt32(number), width: 64, height: 64, at: time))
            let samples = number == 7 ? Tone.samples(1_600, rate: 16_000) : [Int16](repeating: 0, count: 1_600)
            try writer.addSound(samples, at: MonotonicTime.zero.advanced(by: time))
        }
        #expect(try writer.finish().durationMs == 31_000)
        let decoded = try await DecodedClip(path, width: 64, height: 64, hasSound: true, areRegular: false)
        #expect(decoded.numbers(width: 64, height: 64) == (0..<10).map { UInt32($0) })
        let tone = try #require(Tone.onset(in: decoded.sound))
        #expect(abs(Double(tone) / 48_000 - 30.7) < 0.040)
    }

    @Test func framesHaveTheTimesThatTheyCameWith() async throws {
        let folder = try ClipFolder()
        let path = folder.file("clip.mp4")
        let writer = try MP4ClipRecorder().begin(
            ClipPlan(path: path, format: .mp4H264, frameRate: 10, soundRate: nil))
        let times = [0, 10, 500, 2_600, 2_601, 7_000]
        for (number, time) in times.enumerated() {
            try writer.add(Frames.i420(UInt32(number), width: 64, height: 64, at: .milliseconds(time + 90_000)))
        }
        #expect(try writer.finish().durationMs == 7_100)
        let outcome = try await ProbedPackets(path).times
        #expect(outcome == times.map { Double($0) / 1_000 })
    }
}

/// The times of a clip's pictures in seconds.
struct ProbedPackets {
    var times: [Double]

    init(_ path: String) async throws {
        let outcome = try await TestProcess(
            "/usr/bin/ffprobe",
            ["-v", "error", "-select_streams", "v:0", "-show_entries", "packet=pts_time", "-of", "csv=p=0", path]
        ).run()
        times = outcome.lines.compactMap { Double($0.filter { $0 != "," }) }
    }
}
