import CGlassesPlugin

/// A display of a transport.
final class DisplayUnderTest {
    let transport: TransportUnderTest
    private let table: glasses_display

    /// The display of a transport, attached; skips the case when there is none.
    init(of transport: TransportUnderTest) throws(CaseEnd) {
        guard let pointer = transport.extensionPointer(GLASSES_EXT_DISPLAY) else {
            throw .skipped("the transport has no display")
        }
        self.transport = transport
        table = pointer.load(as: glasses_display.self)
        let host = UnsafeMutablePointer<glasses_display_host>.allocate(capacity: 1)
        host.initialize(
            to: glasses_display_host(
                size: UInt32(MemoryLayout<glasses_display_host>.size), reserved: 0, ctx: nil, on_select: { _, _ in },
                on_back: { _ in }))
        let result = transport.run.call("glasses_display.attach") { table.attach(transport.table.instance, host) }
        try expect(result == GLASSES_OK, "glasses_display.attach answered \(KnownResults.name(result)).")
    }

    /// A display of a new transport that is connected.
    static func connected(_ run: CaseRun) throws(CaseEnd) -> DisplayUnderTest {
        let display = try DisplayUnderTest(of: try TransportUnderTest.activated(run))
        try display.transport.connect()
        return display
    }

    /// Shows a tree that may be refused. Its memory is gone when the call returned.
    func attemptShow(_ tree: String) -> (id: UInt64, result: glasses_result) {
        transport.attempt("glasses_display.show") { id in
            tree.withCString { table.show(transport.table.instance, id, $0, tree.utf8.count) }
        }
    }

    /// Shows a tree and waits for its completion.
    func show(_ tree: String) throws(CaseEnd) {
        let (id, answer) = attemptShow(tree)
        try expect(answer == GLASSES_OK, "show answered \(KnownResults.name(answer)).")
        let result = try transport.end(of: id, "show", within: TransportUnderTest.Limit.other)
        try expect(result == GLASSES_OK, "show ended with \(KnownResults.name(result)).")
    }

    /// Blanks the panel and waits for its completion.
    func clear() throws(CaseEnd) {
        let id = try transport.start("glasses_display.clear") { table.clear(transport.table.instance, $0) }
        let result = try transport.end(of: id, "clear", within: TransportUnderTest.Limit.other)
        try expect(result == GLASSES_OK, "clear ended with \(KnownResults.name(result)).")
    }
}
