import CGlassesPlugin
import GlassesPluginHost
import Glibc

/// The plugin's library in this process, with its entry.
struct EntryUnderTest {
    typealias Function = @convention(c) () -> UnsafePointer<glasses_entry>?

    /// The exported function.
    let function: Function
    /// What it answered.
    let pointer: UnsafePointer<glasses_entry>
    private let run: CaseRun

    /// Loads the library and asks for its entry.
    static func load(_ run: CaseRun) throws(CaseEnd) -> EntryUnderTest {
        let path = run.package.libraryPath
        guard let handle = run.call("dlopen", { dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) }) else {
            throw .failed(
                "The library cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "no reason given").")
        }
        guard let symbol = dlsym(handle, GLASSES_ENTRY_SYMBOL) else {
            throw .failed("The library does not export \(GLASSES_ENTRY_SYMBOL).")
        }
        let function = unsafeBitCast(symbol, to: Function.self)
        guard let pointer = run.call(GLASSES_ENTRY_SYMBOL, { function() }) else {
            throw .failed("\(GLASSES_ENTRY_SYMBOL) answered null.")
        }
        return EntryUnderTest(function: function, pointer: pointer, run: run)
    }

    /// Loads the library and activates it with the case's host.
    static func activated(_ run: CaseRun) throws(CaseEnd) -> EntryUnderTest {
        let entry = try load(run)
        let result = entry.activate(run.host)
        try expect(result == GLASSES_OK, "glasses_entry.activate answered \(KnownResults.name(result)).")
        return entry
    }

    /// Activates the plugin.
    func activate(_ host: HostDouble) -> glasses_result {
        run.call("glasses_entry.activate") { pointer.pointee.activate(host.pointer) }
    }

    /// Ends the plugin.
    func shutdown() { run.call("glasses_entry.shutdown") { pointer.pointee.shutdown() } }

    /// The factory of an id.
    func factory(_ id: String) -> UnsafeRawPointer? {
        run.call("glasses_entry.get_factory") { pointer.pointee.get_factory(id) }
    }
}

/// A growable struct of the plugin, read by offsets so that nothing is believed of it.
struct StructUnderTest {
    let pointer: UnsafeRawPointer
    let name: String

    /// What it says of its size.
    var size: Int { Int(pointer.load(as: UInt32.self)) }

    /// Fails unless it has at least `size` bytes, and every function from `first` on is there.
    func check(size wanted: Int, firstFunction first: Int) throws(CaseEnd) {
        try expect(size >= wanted, "\(name).size is \(size); this version of the struct has \(wanted) bytes.")
        for offset in stride(from: first, to: wanted, by: MemoryLayout<UInt>.size) {
            let isThere = pointer.load(fromByteOffset: offset, as: UInt.self) != 0
            try expect(isThere, "The function of \(name) at offset \(offset) is null.")
        }
    }
}
