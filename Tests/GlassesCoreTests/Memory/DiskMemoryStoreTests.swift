import Foundation
import GlassesDomain
import Synchronization
import Testing

@testable import GlassesCore

@Suite struct DiskMemoryStoreTests {
    /// A store in a folder of its own, and what it logged.
    private final class Place: Sendable {
        let state = NSTemporaryDirectory() + "memory-\(UUID().uuidString)"
        private let lines = Mutex<[String]>([])

        var folder: String { state + "/extentos/memory" }
        var logged: [String] { lines.withLock { $0 } }
        var files: [String] {
            get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
        }

        func store() -> DiskMemoryStore {
            DiskMemoryStore(environment: ["XDG_STATE_HOME": state]) { [self] _, message, _ in
                lines.withLock { $0.append(message) }
            }
        }

        deinit {
            do { try FileManager.default.removeItem(atPath: state) } catch { print("\(state) stays: \(error)") }
        }
    }

    @Test func whatWasSavedIsLoadedByTheNextStore() async throws {
        let place = Place()
        await place.store().save(userId: "ann", profileJson: #"{"version":1}"#)
        #expect(await place.store().load(userId: "ann") == #"{"version":1}"#)
        #expect(await place.store().load(userId: nil) == nil)
        #expect(place.logged == ["memory.kept"])
    }

    @Test func aProfileThatCannotBeReadIsNotReplaced() async throws {
        let place = Place()
        let store = place.store()
        await store.save(userId: nil, profileJson: #"{"version":1}"#)
        let name = try #require(try place.files.first)
        // A link is not followed; it stands for whatever keeps a file from being read.
        let (path, real) = ("\(place.folder)/\(name)", place.state + "/real")
        try FileManager.default.moveItem(atPath: path, toPath: real)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: real)
        #expect(await store.load(userId: nil) == nil)
        await store.save(userId: nil, profileJson: "{}")
        await place.store().save(userId: nil, profileJson: "{}")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == #"{"version":1}"#)
        #expect(place.logged == ["memory.kept", "memory.unusable", "memory.not_saved", "memory.unusable"])
        // Nor is it by what was made without it, once it can be read again.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: real, toPath: path)
        await store.save(userId: nil, profileJson: "{}")
        #expect(await store.load(userId: nil) == #"{"version":1}"#)
        await store.save(userId: nil, profileJson: #"{"version":2}"#)
        #expect(await store.load(userId: nil) == #"{"version":2}"#)
    }

    @Test func aDamagedProfileIsPutAsideBeforeItIsReplaced() async throws {
        let place = Place()
        let store = place.store()
        await store.save(userId: nil, profileJson: "{}")
        let name = try #require(try place.files.first)
        try Data("{half".utf8).write(to: URL(fileURLWithPath: "\(place.folder)/\(name)"))
        await store.save(userId: nil, profileJson: #"{"version":1}"#)
        #expect(try place.files == [name, name + ".damaged"])
        #expect(try String(contentsOfFile: "\(place.folder)/\(name).damaged", encoding: .utf8) == "{half")
        #expect(await store.load(userId: nil) == #"{"version":1}"#)
        #expect(place.logged.last == "memory.put_aside")
    }
}
