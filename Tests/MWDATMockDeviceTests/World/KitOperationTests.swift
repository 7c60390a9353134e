import MWDATCore
import Testing

@testable import MWDATMockDevice

/// Every row of the table of kit operations, as links observe it.
@Suite("What is done to the kit")
struct KitOperationTests {
    @Test("enable: registered, with all permissions")
    func enable() {
        var world = WorldHarness()
        world.operate(.don)
        #expect(world.world.registration == .registered)
        _ = world.take()
        world.send(.checkPermission(.camera, 1))
        world.send(.checkPermission(.microphone, 2))
        #expect(world.events() == [.permission(1, .granted), .permission(2, .granted)])
    }

    @Test("A link that opens gets the peer, the registration and the devices, in this order")
    func greeting() {
        var world = WorldHarness()
        world.apply(.opened(2))
        let events = world.take().events
        #expect(events.count == 3)
        #expect(events.first == .available(LinkPeer(name: "mock device kit", version: "1.0")))
        #expect(events.dropFirst().first == .registration(.registered, nil))
        #expect(events.last == .devices([]))
    }

    @Test("enable(initiallyRegistered: false): unavailable, and a registration completes without the companion")
    func enableUnregistered() {
        var world = WorldHarness(isRegistered: false)
        world.operate(.don)
        #expect(world.world.registration == .unavailable)
        #expect(world.world.listedDevices.isEmpty)
        _ = world.take()
        world.send(.register(LinkApp(identifier: "a", name: "A", version: "1", callbackScheme: "a://")))
        #expect(world.events() == [.registration(.registering, nil), .registration(.registered, nil)])
        #expect(world.world.listedDevices.count == 1)
    }

    @Test("enable(initialPermissionsGranted: false): all permissions are denied until they are set")
    func enableDenied() {
        var world = WorldHarness(hasPermissions: false)
        world.operate(.don)
        _ = world.take()
        world.send(.checkPermission(.camera, 1))
        world.apply(.operated(.permissionSet(.camera, .granted)))
        world.send(.checkPermission(.camera, 2))
        #expect(world.events() == [.permission(1, .denied), .permission(2, .granted)])
    }

    @Test("enable when enabled begins anew")
    func enableTwice() {
        var world = WorldHarness.streaming()
        world.apply(.operated(.enabled(isRegistered: true, hasPermissions: true)))
        #expect(world.world.glasses.isEmpty && world.world.sessions.isEmpty)
        let events = world.events()
        #expect(events.prefix(2) == [.streamEnded(1, 1, .kitDisabled), .sessionEnded(1, .kitDisabled)])
        #expect(events.contains(.unavailable(.kitDisabled)))
        #expect(events.last == .registration(.registered, nil))
    }

    @Test("disable: unpairs all, ends all sessions, and the link is gone")
    func disable() {
        var world = WorldHarness.streaming()
        world.apply(.operated(.disabled))
        #expect(
            world.events() == [
                .streamEnded(1, 1, .kitDisabled), .sessionEnded(1, .kitDisabled), .unavailable(.kitDisabled),
            ])
        #expect(world.world.glasses.isEmpty)
        world.send(.checkPermission(.camera, 1))
        #expect(world.events() == [.unavailable(.kitDisabled)])
    }

    @Test("pair: off, folded, doffed")
    func pair() throws {
        let glasses = try #require(WorldHarness().world.glasses.first)
        #expect(!glasses.isPowered && !glasses.isUnfolded && !glasses.isDonned)
    }

    @Test("pair while disabled has no effect")
    func pairWhileDisabled() {
        var world = WorldHarness()
        world.apply(.operated(.disabled))
        world.apply(.operated(.paired("other", .rayBanMeta, name: "")))
        #expect(world.world.glasses.isEmpty)
    }

    @Test("unpairDevice: the glasses leave the list, and their session ends")
    func unpair() {
        var world = WorldHarness.streaming()
        world.apply(.operated(.unpaired(WorldHarness.glasses)))
        #expect(
            world.take().events == [
                .streamEnded(1, 1, .unpaired), .sessionEnded(1, .unpaired), .devices([]),
            ])
    }

    @Test("A fourth pair of glasses is allowed")
    func fourDevices() {
        var world = WorldHarness()
        for name in ["b", "c", "d"] {
            world.apply(.operated(.paired(name, .rayBanMeta, name: name)))
            world.apply(.operated(.device(name, .don)))
        }
        world.operate(.don)
        #expect(world.world.listedDevices.map(\.identifier) == [WorldHarness.glasses, "b", "c", "d"])
    }

    @Test("permissions.set changes checks and later requests", arguments: [PermissionStatus.granted, .denied])
    func permissionSet(status: PermissionStatus) {
        var world = WorldHarness()
        world.operate(.don)
        world.apply(.operated(.permissionSet(.camera, status)))
        _ = world.take()
        world.send(.checkPermission(.camera, 1))
        world.send(.requestPermission(.camera, 2))
        #expect(world.events() == [.permission(1, status), .permission(2, status)])
    }

    @Test("permissions.setRequestResult fixes what a request gives", arguments: [PermissionStatus.granted, .denied])
    func requestResult(status: PermissionStatus) {
        var world = WorldHarness(hasPermissions: false)
        world.operate(.don)
        world.apply(.operated(.requestResultSet(.camera, status)))
        _ = world.take()
        world.send(.requestPermission(.camera, 1))
        world.send(.checkPermission(.camera, 2))
        #expect(world.events() == [.permission(1, status), .permission(2, status)])
    }

    @Test("A request without a set result is granted")
    func requestByDefault() {
        var world = WorldHarness(hasPermissions: false)
        world.operate(.don)
        _ = world.take()
        world.send(.requestPermission(.camera, 1))
        #expect(world.events() == [.permission(1, .granted)])
    }

    @Test("A stream ends when the camera's permission is taken away")
    func permissionTakenAway() {
        var world = WorldHarness.streaming()
        world.apply(.operated(.permissionSet(.camera, .denied)))
        world.send(.startStream(1, 2, WorldHarness.request))
        #expect(
            world.events() == [.streamEnded(1, 1, .permissionDenied), .streamEnded(1, 2, .permissionDenied)])
    }

    @Test("A permission needs glasses that can be reached")
    func permissionNeedsGlasses() {
        var world = WorldHarness()
        world.send(.checkPermission(.camera, 1))
        world.operate(.don)
        world.operate(.fold)
        world.send(.checkPermission(.camera, 2))
        #expect(world.events() == [.permissionFailed(1, .noDevice), .permissionFailed(2, .notConnected)])
    }
}
