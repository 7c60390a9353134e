import GlassesDomain
import GlassesServer
import GlassesWebSocket
import MWDATCore

extension TestRoutes {
    typealias Answer = @Sendable (TestRequest, MockKit) throws(TestServerFailure) -> JSONValue

    func get(_ path: String, _ answer: @escaping Answer) -> HTTPRouter.Route {
        HTTPRouter.Route("GET", path, JSONHandler(kit: kit, answer: answer))
    }

    func post(_ path: String, _ answer: @escaping Answer) -> HTTPRouter.Route {
        HTTPRouter.Route("POST", path, JSONHandler(kit: kit, answer: answer))
    }

    /// A route that does something with the glasses that `deviceId` names, or with the only ones.
    func device(
        _ path: String,
        _ body: @escaping @Sendable (TestRequest, StageGlasses, MockKit) throws(TestServerFailure) -> Void
    ) -> HTTPRouter.Route {
        post(path) { request, kit throws(TestServerFailure) in
            let glasses = try kit.glasses(try request.text("deviceId"))
            try body(request, glasses, kit)
            return ["deviceId": .string(glasses.deviceIdentifier)]
        }
    }

    func operation(_ path: String, _ operation: MockDeviceOperation) -> HTTPRouter.Route {
        self.operation(path) { _ in operation }
    }

    /// A route that operates glasses, and answers what that had no effect on.
    func operation(
        _ path: String, _ make: @escaping @Sendable (TestRequest) throws(TestServerFailure) -> MockDeviceOperation
    ) -> HTTPRouter.Route {
        post(path) { request, kit throws(TestServerFailure) in
            let identifier = try kit.glasses(try request.text("deviceId")).deviceIdentifier
            let notes = kit.stage.operate(.device(identifier, try make(request)))
            return ["deviceId": .string(identifier), "notes": .array(notes.map(JSONValue.string))]
        }
    }
}

/// Answers with a JSON object.
private struct JSONHandler: HTTPHandler {
    let kit: MockKit
    let answer: TestRoutes.Answer

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        do throws(TestServerFailure) {
            completion(.json(try answer(TestRequest(request), kit)))
        } catch {
            completion(error.response)
        }
    }
}

/// Answers with what the camera sees, as a JPEG file.
struct PhotoHandler: HTTPHandler {
    let kit: MockKit

    func respond(to request: HTTPRequest, completion: HTTPCompletion) {
        do throws(TestServerFailure) {
            let glasses = try kit.glasses(request.queryValue("deviceId"))
            switch kit.stage.photo(of: glasses.deviceIdentifier) {
            case .success(let photo):
                completion(
                    HTTPResponse(
                        status: 200, headers: ["Content-Type": "image/jpeg"], body: .bytes([UInt8](photo.bytes))))
            case .failure(let refusal): throw TestServerFailure(422, refusal.check.rawValue, refusal.message)
            }
        } catch {
            completion(error.response)
        }
    }
}

extension MockKit {
    /// The paired glasses of that name, or the only ones.
    func glasses(_ identifier: String?) throws(TestServerFailure) -> StageGlasses {
        let paired = stage.look { $0.glasses.map(\.identifier) }
        guard let identifier = identifier ?? paired.first else {
            throw TestServerFailure(404, "no_device", "No glasses are paired. Pair glasses first.")
        }
        guard paired.contains(identifier) else {
            throw TestServerFailure(
                404, "no_device", "No glasses of that name are paired. GET /device/state lists them.")
        }
        return StageGlasses(deviceIdentifier: identifier, stage: stage)
    }
}
