import Foundation
import GlassesDomain
import GlassesRealtime
import GlassesServer
import GlassesWebSocket
import Synchronization

/// A Gemini Live server on a free port that answers each turn with its words and a tone, and keeps everything that came.
final class LiveServer: Sendable {
    /// What a test decides.
    struct Manner: Sendable {
        /// The code that a connection with a handle is closed with; nil accepts it.
        var refusal: UInt16?
        /// Whether each answer is followed by a handle.
        var givesHandles = true
    }

    /// One connection of a client.
    final class Connection: WebSocketReceiver {
        private struct State {
            var messages: [GeminiClientMessage] = []
            var closeCode: UInt16?
            var handles = 0
            /// Words that came and wait for the end of the turn.
            var waiting: [String] = []
        }

        let channel: any WebSocketChannel
        private let number: Int
        private let manner: Manner
        private let state = Mutex(State())

        init(_ channel: any WebSocketChannel, number: Int, manner: Manner) {
            self.channel = channel
            self.number = number
            self.manner = manner
        }

        var messages: [GeminiClientMessage] { state.withLock { $0.messages } }
        /// How the client, or this side, closed it; nil while it is open.
        var closeCode: UInt16? { state.withLock { $0.closeCode } }
        var setup: GeminiSetup? { if case .setup(let setup)? = messages.first { setup } else { nil } }
        /// The newest handle that was given.
        var handle: String { state.withLock { "handle-\(number)-\($0.handles)" } }

        /// The words that came as turns of the conversation, with who said them.
        var words: [String] {
            messages.flatMap { message -> [GeminiContent] in
                if case .clientContent(let turns, _) = message { turns } else { [] }
            }.flatMap { turn in turn.words.map { "\(turn.role ?? "") \($0)" } }
        }

        /// What the client told of the user's speech, without its sound.
        var activities: [GeminiRealtimeInput] {
            messages.compactMap { message in
                switch message {
                case .realtimeInput(.activityStart): .activityStart
                case .realtimeInput(.activityEnd): .activityEnd
                default: nil
                }
            }
        }

        /// The milliseconds of sound that came.
        var heardMilliseconds: Int {
            messages.reduce(0) { sum, message in
                if case .realtimeInput(.audio(let blob)) = message { sum + blob.data.count / 32 } else { sum }
            }
        }

        func say(_ body: GeminiServerMessage.Body) {
            _ = channel.send(.binary(GeminiCodec.encode(GeminiServerMessage(body))), lane: .control)
        }

        func goAway(_ milliseconds: Int) { say(.goAway(timeLeftMs: milliseconds)) }

        func received(_ message: RealtimeMessage) {
            guard case .text(let bytes) = message else { return }
            let decoded: GeminiClientMessage
            do { decoded = try GeminiCodec.decodeClient(bytes) } catch { return channel.close(code: 1_007, reason: "") }
            state.withLock { $0.messages.append(decoded) }
            switch decoded {
            case .setup(let setup):
                if setup.resumptionHandle != nil, let code = manner.refusal {
                    return channel.close(code: code, reason: "no such session")
                }
                say(.setupComplete(sessionId: nil))
            case .clientContent(let turns, let isComplete): took(turns, isComplete)
            case .realtimeInput(.activityEnd): answerSpeech()
            case .realtimeInput, .toolResponse, .unknown: break
            }
        }

        func drained() {}
        func closed(_ closure: ConnectionClosure) { state.withLock { $0.closeCode = closure.closeCode ?? 1_006 } }

        private func took(_ turns: [GeminiContent], _ isComplete: Bool) {
            let words = turns.last(where: { $0.role == "user" })?.words ?? []
            let all = state.withLock { state in
                state.waiting += words
                defer { if isComplete { state.waiting = [] } }
                return state.waiting
            }
            if isComplete { speak("You said \(all.last ?? "nothing").") }
        }

        private func answerSpeech() {
            let turns = activities.count { $0 == .activityEnd }
            var heard = GeminiServerContent()
            heard.inputTranscription = GeminiTranscription(text: "spoken \(turns)", isFinished: true)
            say(.serverContent(heard))
            speak("You said spoken \(turns).")
        }

        private func speak(_ words: String) {
            var content = GeminiServerContent()
            content.outputTranscription = GeminiTranscription(text: words)
            let tone = PCMBlock(samples: [Int16](repeating: 500, count: 480 * words.count), sampleRate: 24_000)
            content.modelTurn = .model(.inlineData(.pcm(tone.littleEndianBytes, rate: 24_000)))
            say(.serverContent(content))
            var end = GeminiServerContent()
            end.isGenerationComplete = true
            end.isTurnComplete = true
            say(.serverContent(end))
            if manner.givesHandles { giveHandle() }
        }

        /// Tells the handle by which the conversation as it is now can be resumed.
        func giveHandle() {
            state.withLock { $0.handles += 1 }
            say(.sessionResumptionUpdate(handle: handle))
        }
    }

    private final class Arrivals: Sendable {
        let connections = Mutex<[Connection]>([])
    }

    private let server: HTTPServer
    private let arrivals = Arrivals()

    init(_ manner: Manner = Manner()) throws {
        let arrivals = arrivals
        let handler = AsyncHTTPHandler { request in
            guard request.webSocket != nil else {
                return .response(.error(426, code: "upgrade_required", message: "Connect by WebSocket."))
            }
            return .upgrade(
                WebSocketUpgrade { channel in
                    arrivals.connections.withLock { all in
                        let connection = Connection(channel, number: all.count, manner: manner)
                        all.append(connection)
                        return connection
                    }
                })
        }
        server = try HTTPServer.start(
            configuration: ServerConfiguration(listen: try ListenAddress("127.0.0.1:0")), handler: handler)
    }

    /// Where a client of Gemini Live connects.
    var url: URL {
        get throws {
            let method = "google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent"
            guard let url = URL(string: "ws://127.0.0.1:\(server.port)/ws/\(method)") else {
                throw GatewayProcess.NotUp(output: "\(server.port)")
            }
            return url
        }
    }

    var connections: [Connection] { arrivals.connections.withLock { $0 } }

    func stop() async { await server.drain(within: .seconds(1)) }
}

extension GeminiContent {
    /// Its words, piece by piece.
    fileprivate var words: [String] { parts.compactMap { if case .text(let text, _) = $0 { text } else { nil } } }
}
