import Foundation
import GlassesDomain
import GlassesPluginHost

/// Measures every installed recogniser on every corpus in every noise, and prints the table.
struct WordErrorProgram {
    let isJSON: Bool
    let isVerbose: Bool

    func run() async throws {
        let host = PluginHost()
        let recognisers = await host.plugins(kind: .stt).map(\.manifest.id)
        guard !recognisers.isEmpty else { throw WordErrorFailure.noEngine }
        let corpora = try await corpora(host)
        for id in recognisers {
            switch await host.speechToText(id: id) {
            case .failure(let error): note("\(id) is left out: \(error.message)")
            case .success(let engine):
                try await measure(engine, corpora)
                await engine.shutdown()
            }
        }
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
        var rows: [WordErrorRow] = []
        for corpus in corpora {
            for noise in NoiseCondition.all {
                let row = try await measurement.row(corpus, noise)
                rows.append(row)
                if isJSON { print(row.json.jsonText) }
            }
        }
        guard !isJSON else { return }
        print(engine.id)
        for line in TextTable.lines([WordErrorRow.header] + rows.map(\.cells)) { print("  " + line) }
        print("")
    }

    private func note(_ line: String) { FileHandle.standardError.write(Data("word-errors: \(line)\n".utf8)) }
}
