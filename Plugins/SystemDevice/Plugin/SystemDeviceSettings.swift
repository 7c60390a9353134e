import GlassesPluginKit
import SystemDeviceCamera
import SystemDeviceStreams

/// The settings of the transport.
///
/// `microphone`, `speaker`: names of ALSA PCMs, as `glasses devices` lists them; default `default`; `none` does without.
/// `periodMs`: 5 to 40, default 10. `bufferMs`: 30 to 500, default 50; at least three periods are taken.
///
/// `camera`: `auto` (the default) takes the first camera that can be used, if there is one; `none` does without; a name that
/// `glasses devices` lists, or a path such as `/dev/video0`; `pattern` is a moving test pattern; `file:PATH` shows a JPEG file, the
/// pictures of a Motion JPEG file, or the JPEG files of a folder in the order of their names, again and again.
///
/// `echoCancellation`: `auto` (the default), `on` or `off`. `auto` is on when there is a loudspeaker, unless it is known to be
/// on somebody's head: by `headset` (true or false), or, where that is not given, by a name of the device that says so. With
/// `on` the transport is refused where the library is missing; with `auto` it does without and says why.
/// `noiseSuppression`: `off` (the default), `low`, `moderate` or `high`. `automaticGain`: default false.
/// `microphoneGain`: −30 to 30 dB, default 0; not together with `automaticGain`.
struct SystemDeviceSettings: Equatable {
    var microphone: StreamPort?
    var speaker: StreamPort?
    var playbackTiming: StreamTiming
    var captureTiming: StreamTiming
    var camera: CameraChoice
    var processing: ProcessingSettings
    /// Why echo is cancelled or not.
    var echoReason: EchoDecision.Reason

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
        camera = try CameraChoice(settings.string("camera"))
        (processing, echoReason) = try Self.processing(settings, microphone, speaker)
    }

    /// What a connect has to find.
    var ports: [(StreamPort, StreamTiming)] {
        [microphone.map { ($0, captureTiming) }, speaker.map { ($0, playbackTiming) }].compactMap { $0 }
    }

    private static func processing(
        _ settings: PluginSettings, _ microphone: StreamPort?, _ speaker: StreamPort?
    ) throws(PluginFailure) -> (ProcessingSettings, EchoDecision.Reason) {
        var processing = ProcessingSettings()
        processing.noiseSuppression =
            try choice(settings, "noiseSuppression", ProcessingSettings.NoiseSuppression.self) ?? .off
        processing.hasAutomaticGain = try settings.bool("automaticGain") ?? false
        processing.gain = try number(settings, "microphoneGain", -30...30, otherwise: 0)
        guard !processing.hasAutomaticGain || processing.gain == 0 else {
            throw .invalid(
                "invalid_settings", "The settings automaticGain and microphoneGain exclude each other; leave one out.")
        }
        let decision = EchoDecision(
            wish: try choice(settings, "echoCancellation", EchoDecision.Wish.self) ?? .auto,
            isHeadset: try settings.bool("headset"), microphone: microphone, speaker: speaker)
        processing.cancelsEcho = decision.isOn
        if let missing = processing.refusal() {
            guard decision.wish == .auto, processing.noiseSuppression == .off, !processing.hasAutomaticGain else {
                throw missing
            }
            processing.cancelsEcho = false
            return (processing, .libraryMissing)
        }
        return (processing, decision.reason)
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ settings: PluginSettings, _ key: String, _: Choice.Type
    ) throws(PluginFailure) -> Choice? where Choice.RawValue == String {
        guard let text = try settings.string(key) else { return nil }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid("invalid_settings", "The setting \(key) has to be one of \(names).")
        }
        return choice
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

extension SystemDeviceSettings {
    /// `{"echoCancellation", "reason", "noiseSuppression", "automaticGain", "microphoneGain"}`.
    var processingJSON: PluginJSON {
        [
            "echoCancellation": .bool(processing.cancelsEcho), "reason": .string(echoReason.rawValue),
            "noiseSuppression": .string(processing.noiseSuppression.rawValue),
            "automaticGain": .bool(processing.hasAutomaticGain), "microphoneGain": .number(Double(processing.gain)),
        ]
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
