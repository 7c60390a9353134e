import Foundation
import GlassesDomain

/// A clip that has its first frame: brings pictures and sound into fragments.
final class ClipRecording {
    /// Seconds between pictures that stand alone: where a player can jump to.
    private static let keyInterval: Duration = .seconds(1)
    /// What a crash takes at most, besides the frame under way.
    private static let fragmentTicks = MP4VideoTrack.timescale / 2
    /// Sound that is not there by then is silence: no microphone is that late.
    private static let soundDelay: Duration = .seconds(1)
    /// How far sound may be ahead of the pictures: while they pause it is kept for this long, then dropped.
    private static let soundLead: Duration = .seconds(10)

    private let plan: ClipPlan
    private let file: ClipFile
    private let coder: any VideoCoder
    private let sound: ClipSound?
    private let brand: MP4Brand
    private let start: MonotonicTime
    private let size: (width: Int, height: Int)
    private let rotation: Int
    private let pictures: TurboPictureCoder

    /// The picture that is shown now: how long, the next one tells.
    private var shown: (picture: CodedPicture, ticks: Int)
    private var shownTime: MonotonicTime
    private var keyTime: MonotonicTime
    /// Pictures of the fragment under way.
    private var samples: [MP4Sample] = []
    private var fragmentStart = 0
    private var fragments = 0
    private var durationOffset = 0
    private var writtenTicks = 0

    /// Begins with a frame; throws when it cannot be coded.
    init(plan: ClipPlan, file: ClipFile, coders: VideoCoders, first frame: CameraFrame) throws(MediaError) {
        self.plan = plan
        self.file = file
        pictures = coders.pictures
        size = try pictures.size(of: frame)
        let begun = try coders.begin(with: frame, width: size.width, height: size.height, frameRate: plan.frameRate)
        (coder, shown) = (begun.coder, (begun.picture, 0))
        brand = plan.format == .mov || coder.coding == .motionJPEG ? .quickTime : .mp4
        if let rate = plan.soundRate { sound = try ClipSound(rate: rate, brand: brand) } else { sound = nil }
        (start, shownTime, keyTime) = (frame.time, frame.time, frame.time)
        rotation = frame.rotation
    }

    /// The clip as far as it is written.
    var clip: VideoClip {
        VideoClip(
            uri: URL(fileURLWithPath: plan.path).absoluteString, durationMs: milliseconds(ofTicks: writtenTicks),
            format: brand == .mp4 ? .mp4H264 : .mov, width: Int32(coder.width), height: Int32(coder.height))
    }

    func writeHeader() throws(MediaError) {
        guard let coding = coder.coding else { return }
        let video = MP4VideoTrack(width: coder.width, height: coder.height, rotation: rotation, coding: coding)
        let header = MP4Header(brand: brand, video: video, sound: sound?.track).encoded()
        durationOffset = header.durationOffset
        try file.append(header.bytes)
    }

    func add(_ frame: CameraFrame) throws(MediaError) {
        guard frame.time > shownTime else {
            throw .coderFailed(code: "frame_time", message: "A frame is not later than the one before; it is left out.")
        }
        let found = try pictures.size(of: frame)
        guard found == size else { throw .unsupportedSize(width: found.width, height: found.height) }
        let isKey = keyTime.duration(to: frame.time) >= Self.keyInterval
        let passed = start.duration(to: frame.time)
        let picture = try coder.encode(frame, milliseconds: passed.wholeMilliseconds, isKey: isKey)
        // A player takes no two pictures at one time.
        let ticks = max(Self.ticks(passed), shown.ticks + 1)
        show(until: ticks)
        shown = (picture, ticks)
        shownTime = frame.time
        if picture.isKey { keyTime = frame.time }
        try sound?.pad(to: (passed - Self.soundDelay).wholeNanoseconds)
        if isKey || ticks - fragmentStart >= Self.fragmentTicks {
            let sounds = sound?.takeRuns(before: Self.nanoseconds(ofTicks: ticks)) ?? []
            try writeFragment(until: ticks, sounds)
        }
    }

    func add(_ samples: [Int16], at time: MonotonicTime) throws(MediaError) {
        guard shownTime.duration(to: time) <= Self.soundLead else { return }
        try sound?.add(samples, at: start.duration(to: time).wholeNanoseconds)
    }

    /// Shows the last picture for as long as one is expected to be, and writes what is left.
    func finish() throws(MediaError) {
        let end = shown.ticks + MP4VideoTrack.timescale / min(max(plan.frameRate, 1), 1_000)
        show(until: end)
        try sound?.finish(at: Self.nanoseconds(ofTicks: end))
        try writeFragment(until: end, sound?.takeRuns(before: nil) ?? [])
        // Players that want the length before they have read all fragments find it here.
        try file.overwrite(ByteOrder.big(UInt64(milliseconds(ofTicks: end))), at: durationOffset)
    }

    private func show(until ticks: Int) {
        samples.append(
            MP4Sample(bytes: shown.picture.bytes, duration: ticks - shown.ticks, isKey: shown.picture.isKey))
    }

    private func writeFragment(until ticks: Int, _ sounds: [MP4Fragment.Run]) throws(MediaError) {
        let pictures = MP4Fragment.Run(track: MP4VideoTrack.identifier, start: fragmentStart, samples: samples)
        fragments += 1
        samples = []
        fragmentStart = ticks
        try file.append(MP4Fragment(number: fragments, runs: [pictures] + sounds).encoded())
        writtenTicks = ticks
    }

    private static func ticks(_ time: Duration) -> Int {
        let (seconds, rest) = time.wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Int(seconds) * MP4VideoTrack.timescale + (Int(rest) * MP4VideoTrack.timescale + 500_000_000)
            / 1_000_000_000
    }

    private static func nanoseconds(ofTicks ticks: Int) -> Int64 {
        let (seconds, rest) = ticks.quotientAndRemainder(dividingBy: MP4VideoTrack.timescale)
        return Int64(seconds) * 1_000_000_000 + Int64(rest * 1_000_000_000 / MP4VideoTrack.timescale)
    }

    private func milliseconds(ofTicks ticks: Int) -> Int64 {
        Int64((Double(ticks) * 1_000 / Double(MP4VideoTrack.timescale)).rounded())
    }
}
