import CGlassesPlugin

/// How far the making of an instance came before it failed.
enum OpeningStage: UInt8, Sendable, Hashable, CaseIterable {
    case notLoadable = 1
    case entryMissing, entryInvalid, unsupportedABI, activationRefused
    case factoryMissing, refused, brokenStruct, instanceRefused, notDescribed
}

/// What a child tells the host. All of it is hostile input: the plugin has the whole process.
enum ChildMessage: Sendable, Hashable {
    /// The instance is there: what it says of itself, and which extensions it has.
    case opened(description: CText, TransportExtensions)
    /// There is no instance; `result` is the plugin's, `detail` the dynamic linker's words or the plugin's ABI.
    case notOpened(OpeningStage, result: Int32, detail: CText?)
    /// A call was accepted or refused.
    case answered(serial: UInt64, result: Int32)
    case alive(UInt64)
    case log(severity: Int32, CText)
    /// So many callbacks that may be lost were lost, because they came faster than the host takes them.
    case dropped(UInt64)

    // The callbacks of the ABI, argument by argument.
    case state(Int32, detail: CText?)
    case completed(request: UInt64, result: Int32, detail: CText?)
    case event(CText)
    case partial(utterance: UInt64, CText, confidence: Double)
    case finished(utterance: UInt64, result: Int32, CText, confidence: Double)
    case audio(request: UInt64, [Int16])
    case spoken(request: UInt64, result: Int32, message: CText?)
    case activity(stream: UInt64, firstFrame: UInt64, frames: UInt32, probability: Double)
    case failed(stream: UInt64, result: Int32, message: CText?)
    case photo(request: UInt64, [UInt8], facts: CText)
    case streamChanged(CText)
    case selected(CText)
    case back
    case registration(Int32, detail: CText?)
    case permission(request: UInt64, Int32)
    case urlAnswered(request: UInt64, Int32)
    case power(CText)
    case input(Int32, time: Int64, detail: CText?)
}

extension ChildMessage {
    private enum Number: UInt8 {
        case opened = 1
        case notOpened, answered, alive, log, dropped
        case state, completed, event, partial, finished, audio, spoken, activity, failed
        case photo, streamChanged, selected, back
        case registration, permission, urlAnswered, power, input
    }

