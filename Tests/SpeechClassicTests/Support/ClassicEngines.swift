import Foundation
import GlassesDomain
import GlassesPluginHost
import Synchronization
import Testing

/// The plugin as the build made it, behind the real host.
enum ClassicEngines {
    static let id = "org.extentos.speech-classic"

    /// Lines that the plugin logged.
    static let log = Mutex<[String]>([])

    private static let host = host(.inProcess)

    /// A host that runs the plugin where the tests want it.
    static func host(_ isolation: PluginIsolation) -> PluginHost {
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

    static func synthesizer(_ settings: JSONValue = .object([:])) async throws -> any TextToSpeechEngine {
        try await host.textToSpeech(id: id, settings: settings).get()
    }
}

extension SpeechToTextEngine {
    /// The text of one utterance, handed over in blocks of 20 ms.
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

extension TextToSpeechEngine {
    /// All samples of a text.
    func samples(
        of text: String, voice: String? = nil, rate: Float = 1, pitch: Float = 0
    ) async throws -> [Int16] {
        var samples: [Int16] = []
        for try await block in synthesize(text, voice: voice, rate: rate, pitch: pitch) { samples += block.samples }
        return samples
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
