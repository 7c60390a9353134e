import CGlassesPlugin
import GlassesDomain
import GlassesPluginHost
import Glibc

/// One instance of a factory, with the recorder that hears it.
///
/// All kinds share the beginning of their structs (`activate` and `describe`) and end in `destroy`; both are called by offset.
final class InstanceUnderTest {
    let kind: PluginKind
    let run: CaseRun
    let recorder: Recorder
    let table: UnsafeRawPointer
    private var nextRequest: UInt64 = 0

    private typealias Create =
        @convention(c) (
            UnsafeRawPointer, UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeRawPointer?>
        ) -> glasses_result
    private typealias Simple = @convention(c) (UnsafeMutableRawPointer?) -> glasses_result
    private typealias Destroy = @convention(c) (UnsafeMutableRawPointer?) -> Void
    private typealias Describe =
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Int>
        ) -> glasses_result

    private enum Offset {
        static let create = 8
        static let instance = 8
        static let activate = 16
        static let describe = 24
    }

    private init(kind: PluginKind, run: CaseRun, recorder: Recorder, table: UnsafeRawPointer) {
        self.kind = kind
        self.run = run
        self.recorder = recorder
        self.table = table
    }

    /// What a create call made; nil when it made nothing.
    convenience init?(_ creation: Creation, _ kind: PluginKind, _ run: CaseRun) {
        guard creation.result == GLASSES_OK, let table = creation.table else { return nil }
        self.init(kind: kind, run: run, recorder: creation.recorder, table: table)
    }

    /// The size of this version's struct of a kind.
    static func tableSize(_ kind: PluginKind) -> Int {
        switch kind {
        case .transport: MemoryLayout<glasses_transport>.size
        case .stt: MemoryLayout<glasses_stt>.size
        case .tts: MemoryLayout<glasses_tts>.size
        case .vad: MemoryLayout<glasses_vad>.size
        case .brain: 0
        }
    }

    /// The ABI's name of an instance's struct, such as `glasses_stt`.
    static func structName(_ kind: PluginKind) -> String { "glasses_" + kind.rawValue }
    private var name: String { Self.structName(kind) }

    /// What a create call ended with.
    struct Creation {
        var result: glasses_result
        var table: UnsafeRawPointer?
        var recorder: Recorder
    }

    /// Calls create; `hostTable` is memory of `hostSize` bytes, nil for plain memory of this version's size.
    static func create(
        _ kind: PluginKind, _ entry: EntryUnderTest, _ run: CaseRun, settings: String? = nil,
        hostTable: UnsafeMutableRawPointer? = nil, hostSize: Int? = nil
    ) throws(CaseEnd) -> Creation {
        guard let known = CallbackTable.size(for: kind) else { throw .skipped("no factory of this kind exists yet") }
        guard let factory = entry.factory(kind.factoryId) else {
            throw .failed("get_factory(\"\(kind.factoryId)\") answered null.")
        }
        let size = hostSize ?? known
        let host = hostTable ?? UnsafeMutableRawPointer.allocate(byteCount: max(size, known), alignment: 16)
        let recorder = Recorder()
        try CallbackTable.write(kind, to: host, size: size, recorder: recorder)
        let create = unsafeBitCast(factory.load(fromByteOffset: Offset.create, as: UInt.self), to: Create.self)
        var made: UnsafeRawPointer?
        let result = run.call(structName(kind) + "_factory.create") { create(host, settings ?? run.settings, &made) }
        return Creation(result: result, table: made, recorder: recorder)
    }

    /// An instance that was created and not yet activated.
    static func created(_ kind: PluginKind, _ run: CaseRun, settings: String? = nil) throws(CaseEnd)
        -> InstanceUnderTest
    {
        try created(kind, try EntryUnderTest.activated(run), run, settings: settings)
    }

    /// Another instance of a loaded plugin.
    static func created(
        _ kind: PluginKind, _ entry: EntryUnderTest, _ run: CaseRun, settings: String? = nil
    ) throws(CaseEnd) -> InstanceUnderTest {
        let creation = try create(kind, entry, run, settings: settings)
        guard creation.result == GLASSES_OK else {
            throw .failed("create answered \(KnownResults.name(creation.result)) for its settings.")
        }
        guard let instance = InstanceUnderTest(creation, kind, run) else {
            throw .failed("create answered OK and no instance.")
        }
        return instance
    }

    /// An instance that is ready for use; skips the case where what it needs is missing.
    static func activated(_ kind: PluginKind, _ run: CaseRun) throws(CaseEnd) -> InstanceUnderTest {
        let instance = try created(kind, run)
        try instance.activate()
        return instance
    }

    /// Activates it; skips the case where what it needs is missing.
    func activate() throws(CaseEnd) {
        let result = activateResult()
        if result == GLASSES_ERROR_UNAVAILABLE { throw .skipped("what the plugin needs is missing on this machine") }
        try expect(result == GLASSES_OK, "\(name).activate answered \(KnownResults.name(result)).")
    }

    /// What activate answers.
    func activateResult() -> glasses_result {
        let activate = function(Offset.activate, as: Simple.self)
        return run.call(name + ".activate") { activate(instance) }
    }

    /// What describe answers for a buffer.
    func describe(_ buffer: UnsafeMutablePointer<CChar>, _ capacity: Int) -> (result: glasses_result, length: Int) {
        let describe = function(Offset.describe, as: Describe.self)
        var length = 0
        let result = run.call(name + ".describe") { describe(instance, buffer, capacity, &length) }
        return (result, length)
    }

    /// The text of describe.
    func description() throws(CaseEnd) -> [UInt8] {
        let capacity = Int(GLASSES_MESSAGE_MAX) + 1
        let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
        defer { buffer.deallocate() }
        let (result, length) = describe(buffer, capacity)
        try expect(
            result == GLASSES_OK,
            "\(name).describe answered \(KnownResults.name(result)) for a buffer of \(capacity) bytes.")
        try expect((0..<capacity).contains(length), "\(name).describe told the length \(length).")
        return (0..<length).map { UInt8(bitPattern: buffer[$0]) }
    }

    /// The object of describe.
    func facts() throws(CaseEnd) -> JSONValue {
        let text = try description()
        do {
            let value = try JSONValue(jsonText: text)
            if case .object = value { return value }
        } catch {
            throw .failed("\(name).describe is \(error.description).")
        }
        throw .failed("\(name).describe is JSON, but no object.")
    }

    /// Ends it, and answers how long that took.
    @discardableResult
    func destroy() -> Duration {
        let destroy = function(Self.tableSize(kind) - MemoryLayout<UInt>.size, as: Destroy.self)
        return run.timed(name + ".destroy") { destroy(instance) }.1
    }

    /// The plugin's own pointer.
    var instance: UnsafeMutableRawPointer? {
        table.load(fromByteOffset: Offset.instance, as: UnsafeMutableRawPointer?.self)
    }

    /// A request id that was not used before.
    func newRequest() -> UInt64 {
        nextRequest += 1
        return nextRequest
    }

    private func function<T>(_ offset: Int, as type: T.Type) -> T {
        unsafeBitCast(table.load(fromByteOffset: offset, as: UInt.self), to: type)
    }
}
