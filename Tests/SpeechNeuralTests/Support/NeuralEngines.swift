import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization
import Testing

/// The plugin as the build made it, behind the real host.
enum NeuralEngines {
    static let id = "org.extentos.speech-neural"

    /// Lines that the plugin logged.
    static let log = Mutex<[String]>([])

    // Memory is measured, and libraries that hang are let go, in this process.
    private static let host = makeHost(isolation: .inProcess)
    /// A host whose plugins run in children without any right that was not granted.
    static let confining = makeHost(isolation: .process)

    private static func makeHost(isolation: PluginIsolation) -> PluginHost {
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        let buildFolder = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        configuration.searchPath = PluginSearchPath(entries: [buildFolder])
        configuration.cacheFolder = nil
        configuration.isolation = isolation
        // A busy test machine may take seconds for a process start.
        configuration.probeLimit = .seconds(20)
        configuration.onLog = { line in log.withLock { $0.append(line.text) } }
        return PluginHost(configuration: configuration)
    }

    static func recognizer(_ settings: JSONValue = .object([:])) async throws -> any SpeechToTextEngine {
        try await host.speechToText(id: id, settings: settings).get()
    }

    static func detector(_ settings: JSONValue = .object([:])) async throws -> any VoiceActivityEngine {
        try await host.voiceActivity(id: id, settings: settings).get()
    }

    /// Whether the plugin logged a line with all of these parts.
    static func logged(_ parts: String...) -> Bool {
        log.withLock { lines in lines.contains { line in parts.allSatisfy { line.contains($0) } } }
    }
}

extension SpeechToTextEngine {
    /// The text of one utterance of a minute at most, handed over in blocks of 20 ms; throws what `finish()` throws.
    func recognize(_ samples: [Int16]) async throws -> RecognitionResult {
        let utterance = start { _ in }
        var isTaken = true
        for start in stride(from: 0, to: samples.count, by: 320) {
            isTaken = utterance.push(Array(samples[start..<min(start + 320, samples.count)])) && isTaken
        }
        let result = try await utterance.finish()
        // An engine that is gone takes nothing, and says so in its failure; one that heard has taken all.
        #expect(isTaken)
        return result
    }
}

extension Result where Failure == any Error {
    /// The outcome of an asynchronous body.
    init(catching body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }

    /// The code of a speech engine's error; nil for a success.
    var failureCode: String? {
        guard case .failure(let error) = self else { return nil }
        return (error as? SpeechEngineError)?.code ?? "not a speech engine's error: \(error)"
    }
}

/// Waits for a condition, at most `limit`; false when it did not come true.
func eventually(within limit: Duration = .seconds(30), _ condition: @Sendable () async -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while ContinuousClock.now < deadline {
        if await condition() { return true }
        try? await Task.sleep(for: .milliseconds(5))
    }
    return await condition()
}
