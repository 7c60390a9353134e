import MWDATCore
import TestLink
import Testing

@Test func aSessionStartsAndStopsOverATestLink() async throws {
    let link = TestLink()
    let hub = WearablesHub.test(link)
    let session = try hub.createSession(deviceSelector: AutoDeviceSelector(wearables: hub))
    try session.start()
    for await state in session.stateStream() where state == .started { break }
    session.stop()
    await session.waitUntilStopped()
    #expect(session.state == .stopped)
    #expect(hub.registrationState == .registered)
}
