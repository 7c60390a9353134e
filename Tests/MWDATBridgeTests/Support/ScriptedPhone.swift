import Foundation
import GlassesDomain
import GlassesNet
import GlassesWebSocket
import Glibc
import Synchronization
import Testing

@testable import MWDATBridge
@testable import MWDATCore

/// A phone that a test plays: greets as `docs/dat-bridge.md` tells, then notes commands and sends what the test says.
final class ScriptedPhone: Sendable {
    enum Secret: Sendable {
        case code(String)
        case key([UInt8])
    }

    enum Greeting: Sendable, Equatable {
        /// Let in; the key that is good from now on.
        case welcomed(key: [UInt8])
        case refused(LinkRefused)
        case over
    }

    private struct State {
        var commands: [LinkCommand] = []
        var end: Refusal?
        var thread: LinkThread?
        var credit = 0
    }

    let wire: any LinkWire
    let identifier: String
    private let state = Mutex(State())

    init(_ wire: any LinkWire, identifier: String = "phone-1") {
        self.wire = wire
        self.identifier = identifier
    }

    var commands: [LinkCommand] { state.withLock { $0.commands } }
    var end: Refusal? { state.withLock { $0.end } }
    var credit: Int { state.withLock { $0.credit } }

    /// Greets; blocks.
    func greet(_ secret: Secret, nonce: String = String(repeating: "5a", count: 32), versions: [Int] = [1]) -> Greeting
    {
        let name: LinkSecret = if case .code = secret { .code } else { .key }
        wire.send(
            .control(
                .hello(
                    LinkHello(
                        versions: versions, name: "Test phone", version: "1", peer: identifier, nonce: nonce,
                        secret: name))))
        switch next() {
        case .control(.challenge(let challenge)):
            let transcript = GreetingTranscript(
                version: challenge.version, offered: versions, peer: identifier, host: challenge.host, secret: name,
                peerNonce: nonce, hostNonce: challenge.nonce)
            let key: [UInt8]
            switch secret {
            case .code(let code):
                let plain = code.uppercased().filter { $0 != "-" }
                key = transcript.secret(ofCode: plain, rounds: challenge.rounds ?? 0) ?? []
            case .key(let known): key = known
            }
            wire.send(.control(.proof(Hexadecimal.text(transcript.phoneProof(key)))))
            return welcome(transcript, key, isCode: name == .code)
        case .control(.refused(let refused)): return .refused(refused)
        default: return .over
        }
    }

    private func welcome(_ transcript: GreetingTranscript, _ secret: [UInt8], isCode: Bool) -> Greeting {
        switch next() {
        case .control(.welcome(let welcome)) where welcome.proof == Hexadecimal.text(transcript.hostProof(secret)):
            return .welcomed(key: isCode ? transcript.pairingKey(secret) : secret)
        case .control(.refused(let refused)): return .refused(refused)
        default: return .over
        }
    }

    /// The next message; nil at the end.
    func next() -> LinkMessage? {
        if case .message(let message) = wire.receive(until: .now + .seconds(60)) { message } else { nil }
    }

    /// Greets, then takes messages on a thread of its own.
    func enter(_ secret: Secret, isMute: Bool = false) async -> Greeting {
        let greeting = await onThread { self.greet(secret) }
        if case .welcomed = greeting { serve(isMute: isMute) }
        return greeting
    }

    func serve(isMute: Bool = false) {
        let thread = LinkThread(name: "scripted-phone") { [self] in
            while true {
                switch wire.receive(until: nil) {
                case .message(.command(let command)): state.withLock { $0.commands.append(command) }
                case .message(.control(.ping)): if !isMute { wire.send(.control(.pong)) }
                case .message(.control(.credit(let frames))):
                    state.withLock { $0.credit += frames }
                    wire.grant(frames: frames)
                case .message(.control(.bye(let refusal))): state.withLock { $0.end = refusal }
                case .message, .timedOut: break
                case .interrupted: return
                case .ended(let refusal): return state.withLock { $0.end = $0.end ?? refusal }
                }
            }
        }
        state.withLock { $0.thread = thread }
    }

    func tell(_ event: LinkEvent) { wire.send(.event(event)) }

    /// Ends the connection without a word.
    func leave() async {
        await onThread { [self] in
            wire.interrupt()
            state.withLock { $0.thread }?.wait(within: .seconds(20))
            wire.finish(within: .zero)
        }
    }
}

extension ScriptedPhone {
    /// A phone that calls over TCP.
    static func calling(_ address: String, identifier: String = "phone-1") throws -> ScriptedPhone {
        ScriptedPhone(try SocketWire.calling(address), identifier: identifier)
    }

    /// A phone that calls over WebSocket.
    static func calling(
        webSocket url: String, caFile: String? = nil, identifier: String = "phone-1"
    ) async throws -> ScriptedPhone {
        let dialler = try WebSocketDialler(url: try #require(URL(string: url)), caFile: caFile)
        guard case .connected(let wire, _) = await onThread({ dialler.dial() }) else { throw POSIXError(.ECONNREFUSED) }
        return ScriptedPhone(wire, identifier: identifier)
    }
}

extension SocketWire {
    /// A wire to a listening address of this machine.
    static func calling(_ address: String) throws -> SocketWire {
        let dialler = try TCPDialler(NumericAddress(address))
        guard case .connected(let wire, _) = dialler.dial(), let wire = wire as? SocketWire else {
            throw POSIXError(.ECONNREFUSED)
        }
        return wire
    }
}
