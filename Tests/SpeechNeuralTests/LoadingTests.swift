import Foundation
import GlassesDomain
import Testing

extension SpeechNeuralTests {
    @Suite struct LoadingTests {
        /// Both engines refuse the files, and the log names the one that is wrong and what to do.
        private func expectRefusal(_ tree: EngineTree, naming file: String) async throws {
            let path = tree.path(file)
            let speech = await Result(catching: { try await NeuralEngines.recognizer(tree.settings) }).failureCode
            #expect(speech == "engine_unavailable")
            if !file.hasPrefix(EngineTree.moonshine) {
                let voice = await Result(catching: { try await NeuralEngines.detector(tree.settings) }).failureCode
                #expect(voice == "engine_unavailable")
            }
            let isNamed = await eventually { NeuralEngines.logged(path, "run Scripts/setup") }
            #expect(isNamed, "\(path)")
        }

        private static let files = [
            EngineTree.sherpa + "/libsherpa-onnx-c-api.so", EngineTree.sherpa + "/libonnxruntime.so",
            EngineTree.moonshine + "/encoder_model.ort", EngineTree.moonshine + "/decoder_model_merged.ort",
            EngineTree.moonshine + "/tokens.txt", EngineTree.silero + "/silero_vad.onnx",
        ]

        @Test(arguments: [EngineTree.sherpa, EngineTree.moonshine, EngineTree.silero])
        func anEngineThatIsNotInstalledIsUnavailable(engine: String) async throws {
            let tree = try EngineTree()
            try tree.remove(engine)
            try await expectRefusal(tree, naming: engine)
        }

        @Test(arguments: [EngineTree.sherpa, EngineTree.moonshine, EngineTree.silero])
        func aHalfUnpackedEngineIsUnavailable(engine: String) async throws {
            let tree = try EngineTree()
            // The manifest is what set-up writes last.
            try tree.remove(engine + "/MANIFEST")
            try await expectRefusal(tree, naming: engine + "/MANIFEST")
        }

        @Test(arguments: files) func aMissingFileIsUnavailable(file: String) async throws {
            let tree = try EngineTree()
            try tree.remove(file)
            try await expectRefusal(tree, naming: file)
        }

        @Test(arguments: files) func aTruncatedFileIsUnavailable(file: String) async throws {
            let tree = try EngineTree()
            try tree.replace(file) { $0.removeLast() }
            try await expectRefusal(tree, naming: file)
        }

        @Test(arguments: files) func aFileWithAnotherHashIsUnavailable(file: String) async throws {
            let tree = try EngineTree()
            try tree.replace(file) { $0[$0.count / 2] ^= 1 }
            try await expectRefusal(tree, naming: file)
        }

        @Test func aManifestThatLacksAFileIsUnavailable() async throws {
            let tree = try EngineTree()
            try tree.replace(EngineTree.silero + "/MANIFEST") { $0 = Data("damaged \u{0}\n\n1 2 3\n".utf8) }
            try await expectRefusal(tree, naming: EngineTree.silero + "/MANIFEST")
        }

        @Test func copiedFilesAreHashedAndUsed() async throws {
            let tree = try EngineTree()
            for file in Self.files { try tree.replace(file) }
            let recognizer = try await NeuralEngines.recognizer(tree.settings)
            await recognizer.shutdown()
        }

        @Test func aLibraryThatDoesNotLoadIsUnavailable() async throws {
            let tree = try EngineTree()
            try tree.replace(EngineTree.sherpa + "/libsherpa-onnx-c-api.so") { $0 = Data("no library".utf8) }
            try await tree.signSherpa()
            let code = await Result(catching: { try await NeuralEngines.recognizer(tree.settings) }).failureCode
            #expect(code == "engine_unavailable")
            #expect(
                await eventually { NeuralEngines.logged("libsherpa-onnx-c-api.so cannot be loaded; run Scripts/setup") }
            )
        }

        @Test func aLibraryWithoutTheFunctionsIsUnavailable() async throws {
            let tree = try EngineTree()
            let library = EngineTree.sherpa + "/libsherpa-onnx-c-api.so"
            try tree.remove(library)
            try FileManager.default.copyItem(
                atPath: URL(fileURLWithPath: tree.path(EngineTree.sherpa + "/libonnxruntime.so"))
                    .resolvingSymlinksInPath().path, toPath: tree.path(library))
            try await tree.signSherpa()
            let code = await Result(catching: { try await NeuralEngines.recognizer(tree.settings) }).failureCode
            #expect(code == "engine_unavailable")
            #expect(await eventually { NeuralEngines.logged("has no function SherpaOnnxCreateOfflineRecognizer") })
        }

        @Test(arguments: ["NO_RECOGNIZER", "NO_DETECTOR"])
        func aModelThatTheLibraryRefusesIsUnavailable(macro: String) async throws {
            let tree = try EngineTree()
            try await tree.fakeSherpa([macro])
            let code = await Result(catching: { try await NeuralEngines.recognizer(tree.settings) }).failureCode
            #expect(code == "engine_unavailable")
            #expect(await eventually { NeuralEngines.logged("model in \(tree.root)") })
        }

        @Test(
            arguments: [
                ["enginesFolder": 5], ["enginesFolder": "relative/path"], ["enginesFolder": ""], [1, 2], "text", 7,
            ] as [JSONValue])
        func settingsOfTheWrongKindAreRefused(settings: JSONValue) async throws {
            #expect(await Result(catching: { try await NeuralEngines.recognizer(settings) }).failureCode != nil)
            #expect(await Result(catching: { try await NeuralEngines.detector(settings) }).failureCode != nil)
        }
    }
}
