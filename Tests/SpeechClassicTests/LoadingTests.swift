import Foundation
import GlassesDomain
import Synchronization
import Testing

extension SpeechClassicTests {
    @Suite struct LoadingTests {
        @Test func aMissingLibraryIsUnavailableAndNamesThePackage() async throws {
            let settings: JSONValue = ["libraryFolder": "/nonexistent"]
            let speech = await Result(catching: { try await ClassicEngines.recognizer(settings) }).failureCode
            let voice = await Result(catching: { try await ClassicEngines.synthesizer(settings) }).failureCode
            #expect(speech == "engine_unavailable")
            #expect(voice == "engine_unavailable")
            for package in ["libpocketsphinx3", "libflite1"] {
                #expect(await eventually { logged("apt-get install \(package)") && logged("Scripts/setup") })
            }
        }

        @Test func aMissingModelIsUnavailableAndNamesTheFileAndThePackage() async throws {
            let settings: JSONValue = ["modelFolder": "/nonexistent"]
            let code = await Result(catching: { try await ClassicEngines.recognizer(settings) }).failureCode
            #expect(code == "engine_unavailable")
            #expect(await eventually { logged("/nonexistent/en-us.lm.bin") && logged("pocketsphinx-en-us") })
        }

        @Test func aModelWithAMissingPartIsRefusedBeforeTheLibraryReadsIt() async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("model-\(UUID().uuidString)")
                .path
            try FileManager.default.createDirectory(atPath: folder + "/en-us", withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let model = "/usr/share/pocketsphinx/model/en-us"
            for file in ["en-us.lm.bin", "cmudict-en-us.dict", "en-us/feat.params", "en-us/mdef"] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(file)", withDestinationPath: "\(model)/\(file)")
            }
            let code = await Result(catching: { try await ClassicEngines.recognizer(["modelFolder": .string(folder)]) })
                .failureCode
            #expect(code == "engine_unavailable")
            #expect(await eventually { logged("\(folder)/en-us/means") })
        }

        @Test(
            arguments: [
                ["libraryFolder": 5], ["libraryFolder": "relative/path"], ["modelFolder": [1]], ["modelFolder": ""],
                ["voice": true], [1, 2], "text", 7,
            ] as [JSONValue])
        func settingsOfTheWrongKindAreRefused(settings: JSONValue) async throws {
            let speech = await Result(catching: { try await ClassicEngines.recognizer(settings) }).failureCode
            let voice = await Result(catching: { try await ClassicEngines.synthesizer(settings) }).failureCode
            #expect(speech != nil)
            #expect(voice != nil)
        }

        @Test func unknownSettingsAreIgnored() async throws {
            let voice = try await ClassicEngines.synthesizer(["colour": "green", "libraryFolder": nil])
            await voice.shutdown()
        }

        @Test func anEngineThatIsShutDownUnusedEndsAtOnce() async throws {
            let recognizer = try await ClassicEngines.recognizer()
            let took = await ContinuousClock().measure { await recognizer.shutdown() }
            #expect(took < .seconds(4))
        }

        private func logged(_ part: String) -> Bool {
            ClassicEngines.log.withLock { $0.contains { $0.contains(part) } }
        }
    }
}
