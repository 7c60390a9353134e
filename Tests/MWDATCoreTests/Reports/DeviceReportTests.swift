import MWDATCore
import TestLink
import Testing

/// Public reports about glasses and how they are chosen, by their number in the list of reports.
struct DeviceReportTests {
    private let clock = ManualTimekeeper()

    private func hub(_ link: TestLink) -> WearablesHub { .test(link, timekeeper: clock) }

    @Test("Report 3: an empty list of glasses has a reason") func report3() async {
        let hub = hub(TestLink(devices: []))
        #expect(hub.devices.isEmpty)
        #expect(hub.readiness().phase == .waitingForDevices)
        await #expect(throws: PermissionError.noDevice) { try await hub.checkPermissionStatus(.camera) }
        #expect(throws: DeviceSessionError.noEligibleDevice) {
            try hub.createSession(deviceSelector: AutoDeviceSelector(wearables: hub))
        }
        #expect(hub.readiness().lastRefusals[.session]?.message.contains("pair") == true)
    }

    @Test("Report 5: observers that are started twice both see everything") func report5() {
        let link = TestLink(devices: [])
        let hub = hub(link)
        let (first, second) = (Log<[DeviceIdentifier]>(), Log<[DeviceIdentifier]>())
        let tokens = [hub.addDevicesListener { first.append($0) }, hub.addDevicesListener { second.append($0) }]
        link.deliver(.devices([.test("a")]))
        link.deliver(.devices([.test("a"), .test("b")]))
        hub.settle()
        #expect(first.all == [["a"], ["a", "b"]])
        #expect(second.all == first.all)
        withExtendedLifetime(tokens) {}
    }

    @Test("Report 7: battery, hinges and the rest can be read and followed") func report7() throws {
        let link = TestLink()
        let hub = hub(link)
        let device = try #require(hub.deviceForIdentifier("glasses-1"))
        #expect(device.batteryLevel == 80)
        #expect(device.hingeState == .open)
        let states = Log<DeviceState>()
        let links = Log<LinkState>()
        let compatibilities = Log<Compatibility>()
        let tokens: [any AnyListenerToken] = [
            device.addDeviceStateListener { states.append($0) }, device.addLinkStateListener { links.append($0) },
            device.addCompatibilityListener { compatibilities.append($0) },
        ]
        link.deliver(.device(.test { $0.batteryLevel = 20 }))
        link.deliver(.device(.test { $0.batteryLevel = 20 }))
        link.deliver(
            .device(
                .test {
                    $0.linkState = .disconnected
                    $0.compatibility = .undefined
                    $0.chargingState = .charging
                    $0.thermalLevel = .severe
                }))
        hub.settle()
        #expect(states.all.map(\.batteryLevel) == [80, 20, 80])
        #expect(links.all == [.disconnected])
        #expect(compatibilities.all == [.undefined])
        #expect(device.chargingState == .charging)
        #expect(device.thermalLevel == .severe)
        #expect(device.donState == .donned)
        withExtendedLifetime(tokens) {}
    }

    @Test("Report 7: the state of glasses is a stream that begins with the current one") func report7Stream() async {
        let link = TestLink()
        let hub = hub(link)
        var states = hub.deviceStateStream(for: "glasses-1").makeAsyncIterator()
        #expect(await states.next()?.thermalLevel == ThermalLevel.none)
        link.deliver(.device(.test { $0.thermalLevel = .critical }))
        #expect(await states.next()?.thermalLevel == .critical)
        var none = hub.deviceStateStream(for: "unknown").makeAsyncIterator()
        #expect(await none.next() == nil)
    }

    @Test("Report 16: glasses that are not worn are no active device, and the reason says so") func report16() throws {
        let link = TestLink(devices: [.test { $0.donState = .doffed }])
        let hub = hub(link)
        let selector = AutoDeviceSelector(wearables: hub)
        #expect(selector.activeDevice == nil)
        #expect(selector.ineligibleDevices["glasses-1"]?.check == .worn)
        #expect(hub.readiness().devices.first?.automaticRefusal?.message.contains("put them on") == true)
        #expect(hub.readiness().devices.first?.refusal == nil)
        link.deliver(.device(.test()))
        #expect(selector.activeDevice == "glasses-1")
    }

    private static let unfit: [(Refusal.Check, LinkDevice)] = [
        (.link, .test { $0.linkState = .disconnected }), (.worn, .test { $0.donState = .doffed }),
        (.compatibility, .test { $0.compatibility = .deviceUpdateRequired }),
        (.sdkVersion, .test { $0.compatibility = .sdkUpdateRequired }),
        (
            .hinges,
            .test {
                $0.linkState = .disconnected
                $0.hingeState = .closed
            }
        ),
    ]

    @Test("Report 22: noEligibleDevice comes with the check that failed", arguments: unfit)
    func report22(_ check: Refusal.Check, _ device: LinkDevice) {
        let hub = hub(TestLink(devices: [device]))
        #expect(throws: DeviceSessionError.noEligibleDevice) {
            try hub.createSession(deviceSelector: AutoDeviceSelector(wearables: hub))
        }
        #expect(hub.readiness().lastRefusals[.session]?.check == check)
    }

    @Test("Report 32: registered, granted and listed glasses that cannot be used say why", arguments: unfit)
    func report32(_ check: Refusal.Check, _ device: LinkDevice) {
        let hub = hub(TestLink(devices: [device]))
        #expect(hub.registrationState == .registered)
        #expect(hub.devices == ["glasses-1"])
        #expect(hub.readiness().devices.first?.automaticRefusal?.check == check)
    }

    @Test("Report 27: glasses that refuse a session for their software are not called compatible") func report27()
        throws
    {
        let link = TestLink()
        let refusal = Refusal(.compatibility, "Firmware 127 is not supported.", isRetryable: false)
        link.answer { if case .openSession(let id, _, _) = $0 { [.sessionEnded(id, refusal)] } else { nil } }
        let hub = hub(link)
        let device = try #require(hub.deviceForIdentifier("glasses-1"))
        let session = try hub.createSession(deviceSelector: AutoDeviceSelector(wearables: hub))
        try session.start()
        hub.settle()
        #expect(session.endReason == refusal)
        #expect(device.compatibility() == .deviceUpdateRequired)
        link.deliver(.device(.test { $0.batteryLevel = 50 }))
        #expect(device.compatibility() == .deviceUpdateRequired)
        #expect(throws: DeviceSessionError.noEligibleDevice) {
            try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "glasses-1"))
        }
    }

    @Test("Report 39: a blink of the link does not take the active device away") func report39() async {
        let link = TestLink()
        let hub = hub(link)
        let selector = AutoDeviceSelector(wearables: hub)
        var choices = selector.activeDeviceStream().makeAsyncIterator()
        #expect(await choices.next() == .some("glasses-1"))
        for blink in [LinkEvent.device(.test { $0.linkState = .connecting }), .devices([])] {
            link.deliver(blink)
            clock.advance(by: .milliseconds(2400))
            link.deliver(.devices([.test()]))
            hub.settle()
            clock.advance(by: .milliseconds(2400))
            #expect(selector.activeDevice == "glasses-1")
        }
        link.deliver(.devices([]))
        hub.settle()
        clock.advance(by: .milliseconds(2500))
        #expect(await choices.next() == .some(nil))
    }

    @Test func aHandleThatIsHeldSurvivesUnpairing() throws {
        let link = TestLink()
        let hub = hub(link)
        let device = try #require(hub.deviceForIdentifier("glasses-1"))
        link.deliver(.devices([]))
        #expect(device.linkState == .disconnected)
        #expect(hub.deviceForIdentifier("glasses-1") == nil)
        link.deliver(.devices([.test()]))
        #expect(hub.deviceForIdentifier("glasses-1") === device)
        #expect(device.linkState == .connected)
    }

    @Test func aDeviceThatIsListedTwiceIsListedOnce() {
        let hub = hub(TestLink(devices: [.test("a"), .test("a", name: "twin"), .test("b")]))
        #expect(hub.devices == ["a", "b"])
    }

    @Test func aReportOfGlassesThatAreNotListedIsLeftOut() {
        let link = TestLink(devices: [])
        let hub = hub(link)
        link.deliver(.device(.test("a")))
        #expect(hub.devices.isEmpty)
    }
}
