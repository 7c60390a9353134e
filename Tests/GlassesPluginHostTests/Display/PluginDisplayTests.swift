import Foundation
import GlassesDomain
import Testing

@testable import GlassesPluginHost

@Suite("The display of the C plugin, through the whole host")
struct PluginDisplayTests {
    private static let tree: JSONValue = [
        "kind": "flexBox", "direction": "column",
        "children": [
            ["kind": "text", "text": "Ready?", "style": "heading"], ["kind": "button", "id": "n1", "text": "Yes"],
        ],
    ]

    private func transport(_ isolation: PluginIsolation, wearer: String) async throws -> any GlassesTransport {
        let host = PluginHost(configuration: .test([buildFolder + "/libLoopbackTransport.so"], isolation: isolation))
        let result = await host.transport(
            id: "org.extentos.loopback", settings: ["display": true, "wearer": .string(wearer)])
        return try #require(result.success, "\(String(describing: result.failure))")
    }

    @Test(
        "What is shown can be selected, and the wearer can go back",
        arguments: [("selects", DisplayEvent.selected(node: "n1")), ("back", .back)], PluginIsolation.both)
    func isUsed(_ wearer: (name: String, does: DisplayEvent), _ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, wearer: wearer.name)
        _ = await transport.connect(deviceId: nil)
        let display = try #require(transport.display)
        #expect(display.panel.widthPx == 600 && display.panel.input == .singleButton)
        let events = Collected<DisplayEvent>()
        display.onEvent { events.append($0) }
        #expect(await display.show(Self.tree).failure == nil)
        #expect(await eventually { events.all == [wearer.does] })
        #expect(await display.clear().failure == nil)
        display.onEvent(nil)
        #expect(await display.show(Self.tree).failure == nil)
        await transport.shutdown()
        #expect(events.all == [wearer.does])
    }

    @Test("A tree as long as is allowed arrives; a longer one, or none, is refused", arguments: PluginIsolation.both)
    func isBounded(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, wearer: "selects")
        _ = await transport.connect(deviceId: nil)
        let display = try #require(transport.display)
        let events = Collected<DisplayEvent>()
        display.onEvent { events.append($0) }
        let long: JSONValue = ["a": .string(String(repeating: "x", count: 1 << 19)), "kind": "text", "id": "end"]
        #expect(await display.show(long).failure == nil)
        #expect(await eventually { events.all == [.selected(node: "end")] })
        let tooLong: JSONValue = ["kind": "text", "text": .string(String(repeating: "x", count: 1 << 20))]
        #expect(await display.show(tooLong).failure?.code == "invalid_tree")
        #expect(await display.show("text").failure?.code == "invalid_tree")
        await transport.shutdown()
    }

    @Test("Nothing is shown without a connection, and nothing after the end", arguments: PluginIsolation.both)
    func needsAConnection(_ isolation: PluginIsolation) async throws {
        let transport = try await transport(isolation, wearer: "looks")
        let display = try #require(transport.display)
        #expect(await display.show(Self.tree).failure?.code == "wrong_state")
        _ = await transport.connect(deviceId: nil)
        #expect(await display.show(Self.tree).failure == nil)
        await transport.shutdown()
        #expect(await display.show(Self.tree).failure != nil)
    }

    @Test("A killed child's successor shows what was shown")
    func survivesItsChild() async throws {
        let transport = try await transport(.process, wearer: "selects")
        _ = await transport.connect(deviceId: nil)
        let display = try #require(transport.display)
        let child = try #require((transport as? PluginTransport)?.instance as? ChildTransport)
        let events = Collected<DisplayEvent>()
        display.onEvent { events.append($0) }
        #expect(await display.show(Self.tree).failure == nil)
        #expect(await eventually { events.all.count == 1 })
        kill(try #require(child.process), SIGKILL)
        // The virtual wearer selects whatever appears.
        #expect(await eventually(within: .seconds(30)) { events.all.count == 2 })
        await transport.shutdown()
    }
}
