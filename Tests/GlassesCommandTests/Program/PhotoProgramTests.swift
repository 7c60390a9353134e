import Foundation
import GlassesCore
import TestProcess
import Testing

@Suite("The program's photos, with the virtual device")
struct PhotoProgramTests {
    private let root = NSTemporaryDirectory() + "photo-" + UUID().uuidString

    private func run(_ arguments: [String]) async throws -> TestProcess.Outcome {
        var process = TestProcess(GlassesProgram.path, arguments)
        process.environment = GlassesProgram.environment.merging(["XDG_CACHE_HOME": root]) { _, own in own }
        process.limit = .seconds(120)
        return try await process.run()
    }

    private func remove() {
        do { try FileManager.default.removeItem(atPath: root) } catch { return }  // Nothing was written.
    }

    @Test("a photo says where it is and how large, and lies in the cache for its owner alone")
    func photo() async throws {
        let outcome = try await run(["photo", "--device", "null", "--still", "--json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        let photo = try #require(try outcome.events().first)
        let path = try #require(photo["path"]?.stringValue)
        #expect(path.hasPrefix(root + "/extentos/captures/"))
        #expect(photo["width"] == 504 && photo["height"] == 896)
        #expect(photo["exif"]?["Orientation"] == 1)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        // The virtual camera takes no stills of its own, and that is said.
        #expect(outcome.errors.contains("a frame of its stream"))
        remove()
    }

    @Test("a file that exists is not replaced, and one that cannot be written is named")
    func out() async throws {
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        let file = root + "/picture.jpg"
        let first = try await run(["photo", "--device", "null", "--resolution", "low", "--out", file])
        #expect(first.code == 0)
        #expect(first.output == "\(file)  360×640\n")
        let again = try await run(["photo", "--device", "null", "--out", file])
        #expect(again.code == 2)
        let nowhere = try await run(["photo", "--device", "null", "--json", "--out", root + "/none/picture.jpg"])
        #expect(nowhere.code == 3)
        #expect(try nowhere.events().first?["code"] == "not_writable")
        remove()
    }

    @Test(
        "options that make no sense are refused",
        arguments: [
            ["photo", "--device", "null", "--camera", "x"], ["photo", "--camera", ""], ["photo", "--out", ""],
            ["photo", "--resolution", "huge"], ["record", "--seconds", "1.5"], ["record", "--seconds", "0"],
            ["record", "--no-sound", "--mic", "x"],
        ])
    func refusals(_ arguments: [String]) async throws { #expect(try await run(arguments).code == 2) }
}
