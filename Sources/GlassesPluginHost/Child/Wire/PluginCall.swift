/// The size and rate of an audio ring whose memory travels beside the message.
struct RingShape: Sendable, Hashable {
    /// Frames that fit.
    var capacity: UInt32
    /// Frames per second.
    var sampleRate: UInt32

    /// A ring of more than 2^22 frames (44 s at 96 kHz) is a mistake.
    static let capacities: ClosedRange<UInt32> = 1...(1 << 22)
    /// What PCM devices have, as for ``TransportFacts``.
    static let sampleRates: ClosedRange<UInt32> = 4_000...384_000
}

/// Calls of one lane run one after another on one thread of the child, in the order in which they were made.
enum CallLane: Sendable, Hashable, CaseIterable {
    /// The ABI's [host] thread.
    case host
    /// Calls that the ABI allows on [any] thread and that must not wait behind a device.
    case urgent
    /// A speech engine's work.
    case engine
}

/// One call of the ABI into the instance of a child.
enum PluginCall: Sendable, Hashable {
    case connect(request: UInt64, device: String?)
    case disconnect(request: UInt64)
    case startMicrophone(request: UInt64, RingShape)
    case stopMicrophone(request: UInt64)
    case startSpeaker(request: UInt64, RingShape)
    case stopSpeaker(request: UInt64)
    case flush(id: UInt64, upTo: Int64)
    case startCamera(request: UInt64, configuration: String, slotBytes: UInt32)
    case stopCamera(request: UInt64)
    case takePhoto(request: UInt64)
    case show(request: UInt64, tree: [UInt8])
    case clearDisplay(request: UInt64)
    case registerApp(request: UInt64)
    case unregisterApp(request: UInt64)
    case checkPermission(request: UInt64, Int32)
    case requestPermission(request: UInt64, Int32)
    case handleURL(request: UInt64, url: String)
    case begin(utterance: UInt64)
    case push(utterance: UInt64, [Int16])
    case finish(utterance: UInt64)
    case cancelUtterance(UInt64)
    case speak(request: UInt64, text: String, options: String)
    case cancelSpeech(UInt64)
    case beginStream(UInt64)
    case pushStream(UInt64, [Int16])
    case resetStream(UInt64)
    case endStream(UInt64)
    /// Ends the instance and the plugin; the child ends after it.
    case destroy

    /// Where it runs.
    var lane: CallLane {
        switch self {
        case .connect, .disconnect, .startMicrophone, .stopMicrophone, .startSpeaker, .stopSpeaker, .startCamera,
            .stopCamera, .takePhoto, .show, .clearDisplay, .registerApp, .unregisterApp, .checkPermission,
            .requestPermission, .handleURL, .destroy:
            .host
        case .flush: .urgent
        case .begin, .push, .finish, .cancelUtterance, .speak, .cancelSpeech, .beginStream, .pushStream, .resetStream,
            .endStream:
            .engine
        }
    }

    /// The function of the ABI, for reports; nil for the end, which every kind names differently.
    var function: String? {
        switch self {
        case .connect: "glasses_transport.connect"
        case .disconnect: "glasses_transport.disconnect"
        case .startMicrophone: "glasses_microphone.start"
        case .stopMicrophone: "glasses_microphone.stop"
        case .startSpeaker: "glasses_speaker.start"
        case .stopSpeaker: "glasses_speaker.stop"
        case .flush: "glasses_speaker.flush"
        case .startCamera: "glasses_camera.start"
        case .stopCamera: "glasses_camera.stop"
        case .takePhoto: "glasses_camera.take_photo"
        case .show: "glasses_display.show"
        case .clearDisplay: "glasses_display.clear"
        case .registerApp: "glasses_registration.register_app"
        case .unregisterApp: "glasses_registration.unregister_app"
        case .checkPermission: "glasses_registration.check_permission"
        case .requestPermission: "glasses_registration.request_permission"
        case .handleURL: "glasses_registration.handle_url"
        case .begin: "glasses_stt.begin"
        case .push: "glasses_stt.push"
        case .finish: "glasses_stt.finish"
        case .cancelUtterance: "glasses_stt.cancel"
        case .speak: "glasses_tts.speak"
        case .cancelSpeech: "glasses_tts.cancel"
        case .beginStream: "glasses_vad.begin"
        case .pushStream: "glasses_vad.push"
        case .resetStream: "glasses_vad.reset"
        case .endStream: "glasses_vad.end"
        case .destroy: nil
        }
    }

    /// How many descriptors travel beside it: a ring's memory and its eventfds.
    var descriptorCount: Int {
        switch self {
        case .startMicrophone, .startSpeaker: 3
        case .startCamera: 2
        default: 0
        }
    }
}
