import CGlassesPlugin

/// The host's side of a display.
struct DisplayHost: Sendable {
    private let table: glasses_display_host
    private let context: HostContext
    private let gate: CallbackGate

    init(table: glasses_display_host, gate: CallbackGate) {
        self.table = table
        self.gate = gate
        context = HostContext(table.ctx)
    }

    func select(_ node: String) { gate.pass { table.on_select(context.pointer, node) } }

    func back() { gate.pass { table.on_back(context.pointer) } }
}
