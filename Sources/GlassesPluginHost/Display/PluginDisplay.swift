import CGlassesPlugin
import GlassesDomain
import Synchronization

/// A plugin's display.
final class PluginDisplay: DisplayPort {
    let panel: PanelGeometry
    private let send: @Sendable (TransportCall) async -> RequestTable.Ending
    private struct Outlet {
        var sink: (@Sendable (DisplayEvent) -> Void)?
    }

    private let outlet = Mutex(Outlet())

    init(panel: PanelGeometry, send: @escaping @Sendable (TransportCall) async -> RequestTable.Ending) {
        self.panel = panel
        self.send = send
    }

    func onEvent(_ sink: (@Sendable (DisplayEvent) -> Void)?) { outlet.withLock { $0.sink = sink } }

    /// The wearer did something.
    func happened(_ event: DisplayEvent) { outlet.withLock { $0.sink }?(event) }

    func show(_ tree: JSONValue) async -> ExtentosResult<Void, TransportError> {
        let text = Array(tree.jsonText.utf8)
        guard case .object = tree, text.count <= Int(GLASSES_DISPLAY_TREE_MAX) else {
            return .failure(
                .platformError(
                    code: "invalid_tree", message: "What a display shows is one object of at most 1 MiB. Show less."))
        }
        return outcome(await send(.show(text)))
    }

    func clear() async -> ExtentosResult<Void, TransportError> { outcome(await send(.clearDisplay)) }

    private func outcome(_ ending: RequestTable.Ending) -> ExtentosResult<Void, TransportError> {
        switch ending {
        case .success: .success(())
        case .failure(let failure): .failure(.platformError(code: failure.code, message: failure.message))
        }
    }
}

extension PanelGeometry {
    /// The facts of a description's "display"; throws when they make no sense.
    init(json: JSONValue?) throws(WrongFact) {
        guard let width = Self.number(json?["widthPx"]), let height = Self.number(json?["heightPx"]),
            let shape = json?["shape"]?.stringValue.flatMap(PanelShape.init(rawValue:)),
            let input = json?["input"]?.stringValue.flatMap(PanelInput.init(rawValue:))
        else { throw WrongFact(member: "display") }
        self.init(
            widthPx: width, heightPx: height, unitScale: Self.number(json?["unitScale"]) ?? 1, shape: shape,
            input: input, minTextPx: Self.number(json?["minTextPx"]) ?? 16, fidelity: .measured)
    }

    /// A panel has at least one pixel and at most 8,192 on a side.
    private static func number(_ value: JSONValue?) -> UInt32? {
        value?.intValue.flatMap { UInt32(exactly: $0) }.flatMap { (1...8_192).contains($0) ? $0 : nil }
    }
}
