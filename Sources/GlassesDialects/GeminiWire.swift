import GlassesAudio
import GlassesDomain
import GlassesRealtime

/// ``GeminiClientMachine`` on bytes: messages of the realtime protocol on one side, of Gemini Live on the other, with the
/// microphone's audio at the rate that Gemini Live wants.
struct GeminiWire {
    /// What is to be done, in order.
    enum Step {
        /// Send this to the server; microphone audio may be overtaken by everything else.
        case send([UInt8], isAudio: Bool)
        /// Give this event to the client.
        case deliver([UInt8])
        /// Drop the connection and open another one.
        case reconnect
        /// The session cannot go on.
        case fail(ConnectionClosure)
    }

    /// What Gemini Live listens at; it takes other rates by resampling them itself.
    static let inputRate = 16_000
    /// The realtime protocol's own rate.
    static let protocolRate = 24_000
    private static let failedCloseCode: UInt16 = 1_011

    private var machine: GeminiClientMachine
    private let resampler: Resampler

    init(model: String, prefix: String) throws(AudioFormatError) {
        machine = GeminiClientMachine(model: model, prefix: prefix)
        resampler = try Resampler(inputRate: Self.protocolRate, outputRate: Self.inputRate)
    }

    /// The connection is open.
    mutating func opened() -> [Step] { machine.apply(.opened).map { step($0, isMicrophone: false) } }

    /// The connection has dropped; nothing is to be done when the session is over.
    mutating func dropped() -> [Step] { machine.apply(.dropped).map { step($0, isMicrophone: false) } }

    /// Whether the server has accepted what it was told last.
    var isAccepted: Bool { machine.isAccepted }

    /// The client sent a message.
    mutating func client(_ message: [UInt8]) -> [Step] {
        let event: Identified<ClientEvent>
        do {
            event = try RealtimeCodec.decodeClientEvent(message)
        } catch {
            return [.deliver(RealtimeCodec.encode(.error(RealtimeErrorInfo(error)), eventId: "event_invalid"))]
        }
        var isMicrophone = false
        if case .inputAudioBufferAppend = event.event { isMicrophone = true }
        return machine.apply(.event(event)).map { step($0, isMicrophone: isMicrophone) }
    }

    /// The server sent a message, as text or, as many do, as a binary frame. What cannot be read is told as an error.
    mutating func server(_ message: RealtimeMessage) -> [Step] {
        let bytes =
            switch message {
            case .text(let bytes), .binary(let bytes): bytes
            }
        do {
            return machine.apply(.message(try GeminiCodec.decodeServer(bytes))).map { step($0, isMicrophone: false) }
        } catch {
            let info = RealtimeErrorInfo(message: error.message, type: "server_error", code: error.code)
            return [.deliver(RealtimeCodec.encode(.error(info), eventId: "event_unreadable"))]
        }
    }

    private mutating func step(_ action: GeminiClientMachine.Action, isMicrophone: Bool) -> Step {
        switch action {
        case .send(.realtimeInput(.audio(let blob))):
            .send(GeminiCodec.encode(.realtimeInput(.audio(resampled(blob)))), isAudio: isMicrophone)
        case .send(let message): .send(GeminiCodec.encode(message), isAudio: false)
        case .deliver(let event): .deliver(RealtimeCodec.encode(event))
        case .reconnect: .reconnect
        case .fail(let code, let message):
            .fail(ConnectionClosure(code: code, message: message, closeCode: Self.failedCloseCode))
        }
    }

    private func resampled(_ blob: GeminiBlob) -> GeminiBlob {
        let samples = resampler.process(PCMBlock.samples(littleEndian: blob.data))
        return .pcm(PCMBlock(samples: samples, sampleRate: Self.inputRate).littleEndianBytes, rate: Self.inputRate)
    }
}
