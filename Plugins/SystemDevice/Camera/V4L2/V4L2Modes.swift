import CVideo4Linux
import GlassesPluginKit

/// Seconds from picture to picture, as a fraction.
struct V4L2Interval: Hashable, Sendable {
    var numerator: UInt32
    var denominator: UInt32

    init(_ numerator: UInt32, _ denominator: UInt32) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Pictures a second, rounded; nil for a fraction that is none, and for rates that the host does not take.
    var rate: Int? {
        guard numerator > 0, denominator > 0 else { return nil }
        let rate = (Int(denominator) + Int(numerator) / 2) / Int(numerator)
        return (1...1_000).contains(rate) ? rate : nil
    }
}

/// One format and size of a camera, with the exact interval of each rate.
struct V4L2Mode: Hashable, Sendable {
    var pixels: UInt32
    var width: Int
    var height: Int
    /// By the rounded rate.
    var intervals: [Int: V4L2Interval]
}

/// What a camera's driver offers.
enum V4L2Modes {
    /// The host takes 512 modes, and the facts of a transport are at most 64 KiB.
    private static let modeLimit = 400
    /// More than any driver lists; one that never ends its list is left at this.
    private static let listLimit: UInt32 = 256
    /// The sizes that are offered of a camera that scales freely: what glasses use, and what screens have.
    static let usualSizes = [
        (360, 640), (504, 896), (720, 1_280), (320, 240), (640, 360), (640, 480), (800, 600), (1_280, 720),
        (1_920, 1_080),
    ]
    /// The rates that are offered of a camera that takes any.
    static let usualRates = [2, 5, 7, 10, 15, 20, 24, 25, 30, 50, 60]
    /// What is believed of a driver that does not tell its rate.
    private static let unknownRate = 30

    /// The format that a frame of these pixels has; nil for pixels that the ABI does not know.
    static func pixelFormat(_ pixels: UInt32) -> PixelFormat? {
        switch pixels {
        case CV4L_MJPEG, CV4L_JPEG: .jpeg
        case CV4L_YUYV: .yuyv
        case CV4L_NV12: .nv12
        case CV4L_I420: .i420
        default: nil
        }
    }

    /// The modes of `device`, in the driver's order; each format and size once.
    static func read(_ device: V4L2Device) -> [V4L2Mode] {
        var modes: [V4L2Mode] = []
        var count = 0
        for pixels in formats(device) {
            for (width, height) in sizes(device, pixels) where fits(pixels, width, height) {
                let known = modes.contains {
                    pixelFormat($0.pixels) == pixelFormat(pixels) && ($0.width, $0.height) == (width, height)
                }
                guard !known, count < modeLimit else { continue }
                let intervals = intervals(device, pixels, width, height)
                guard !intervals.isEmpty else { continue }
                count += intervals.count
                modes.append(V4L2Mode(pixels: pixels, width: width, height: height, intervals: intervals))
            }
        }
        return modes
    }

    private static func formats(_ device: V4L2Device) -> [UInt32] {
        var pixels: UInt32 = 0
        return (0..<listLimit).lazy.prefix { cv4l_pixels_at(device.descriptor, $0, &pixels) == 0 }
            .compactMap { _ in pixelFormat(pixels) == nil ? nil : pixels }
    }

    /// What the ABI's frames can be.
    private static func fits(_ pixels: UInt32, _ width: Int, _ height: Int) -> Bool {
        guard (1...8_192).contains(width), (1...8_192).contains(height) else { return false }
        return switch pixelFormat(pixels) {
        case .jpeg: true
        case .yuyv: width.isMultiple(of: 2)
        case .nv12, .i420: width.isMultiple(of: 2) && height.isMultiple(of: 2)
        case nil: false
        }
    }

    private static func sizes(_ device: V4L2Device, _ pixels: UInt32) -> [(Int, Int)] {
        var sizes: [(Int, Int)] = []
        for index in 0..<listLimit {
            var entry = cv4l_sizes()
            guard cv4l_sizes_at(device.descriptor, pixels, index, &entry) == 0 else { break }
            sizes += self.sizes(in: entry)
        }
        return sizes
    }

    static func sizes(in entry: cv4l_sizes) -> [(Int, Int)] {
        if entry.width_min == entry.width_max, entry.height_min == entry.height_max {
            return [(Int(entry.width_min), Int(entry.height_min))]
        }
        let has = { (side: Int, min: UInt32, max: UInt32, step: UInt32) in
            side >= min && side <= max && (side - Int(min)).isMultiple(of: Int(Swift.max(step, 1)))
        }
        return usualSizes.filter { width, height in
            has(width, entry.width_min, entry.width_max, entry.width_step)
                && has(height, entry.height_min, entry.height_max, entry.height_step)
        }
    }

    private static func intervals(
        _ device: V4L2Device, _ pixels: UInt32, _ width: Int, _ height: Int
    ) -> [Int: V4L2Interval] {
        var found: [Int: V4L2Interval] = [:]
        for index in 0..<listLimit {
            var entry = cv4l_intervals()
            let error = cv4l_intervals_at(device.descriptor, pixels, UInt32(width), UInt32(height), index, &entry)
            guard error == 0 else { break }
            for interval in intervals(in: entry) {
                if let rate = interval.rate, found[rate] == nil { found[rate] = interval }
            }
        }
        return found.isEmpty ? [unknownRate: V4L2Interval(1, UInt32(unknownRate))] : found
    }

    static func intervals(in entry: cv4l_intervals) -> [V4L2Interval] {
        let shortest = V4L2Interval(entry.shortest_numerator, entry.shortest_denominator)
        guard entry.is_range != 0 else { return [shortest] }
        let longest = V4L2Interval(entry.longest_numerator, entry.longest_denominator)
        return usualRates.map { V4L2Interval(1, UInt32($0)) }.filter { interval in
            shortest <= interval && interval <= longest
                && interval.isReached(from: shortest, by: V4L2Interval(entry.step_numerator, entry.step_denominator))
        }
    }
}

extension V4L2Interval {
    static func <= (first: V4L2Interval, second: V4L2Interval) -> Bool {
        UInt64(first.numerator) * UInt64(second.denominator) <= UInt64(second.numerator) * UInt64(first.denominator)
    }

    /// Whether a whole number of steps leads from `start` to this interval; a step of nothing allows every one.
    fileprivate func isReached(from start: V4L2Interval, by step: V4L2Interval) -> Bool {
        guard step.numerator > 0, step.denominator > 0, start.denominator > 0 else { return true }
        let (n, d) = (Double(numerator) / Double(denominator), Double(start.numerator) / Double(start.denominator))
        let steps = (n - d) * Double(step.denominator) / Double(step.numerator)
        return abs(steps - steps.rounded()) < 0.001
    }
}
