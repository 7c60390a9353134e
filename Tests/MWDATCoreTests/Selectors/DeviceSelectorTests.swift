import MWDATCore
import TestLink
import Testing

struct DeviceSelectorTests {
    private let link: TestLink
    private let clock = ManualTimekeeper()
    private let hub: WearablesHub

    init() {
        link = TestLink(devices: [.test("a"), .test("b")])
        hub = .test(link, timekeeper: clock)
    }

    @Test func anAutomaticChoiceIsThereAtOnce() {
        #expect(AutoDeviceSelector(wearables: hub).activeDevice == "a")
    }

    @Test func anAutomaticChoiceLeavesOutWhatIsNotWornUnlessToldOtherwise() {
        link.deliver(.device(.test("a") { $0.donState = .doffed }))
        let selector = AutoDeviceSelector(wearables: hub)
        #expect(selector.activeDevice == "b")
        #expect(selector.ineligibleDevices["a"]?.check == .worn)
        #expect(AutoDeviceSelector(wearables: hub, requiresDonned: false).activeDevice == "a")
    }

    @Test func glassesThatDoNotReportWhetherTheyAreWornAreChosen() {
        link.deliver(.device(.test("a") { $0.donState = .unknown }))
        #expect(AutoDeviceSelector(wearables: hub).activeDevice == "a")
    }

    @Test(arguments: [
        (Refusal.Check.compatibility, LinkDevice.test("a") { $0.compatibility = .deviceUpdateRequired }),
        (.sdkVersion, .test("a") { $0.compatibility = .sdkUpdateRequired }),
        (.link, .test("a") { $0.linkState = .disconnected }), (.link, .test("a") { $0.linkState = .connecting }),
        (
            .hinges,
            .test("a") {
                $0.linkState = .disconnected
                $0.hingeState = .closed
            }
        ),
    ])
    func glassesThatCannotBeUsedAreLeftOutWithTheReason(_ check: Refusal.Check, _ device: LinkDevice) {
        link.deliver(.device(device))
        let selector = AutoDeviceSelector(wearables: hub)
        #expect(selector.activeDevice == "b")
        #expect(Array(selector.ineligibleDevices.keys) == ["a"])
        #expect(selector.ineligibleDevices["a"]?.check == check)
    }

    @Test func aFilterLeavesGlassesOutAndMayCallTheToolkit() {
        let hub = hub
        let selector = AutoDeviceSelector(
            wearables: hub, filter: { hub.devices.contains($0.identifier) && $0.identifier != "a" })
        #expect(selector.activeDevice == "b")
        #expect(selector.ineligibleDevices["a"]?.check == .notFound)
    }

    @Test func theStreamBeginsWithTheChoiceAndFollowsIt() async {
        let selector = AutoDeviceSelector(wearables: hub)
        var choices = selector.activeDeviceStream().makeAsyncIterator()
        #expect(await choices.next() == .some("a"))
        link.deliver(.device(.test("a") { $0.linkState = .disconnected }))
        #expect(await choices.next() == .some("b"))
        link.deliver(.devices([.test("a") { $0.linkState = .disconnected }]))
        hub.settle()
        clock.advance(by: .milliseconds(2500))
        #expect(await choices.next() == .some(nil))
    }

    @Test func theStreamEndsWithItsSelector() async {
        let stream = AutoDeviceSelector(wearables: hub).activeDeviceStream()
        var choices: [DeviceIdentifier?] = []
        for await choice in stream { choices.append(choice) }
        #expect(choices == ["a"])
    }

    @Test func aSelectorThatGoesAwayLeavesNoListenerBehind() {
        let warnings = Log<String>()
        let hub = WearablesHub.test(link, tokenRule: TokenRule(isStrict: false, warn: { warnings.append($0) }))
        let device = hub.deviceForIdentifier("a")
        for _ in 0..<3 { _ = AutoDeviceSelector(wearables: hub).activeDevice }
        hub.settle()
        #expect(warnings.all.isEmpty)
        #expect(device != nil)
    }

    @Test func aSpecificSelectorChoosesGlassesThatAreNotWorn() throws {
        link.deliver(.device(.test("b") { $0.donState = .doffed }))
        #expect(SpecificDeviceSelector(device: "b", wearables: hub).activeDevice == "b")
        #expect(try hub.createSession(deviceSelector: SpecificDeviceSelector(device: "b")).deviceId == "b")
    }

    @Test func aSpecificSelectorFollowsItsGlasses() async {
        let selector = SpecificDeviceSelector(device: "b", wearables: hub)
        var choices = selector.activeDeviceStream().makeAsyncIterator()
        #expect(await choices.next() == .some("b"))
        link.deliver(.device(.test("b") { $0.linkState = .disconnected }))
        #expect(await choices.next() == .some(nil))
        #expect(selector.activeDevice == nil)
        link.deliver(.device(.test("b")))
        #expect(await choices.next() == .some("b"))
    }

    @Test func aSpecificSelectorOfUnknownGlassesHasNone() {
        #expect(SpecificDeviceSelector(device: "z", wearables: hub).activeDevice == nil)
    }

    @available(*, deprecated) @Test func aDeviceStateSessionFollowsItsSelector() async throws {
        let session = DeviceStateSession(deviceSelector: AutoDeviceSelector(wearables: hub))
        #expect(session.state == .stopped)
        try await session.start()
        #expect(session.state == .running)
        link.deliver(.registration(.available, nil))
        while session.state != .waitingForDevice { await Task.yield() }
        try await session.stop()
        #expect(session.state == .stopped)
    }
}
