import Foundation
import GlassesCore

/// Prints and counts what it is told.
struct PrintedRelay: Relay {
    let told = Counter()

    func resume() { tell("resume") }
    func hold(_ reason: String) { tell("hold, \(reason)") }
    func stop() { tell("stop") }

    private func tell(_ text: String) {
        print("relay: \(text)")
        told.add()
    }
}

/// Uses glasses that no device stands behind.
@MainActor
func scenario(_ glasses: any ExtentosGlasses) async throws {
    print("declared: \(glasses.usedCapabilities.map { "\($0)" }.joined(separator: ", "))")
    try await showFrames(
        glasses, render: { _ in print("frame") }, log: { print("log: \($0.prefix(28))") }, showHint: { print($0) })
    let relay = PrintedRelay()
    let following = Task { await follow(glasses, relay) }
    try await until("the relay is told") { relay.told.count > 0 }
    following.cancel()
    let session = try await startAssistant(glasses)
    print("assistant: \(session.state.current)")
    await session.stop()
    print("assistant: \(session.state.current)")
    await glasses.shutdown()
}
