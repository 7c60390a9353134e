import Foundation
import GlassesDomain
import GlassesServer
import MWDATCore

/// What the test server answers.
struct TestRoutes {
    let kit: MockKit

    var all: [HTTPRouter.Route] {
        kitRoutes + deviceRoutes + cameraRoutes + displayRoutes + faultRoutes + missingRoutes
    }

    // MARK: The kit

    private var kitRoutes: [HTTPRouter.Route] {
        [
            get("/health") { _, _ in ["status": "ok"] },
            get("/device/state") { _, kit in kit.state },
            post("/device/pair") { request, kit throws(TestServerFailure) in try Self.pair(request, kit) },
            post("/permissions/set") { request, kit throws(TestServerFailure) in
                let permission = try request.choice("permission", Permission.self)
                kit.permissions.set(permission, try request.choice("status", PermissionStatus.self))
                return [:]
            },
            post("/permissions/set-request-result") { request, kit throws(TestServerFailure) in
                let permission = try request.choice("permission", Permission.self)
                kit.permissions.setRequestResult(
                    permission, result: try request.choice("result", PermissionStatus.self))
                return [:]
            },
        ]
    }

    /// Pairs glasses; by default they are switched on and put on too.
    private static func pair(_ request: TestRequest, _ kit: MockKit) throws(TestServerFailure) -> JSONValue {
        let model = try request.choice("model", GlassesModel.self, or: .rayBanMeta)
        let isWorn = try request.flag("don", or: true)
        do throws(MockDeviceKitError) {
            let glasses = try kit.pairGlasses(model: model)
            if isWorn {
                glasses.powerOn()
                glasses.don()
            }
            return ["deviceId": .string(glasses.deviceIdentifier)]
        } catch {
            throw TestServerFailure(409, "not_enabled", error.description)
        }
    }

    // MARK: Devices

    private var deviceRoutes: [HTTPRouter.Route] {
        [
            device("/device/unpair") { _, glasses, kit in kit.unpairDevice(glasses) },
            operation("/device/power-on", .powerOn), operation("/device/power-off", .powerOff),
            operation("/device/don", .don), operation("/device/doff", .doff),
            operation("/device/fold", .fold), operation("/device/unfold", .unfold),
            operation("/captouch/tap", .tap), operation("/captouch/tap-and-hold", .tapAndHold),
            operation("/device/battery") { request throws(TestServerFailure) in
                .battery(try request.integer("level", in: 0...100))
            },
            operation("/device/charging") { request throws(TestServerFailure) in
                .charging(try request.choice("state", ChargingState.self))
            },
            operation("/device/thermal") { request throws(TestServerFailure) in
                .thermal(try request.choice("level", ThermalLevel.self))
            },
            operation("/device/compatibility") { request throws(TestServerFailure) in
                .compatibility(try request.choice("compatibility", Compatibility.self))
            },
        ]
    }

    // MARK: Camera

    private var cameraRoutes: [HTTPRouter.Route] {
        [
            device("/camera/set-feed") { request, glasses, _ throws(TestServerFailure) in
                if let facing = try request.text("facing") {
                    guard let facing = CameraFacing(rawValue: facing) else {
                        throw TestRequest.wrong("facing", TestRequest.names(CameraFacing.self))
                    }
                    return glasses.setCameraFeed(cameraFacing: facing)
                }
                if try request.flag("pattern", or: false) { return glasses.setTestPattern() }
                glasses.setCameraFeed(fileURL: try Self.file(request))
            },
            device("/camera/set-captured-image") { request, glasses, _ throws(TestServerFailure) in
                glasses.setCapturedImage(fileURL: try Self.file(request))
            },
            HTTPRouter.Route("GET", "/camera/photo", PhotoHandler(kit: kit)),
        ]
    }

    /// The file that a request names: by `path`, or as a resource of the app by `resourceName` and `ext`.
    private static func file(_ request: TestRequest) throws(TestServerFailure) -> URL {
        if let path = try request.text("path") {
            guard path.hasPrefix("/") else { throw TestRequest.wrong("path", "an absolute path") }
            return try existing(URL(fileURLWithPath: path))
        }
        let (name, type) = (try request.required("resourceName"), try request.text("ext"))
        let file = type.map { "\(name).\($0)" } ?? name
        if let resource = Bundle.main.url(forResource: name, withExtension: type) { return resource }
        return try existing(Bundle.main.bundleURL.appendingPathComponent(file))
    }

    private static func existing(_ url: URL) throws(TestServerFailure) -> URL {
        guard FileManager.default.fileExists(atPath: url.path) else {
            throw TestServerFailure(
                404, "no_file", "The app finds no file \(url.lastPathComponent). Give its absolute path.")
        }
        return url
    }

    // MARK: Display

    private var displayRoutes: [HTTPRouter.Route] {
        [
            operation("/display/click") { request throws(TestServerFailure) in
                .click(try request.required("identifier"))
            },
            operation("/display/finish-video", .videoEnded),
        ]
    }

    // MARK: What goes wrong

    private var faultRoutes: [HTTPRouter.Route] {
        [
            post("/faults") { request, kit throws(TestServerFailure) in
                kit.faults = try MockFaults(request)
                return [:]
            },
            operation("/device/incident") { request throws(TestServerFailure) in
                .incident(try MockIncident(request))
            },
            post("/registration/drop-trust") { _, kit in
                kit.dropTrust()
                return [:]
            },
        ]
    }

    /// Routes of the vendor's that need a module which is not there.
    private var missingRoutes: [HTTPRouter.Route] {
        ["/voice/launch-app-action", "/voice/incomplete-action"].map { path in
            post(path) { _, _ throws(TestServerFailure) in
                throw TestServerFailure(
                    501, "not_supported", "Voice invocations are not simulated. Leave this request out.")
            }
        }
    }
}

extension MockKit {
    /// What is told of the kit.
    fileprivate var state: JSONValue {
        let more: [String: JSONValue] = [
            "notes": .array(stage.notes.map(JSONValue.string)), "undeliveredFrames": .int(Int64(stage.droppedFrames)),
        ]
        return .object((stage.look(\.json).objectValue ?? [:]).merging(more) { _, new in new })
    }
}