    /// The message's bytes.
    var bytes: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .opened(let description, let extensions):
            writer.put(Number.opened.rawValue)
            writer.put(description)
            writer.put(extensions.rawValue)
        case .notOpened(let stage, let result, let detail):
            writer.put(Number.notOpened.rawValue)
            writer.put(stage.rawValue)
            writer.put(result)
            writer.put(detail)
        case .answered(let serial, let result):
            writer.put(Number.answered.rawValue)
            writer.put(serial)
            writer.put(result)
        case .alive(let number):
            writer.put(Number.alive.rawValue)
            writer.put(number)
        case .log(let severity, let text):
            writer.put(Number.log.rawValue)
            writer.put(severity)
            writer.put(text)
        case .dropped(let count):
            writer.put(Number.dropped.rawValue)
            writer.put(count)
        case .state, .completed, .event, .partial, .finished, .audio, .spoken, .activity, .failed:
            writeCallback(to: &writer)
        case .photo(let request, let file, let facts):
            writer.put(Number.photo.rawValue)
            writer.put(request)
            writer.put(file)
            writer.put(facts)
        case .streamChanged(let state):
            writer.put(Number.streamChanged.rawValue)
            writer.put(state)
        case .selected(let node):
            writer.put(Number.selected.rawValue)
            writer.put(node)
        case .back: writer.put(Number.back.rawValue)
        case .registration, .permission, .urlAnswered, .power, .input: writeReport(to: &writer)
        }
        return writer.bytes
    }

    private func writeCallback(to writer: inout WireWriter) {
        switch self {
        case .opened, .notOpened, .answered, .alive, .log, .dropped, .photo, .streamChanged, .selected, .back,
            .registration, .permission, .urlAnswered, .power, .input:
            break
        case .state(let state, let detail):
            writer.put(Number.state.rawValue)
            writer.put(state)
            writer.put(detail)
        case .completed(let request, let result, let detail):
            Self.write(.completed, request, result, to: &writer)
            writer.put(detail)
        case .event(let text):
            writer.put(Number.event.rawValue)
            writer.put(text)
        case .partial(let utterance, let text, let confidence):
            writer.put(Number.partial.rawValue)
            writer.put(utterance)
            writer.put(text)
            writer.put(confidence)
        case .finished(let utterance, let result, let text, let confidence):
            Self.write(.finished, utterance, result, to: &writer)
            writer.put(text)
            writer.put(confidence)
        case .audio(let request, let samples):
            writer.put(Number.audio.rawValue)
            writer.put(request)
            writer.put(samples)
        case .spoken(let request, let result, let message):
            Self.write(.spoken, request, result, to: &writer)
            writer.put(message)
        case .activity(let stream, let firstFrame, let frames, let probability):
            writer.put(Number.activity.rawValue)
            writer.put(stream)
            writer.put(firstFrame)
            writer.put(frames)
            writer.put(probability)
        case .failed(let stream, let result, let message):
            Self.write(.failed, stream, result, to: &writer)
            writer.put(message)
        }
    }

    private func writeReport(to writer: inout WireWriter) {
        switch self {
        case .registration(let state, let detail):
            writer.put(Number.registration.rawValue)
            writer.put(state)
            writer.put(detail)
        case .permission(let request, let isGranted): Self.write(.permission, request, isGranted, to: &writer)
        case .urlAnswered(let request, let isHandled): Self.write(.urlAnswered, request, isHandled, to: &writer)
        case .power(let power):
            writer.put(Number.power.rawValue)
            writer.put(power)
        case .input(let gesture, let time, let detail):
            writer.put(Number.input.rawValue)
            writer.put(gesture)
            writer.put(time)
            writer.put(detail)
        case .opened, .notOpened, .answered, .alive, .log, .dropped, .state, .completed, .event, .partial, .finished,
            .audio, .spoken, .activity, .failed, .photo, .streamChanged, .selected, .back:
            break
        }
    }

    private static func write(_ number: Number, _ id: UInt64, _ result: Int32, to writer: inout WireWriter) {
        writer.put(number.rawValue)
        writer.put(id)
        writer.put(result)
    }

    /// Reads a message; everything that is not exactly one is an error.
    init(_ bytes: [UInt8]) throws(WireError) {
        var reader = WireReader(bytes)
        let raw = try reader.number(UInt8.self)
        guard let number = Number(rawValue: raw) else { throw .unknownMessage(raw) }
        self = try Self.read(number, &reader)
        try reader.end()
    }

    private static func read(_ number: Number, _ reader: inout WireReader) throws(WireError) -> ChildMessage {
        switch number {
        case .opened:
            .opened(description: try reader.pluginText("description"), try extensions(&reader))
        case .notOpened:
            .notOpened(
                try stage(&reader), result: try reader.number(), detail: try reader.optionalPluginText("detail"))
        case .answered: .answered(serial: try reader.number(), result: try reader.number())
        case .alive: .alive(try reader.number())
        case .log: .log(severity: try reader.number(), try reader.pluginText("line"))
        case .dropped: .dropped(try reader.number())
        case .state: .state(try reader.number(), detail: try reader.optionalPluginText("detail"))
        case .completed:
            .completed(
                request: try reader.number(), result: try reader.number(),
                detail: try reader.optionalPluginText("detail"))
        case .event: .event(try reader.pluginText("event"))
        case .partial:
            .partial(
                utterance: try reader.number(), try reader.pluginText("text"), confidence: try reader.double())
        case .finished:
            .finished(
                utterance: try reader.number(), result: try reader.number(), try reader.pluginText("text"),
                confidence: try reader.double())
        case .audio: .audio(request: try reader.number(), try reader.samples())
        case .spoken:
            .spoken(
                request: try reader.number(), result: try reader.number(),
                message: try reader.optionalPluginText("message"))
        case .activity:
            .activity(
                stream: try reader.number(), firstFrame: try reader.number(), frames: try reader.number(),
                probability: try reader.double())
        case .failed:
            .failed(
                stream: try reader.number(), result: try reader.number(),
                message: try reader.optionalPluginText("message"))
        case .photo:
            .photo(
                request: try reader.number(), try reader.bytes(limit: Int(GLASSES_PHOTO_MAX)),
                facts: try reader.pluginText("facts"))
        case .streamChanged: .streamChanged(try reader.pluginText("state"))
        case .selected: .selected(try reader.pluginText("node"))
        case .back: .back
        case .registration:
            .registration(try reader.number(), detail: try reader.optionalPluginText("detail"))
        case .permission: .permission(request: try reader.number(), try reader.number())
        case .urlAnswered: .urlAnswered(request: try reader.number(), try reader.number())
        case .power: .power(try reader.pluginText("power"))
        case .input:
            .input(
                try reader.number(), time: try reader.number(), detail: try reader.optionalPluginText("detail"))
        }
    }

    private static func extensions(_ reader: inout WireReader) throws(WireError) -> TransportExtensions {
        let extensions = TransportExtensions(rawValue: try reader.number())
        guard extensions.isSubset(of: .all) else { throw .wrongValue(field: "extensions") }
        return extensions
    }

    private static func stage(_ reader: inout WireReader) throws(WireError) -> OpeningStage {
        guard let stage = OpeningStage(rawValue: try reader.number()) else { throw .wrongValue(field: "stage") }
        return stage
    }
}
