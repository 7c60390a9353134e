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

    private static let host: PluginHost = {
        var configuration = PluginHostConfiguration(folders: [], environment: [:])
        let buildFolder = (CommandLine.arguments[0] as NSString).deletingLastPathComponent
        configuration.searchPath = PluginSearchPath(entries: [buildFolder])
        configuration.cacheFolder = nil
        // A busy test machine may take seconds for a process start.
        configuration.probeLimit = .seconds(20)
        configuration.onLog = { line in log.withLock { $0.append(line.text) } }
        return PluginHost(configuration: configuration)
    }()

    static func recognizer(_ settings: JSONValue = .object([:])) async throws -> any SpeechToTextEngine {
        try await host.speechToText(id: id, settings: settings).get()
    }
}

extension SpeechToTextEngine {
    /// The text of one utterance, handed over in blocks of 20 ms.
    func recognize(_ samples: [Int16]) async throws -> RecognitionResult {
        let utterance = start { _ in }
        for start in stride(from: 0, to: samples.count, by: 320) {
            #expect(utterance.push(Array(samples[start..<min(start + 320, samples.count)])))
        }
        return try await utterance.finish()
    }
}
