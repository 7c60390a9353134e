import Dispatch
import MWDATCore
import TestLink
import Testing

struct SessionStressTests {
    @Test func sessionsThatAreStartedStoppedAndDroppedAtOnceAllEnd() async throws {
        let devices = (0..<4).map { LinkDevice.test("glasses-\($0)") }
        let link = TestLink(devices: devices)
        let hub = WearablesHub.test(link)
        let ended = Log<DeviceIdentifier>()
        await withTaskGroup(of: Void.self) { group in
            for device in devices {
                group.addTask {
                    for round in 0..<25 {
                        let error = await Self.run(hub, device.identifier, stopsEarly: round.isMultiple(of: 3), ended)
                        #expect(error == nil)
                    }
                }
            }
            group.addTask {
                for round in 0..<100 {
                    link.deliver(.device(devices[round % 4]))
                    _ = hub.readiness()
                    await Task.yield()
                }
            }
        }
        hub.settle()
        #expect(ended.all.count == 100)
        #expect(hub.readiness().devices.allSatisfy { !$0.hasSession })
    }

    /// One session from its start to its end; the error that should not be.
    private static func run(
        _ hub: WearablesHub, _ device: DeviceIdentifier, stopsEarly: Bool, _ ended: Log<DeviceIdentifier>
    ) async -> DeviceSessionError? {
        do throws(DeviceSessionError) {
            let session = try hub.createSession(deviceSelector: SpecificDeviceSelector(device: device))
            _ = session.statePublisher.listen { if $0 == .stopped { ended.append(device) } }
            try session.start()
            if !stopsEarly { for await state in session.stateStream() where state == .started { break } }
            session.stop()
            await session.waitUntilStopped()
            return nil
        } catch { return error }
    }
}
