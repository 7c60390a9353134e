import CGlassesPlugin

extension PluginCall {
    private enum Number: UInt8 {
        case connect = 1
        case disconnect, startMicrophone, stopMicrophone, startSpeaker, stopSpeaker, flush
        case begin, push, finish, cancelUtterance, speak, cancelSpeech, destroy
        case beginStream, pushStream, resetStream, endStream
        case startCamera, stopCamera, takePhoto, show, clearDisplay
        case registerApp, unregisterApp, checkPermission, requestPermission, handleURL
    }

    func write(to writer: inout WireWriter) {
        switch self {
        case .connect(let request, let device):
            writer.put(Number.connect.rawValue)
            writer.put(request)
            writer.put(device)
        case .disconnect(let request): Self.write(.disconnect, request, to: &writer)
        case .startMicrophone(let request, let shape):
            Self.write(.startMicrophone, request, to: &writer)
            shape.write(to: &writer)
        case .stopMicrophone(let request): Self.write(.stopMicrophone, request, to: &writer)
        case .startSpeaker(let request, let shape):
            Self.write(.startSpeaker, request, to: &writer)
            shape.write(to: &writer)
        case .stopSpeaker(let request): Self.write(.stopSpeaker, request, to: &writer)
        case .flush(let id, let position):
            Self.write(.flush, id, to: &writer)
            writer.put(position)
        case .startCamera(let request, let configuration, let slotBytes):
            Self.write(.startCamera, request, to: &writer)
            writer.put(configuration)
            writer.put(slotBytes)
        case .stopCamera(let request): Self.write(.stopCamera, request, to: &writer)
        case .takePhoto(let request): Self.write(.takePhoto, request, to: &writer)
        case .show(let request, let tree):
            Self.write(.show, request, to: &writer)
            writer.put(tree)
        case .clearDisplay(let request): Self.write(.clearDisplay, request, to: &writer)
        case .registerApp(let request): Self.write(.registerApp, request, to: &writer)
        case .unregisterApp(let request): Self.write(.unregisterApp, request, to: &writer)
        case .checkPermission(let request, let permission):
            Self.write(.checkPermission, request, to: &writer)
            writer.put(permission)
        case .requestPermission(let request, let permission):
            Self.write(.requestPermission, request, to: &writer)
            writer.put(permission)
        case .handleURL(let request, let url):
            Self.write(.handleURL, request, to: &writer)
            writer.put(url)
        case .begin(let utterance): Self.write(.begin, utterance, to: &writer)
        case .push(let utterance, let samples):
            Self.write(.push, utterance, to: &writer)
            writer.put(samples)
        case .finish(let utterance): Self.write(.finish, utterance, to: &writer)
        case .cancelUtterance(let utterance): Self.write(.cancelUtterance, utterance, to: &writer)
        case .speak(let request, let text, let options):
            Self.write(.speak, request, to: &writer)
            writer.put(text)
            writer.put(options)
        case .cancelSpeech(let request): Self.write(.cancelSpeech, request, to: &writer)
        case .beginStream(let stream): Self.write(.beginStream, stream, to: &writer)
        case .pushStream(let stream, let samples):
            Self.write(.pushStream, stream, to: &writer)
            writer.put(samples)
        case .resetStream(let stream): Self.write(.resetStream, stream, to: &writer)
        case .endStream(let stream): Self.write(.endStream, stream, to: &writer)
        case .destroy: writer.put(Number.destroy.rawValue)
        }
    }

    private static func write(_ number: Number, _ id: UInt64, to writer: inout WireWriter) {
        writer.put(number.rawValue)
        writer.put(id)
    }

    init(from reader: inout WireReader) throws(WireError) {
        let raw = try reader.number(UInt8.self)
        guard let number = Number(rawValue: raw) else { throw .unknownMessage(raw) }
        if number == .destroy {
            self = .destroy
            return
        }
        let id = try reader.number(UInt64.self)
        switch number {
        case .connect: self = .connect(request: id, device: try reader.optionalText("device"))
        case .disconnect: self = .disconnect(request: id)
        case .startMicrophone: self = .startMicrophone(request: id, try RingShape(from: &reader))
        case .stopMicrophone: self = .stopMicrophone(request: id)
        case .startSpeaker: self = .startSpeaker(request: id, try RingShape(from: &reader))
        case .stopSpeaker: self = .stopSpeaker(request: id)
        case .flush: self = .flush(id: id, upTo: try reader.number())
        case .startCamera:
            self = .startCamera(
                request: id, configuration: try reader.text("configuration"), slotBytes: try reader.slotBytes())
        case .stopCamera: self = .stopCamera(request: id)
        case .takePhoto: self = .takePhoto(request: id)
        case .show: self = .show(request: id, tree: try reader.bytes(limit: Int(GLASSES_DISPLAY_TREE_MAX)))
        case .clearDisplay: self = .clearDisplay(request: id)
        case .registerApp: self = .registerApp(request: id)
        case .unregisterApp: self = .unregisterApp(request: id)
        case .checkPermission: self = .checkPermission(request: id, try reader.number())
        case .requestPermission: self = .requestPermission(request: id, try reader.number())
        case .handleURL: self = .handleURL(request: id, url: try reader.text("url"))
        case .begin: self = .begin(utterance: id)
        case .push: self = .push(utterance: id, try reader.samples())
        case .finish: self = .finish(utterance: id)
        case .cancelUtterance: self = .cancelUtterance(id)
        case .speak: self = .speak(request: id, text: try reader.text("text"), options: try reader.text("options"))
        case .cancelSpeech: self = .cancelSpeech(id)
        case .beginStream: self = .beginStream(id)
        case .pushStream: self = .pushStream(id, try reader.samples())
        case .resetStream: self = .resetStream(id)
        case .endStream: self = .endStream(id)
        case .destroy: self = .destroy
        }
    }
}

extension RingShape {
    func write(to writer: inout WireWriter) {
        writer.put(capacity)
        writer.put(sampleRate)
    }

    init(from reader: inout WireReader) throws(WireError) {
        capacity = try reader.number()
        sampleRate = try reader.number()
        guard Self.capacities.contains(capacity) else { throw .wrongValue(field: "capacity") }
        guard Self.sampleRates.contains(sampleRate) else { throw .wrongValue(field: "sampleRate") }
    }
}

extension WireReader {
    /// The size of a video slot: at most the largest picture, two bytes a pixel, and room for padding.
    private static let slotLimit = GLASSES_VIDEO_SIDE_MAX * GLASSES_VIDEO_SIDE_MAX * 2 + (1 << 16)

    fileprivate mutating func slotBytes() throws(WireError) -> UInt32 {
        let bytes = try number(UInt32.self)
        guard (64...Self.slotLimit).contains(bytes), bytes % 64 == 0 else { throw .wrongValue(field: "slotBytes") }
        return bytes
    }
}
