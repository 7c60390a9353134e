import GlassesPluginKit
import SystemDeviceStreams

/// The settings of the transport.
///
/// `microphone`, `speaker`: names of ALSA PCMs, as `glasses devices` lists them; default `default`; `none` does without.
/// `periodMs`: 5 to 40, default 10. `bufferMs`: 30 to 500, default 50; at least three periods are taken.
struct SystemDeviceSettings: Equatable {
    var microphone: StreamPort?
    var speaker: StreamPort?
    var playbackTiming: StreamTiming
    var captureTiming: StreamTiming

    /// The name that stands for no device.
    private static let none = "none"
    /// ALSA's own limit is lower still; this one keeps errors and logs short.
    private static let longestName = 256

    init(_ settings: PluginSettings) throws(PluginFailure) {
        microphone = try Self.name(settings, "microphone").map(StreamPort.microphone)
        speaker = try Self.name(settings, "speaker").map(StreamPort.speaker)
        let period = try Self.number(settings, "periodMs", 5...40, otherwise: 10)
        playbackTiming = StreamTiming(
            periodMs: period, bufferMs: try Self.number(settings, "bufferMs", 30...500, otherwise: 50))
        // Capture holds more: a reader that is late for 200 ms loses nothing.
        captureTiming = StreamTiming(periodMs: period, bufferMs: 200)
    }

    /// What a connect has to find.
    var ports: [(StreamPort, StreamTiming)] {
        [microphone.map { ($0, captureTiming) }, speaker.map { ($0, playbackTiming) }].compactMap { $0 }
    }

    private static func name(_ settings: PluginSettings, _ key: String) throws(PluginFailure) -> String? {
        let name = try settings.string(key) ?? "default"
        guard !name.isEmpty, name.utf8.count <= longestName, !name.utf8.contains(0) else {
            throw .invalid("invalid_settings", "The setting \(key) has to be a device's name; see `glasses devices`.")
        }
        return name == none ? nil : StableName.resolve(name)
    }

    private static func number(
        _ settings: PluginSettings, _ key: String, _ range: ClosedRange<Int>, otherwise: Int
    ) throws(PluginFailure) -> Int {
        let number = try settings.int(key) ?? otherwise
        guard range.contains(number) else {
            throw .invalid(
                "invalid_settings", "The setting \(key) has to be between \(range.lowerBound) and \(range.upperBound).")
        }
        return number
    }
}

extension DeviceList {
    /// `{"capture": [{"name", "description"}], "playback": [...]}`.
    var json: PluginJSON {
        ["capture": .array(capture.map(\.json)), "playback": .array(playback.map(\.json))]
    }
}

extension ListedDevice {
    fileprivate var json: PluginJSON { ["name": .string(name), "description": .string(description)] }
}
