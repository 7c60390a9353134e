import Foundation
import GlassesDomain
import GlassesPluginHost

/// Measures every installed recogniser on every corpus in every noise, and prints the table.
struct WordErrorProgram {
    let isJSON: Bool
    let isVerbose: Bool
    /// The plugin of the one recogniser that is measured; nil for all.
    let only: String?

    /// The program as `arguments` call it, which Scripts/word-errors has checked.
    init(_ arguments: [String]) {
        isJSON = arguments.contains("--json")
        isVerbose = arguments.contains("--verbose")
        only = arguments.firstIndex(of: "--engine").map { arguments[$0 + 1] }
    }

    func run() async throws {
        let host = PluginHost()
        let recognisers = await host.plugins(kind: .stt).map(\.manifest.id).filter { only == nil || $0 == only }
        guard !recognisers.isEmpty else { throw WordErrorFailure.noEngine(only) }
        let corpora = try await corpora(host)
        var measured = 0
        for id in recognisers {
            switch await host.speechToText(id: id) {
            case .failure(let error): note("\(id) is left out: \(error.message)")
            case .success(let engine):
                try await measure(engine, corpora)
                await engine.shutdown()
                measured += 1
            }
        }
        guard measured > 0 else { throw WordErrorFailure.noEngine(only) }
    }

    private func corpora(_ host: PluginHost) async throws -> [Corpus] {
        let voice = try await host.textToSpeech(id: "org.extentos.speech-classic").get()
        let flite = [
            try await Corpus.spoken(by: "cmu_us_slt", named: "Flite slt", of: voice),
            try await Corpus.spoken(by: "cmu_us_rms", named: "Flite rms", of: voice),
        ]
        await voice.shutdown()
        let festival = try Corpus.festival()
        return flite + [festival, festival.commands, try Corpus.people()]
    }

    private func measure(_ engine: any SpeechToTextEngine, _ corpora: [Corpus]) async throws {
        var measurement = Measurement(engine: engine)
        if isVerbose { measurement.detail = note }
        if !isJSON { tell("\n\(engine.id)\n\(TextTable.line(WordErrorRow.header))") }
        for corpus in corpora {
            for noise in NoiseCondition.all {
                let row = try await measurement.row(corpus, noise)
                tell(isJSON ? row.json.jsonText : TextTable.line(row.cells))
            }
        }
    }

    private func tell(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func note(_ line: String) { FileHandle.standardError.write(Data("word-errors: \(line)\n".utf8)) }
}
