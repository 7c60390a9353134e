import Testing

@testable import GlassesPluginHost

@Suite("The messages between host and child")
struct WireTests {
    static let calls: [PluginCall] = [
        .connect(request: 1, device: nil), .connect(request: .max, device: "f\u{e4}"), .disconnect(request: 2),
        .startMicrophone(request: 3, RingShape(capacity: 32_000, sampleRate: 16_000)), .stopMicrophone(request: 4),
        .startSpeaker(request: 5, RingShape(capacity: 1, sampleRate: 384_000)), .stopSpeaker(request: 6),
        .flush(id: 7, upTo: -1), .begin(utterance: 8), .push(utterance: 9, [1, -1, .min, .max]),
        .push(utterance: 9, []), .finish(utterance: 10), .cancelUtterance(11),
        .speak(request: 12, text: "hello", options: "{}"), .cancelSpeech(13), .beginStream(14),
        .pushStream(15, [3, -3]), .resetStream(16),
        .endStream(17), .startCamera(request: 18, configuration: "{}", slotBytes: 4_096), .stopCamera(request: 19),
        .takePhoto(request: 20), .show(request: 21, tree: [0x7B, 0x7D]), .clearDisplay(request: 22),
        .registerApp(request: 23), .unregisterApp(request: 24), .checkPermission(request: 25, 1),
        .requestPermission(request: 26, .min), .handleURL(request: 27, url: "app://answer?yes"), .destroy,
    ]

    static let fromHost: [HostMessage] =
        calls.map { .call(serial: 42, $0) } + [
            .open(PluginOpening(library: "/p.so", kind: .transport, settings: "{\"a\":1}", profile: "{}")),
            .areYouAlive(7),
        ]

    private static let text = CText(bytes: Array("{\"a\":1}".utf8))
    static let fromChild: [ChildMessage] =
        OpeningStage.allCases.map { .notOpened($0, result: -5, detail: text) } + [
            .opened(description: text, [.microphone, .camera]), .answered(serial: 1, result: .min),
            .alive(9), .log(severity: 2, CText(bytes: [0xFF, 0x00], isTooLong: true)), .dropped(12),
            .notOpened(.refused, result: 0, detail: nil), .state(77, detail: nil), .state(3, detail: text),
            .completed(request: 1, result: -1, detail: nil), .event(text),
            .partial(utterance: 1, text, confidence: 0.5),
            .finished(utterance: 1, result: 0, text, confidence: -.infinity),
            .audio(request: 3, [Int16](repeating: -7, count: 1_600)), .spoken(request: 3, result: 0, message: text),
            .activity(stream: 1, firstFrame: .max, frames: 512, probability: -0.5),
            .failed(stream: 2, result: -1, message: nil), .photo(request: 5, [0xFF, 0xD8], facts: text),
            .streamChanged(text), .selected(CText(bytes: Array("n1".utf8))), .back,
            .registration(3, detail: nil), .registration(-1, detail: text), .permission(request: 6, 1),
            .urlAnswered(request: 7, .min), .power(text), .input(1, time: .max, detail: nil),
            .input(9, time: -1, detail: text),
        ]

    @Test("A message of the host is read as it was written", arguments: fromHost)
    func readsHost(_ message: HostMessage) throws { #expect(try HostMessage(message.bytes) == message) }

    @Test("A message of a child is read as it was written", arguments: fromChild)
    func readsChild(_ message: ChildMessage) throws { #expect(try ChildMessage(message.bytes) == message) }

    @Test("A message that is cut anywhere is refused", arguments: fromChild)
    func refusesCutChild(_ message: ChildMessage) {
        for count in 0..<min(message.bytes.count, 200) {
            #expect(throws: WireError.self) { try ChildMessage(Array(message.bytes.prefix(count))) }
        }
        #expect(throws: WireError.trailing(1)) { try ChildMessage(message.bytes + [0]) }
    }

    @Test("A message of the host that is cut anywhere is refused", arguments: fromHost)
    func refusesCutHost(_ message: HostMessage) {
        for count in 0..<message.bytes.count {
            #expect(throws: WireError.self) { try HostMessage(Array(message.bytes.prefix(count))) }
        }
        #expect(throws: WireError.trailing(1)) { try HostMessage(message.bytes + [0]) }
    }

    @Test("Unknown messages, wrong flags and stages, and lengths that lie are refused by name")
    func refusesWrongValues() {
        #expect(throws: WireError.unknownMessage(99)) { try ChildMessage([99]) }
        #expect(throws: WireError.unknownMessage(0)) { try HostMessage([0]) }
        #expect(throws: WireError.truncated) { try ChildMessage([]) }
        var opened = ChildMessage.opened(description: CText(bytes: []), .all).bytes
        opened[opened.count - 1] = 128
        #expect(throws: WireError.wrongValue(field: "extensions")) { try ChildMessage(opened) }
        var stage = ChildMessage.notOpened(.refused, result: 0, detail: nil).bytes
        stage[1] = 200
        #expect(throws: WireError.wrongValue(field: "stage")) { try ChildMessage(stage) }
        // A block that claims four thousand million samples.
        var audio = WireWriter()
        audio.put(UInt8(12))
        audio.put(UInt64(1))
        audio.put(UInt32.max)
        #expect(throws: WireError.truncated) { try ChildMessage(audio.bytes) }
        let ring = PluginCall.startSpeaker(request: 1, RingShape(capacity: 0, sampleRate: 16_000))
        #expect(throws: WireError.wrongValue(field: "capacity")) {
            try HostMessage(HostMessage.call(serial: 1, ring).bytes)
        }
        let rate = PluginCall.startSpeaker(request: 1, RingShape(capacity: 1, sampleRate: 0))
        #expect(throws: WireError.wrongValue(field: "sampleRate")) {
            try HostMessage(HostMessage.call(serial: 1, rate).bytes)
        }
    }

    @Test("A text longer than the ABI allows is no text")
    func refusesLongTexts() {
        let long = CText(bytes: [UInt8](repeating: 0x61, count: CText.messageLimit + 1))
        #expect(throws: WireError.wrongValue(field: "event")) { try ChildMessage(ChildMessage.event(long).bytes) }
        let speech = PluginCall.speak(
            request: 1, text: String(repeating: "a", count: CText.messageLimit + 1), options: "{}")
        #expect(throws: WireError.wrongValue(field: "text")) {
            try HostMessage(HostMessage.call(serial: 1, speech).bytes)
        }
    }

    @Test("Ten thousand messages of random bytes, and of good messages with one wrong byte, trap nothing")
    func survivesRandomBytes() {
        var generator = SystemRandomNumberGenerator()
        var good = 0
        for round in 0..<10_000 {
            var bytes: [UInt8]
            if round.isMultiple(of: 2) {
                bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    .random(in: 0...26, using: &generator)
                }
            } else {
                bytes = Self.fromChild[Int.random(in: 0..<Self.fromChild.count, using: &generator)].bytes
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            if let message = try? ChildMessage(bytes) {
                good += 1
                #expect(message.bytes.count == bytes.count)
            }
            _ = try? HostMessage(bytes)
        }
        #expect(good > 100)
    }
}
