import Testing

@testable import SystemDeviceStreams

@Suite struct EchoDecisionTests {
    @Test(
        arguments: [
            (EchoDecision.Wish.auto, nil, ["default"], EchoDecision.Reason.loudspeaker),
            (.auto, nil, ["hw:CARD=H340,DEV=0", "Logitech USB Headset H340"], .headset),
            (.auto, nil, ["bluealsa:DEV=00:11", "Galaxy Buds2"], .headset),
            (.auto, nil, ["hw:CARD=Headphones,DEV=0", "bcm2835 Headphones"], .loudspeaker),
            (.auto, true, ["default"], .headset), (.auto, false, ["Logitech USB Headset"], .loudspeaker),
            (.on, true, ["Logitech USB Headset"], .asked), (.off, false, ["default"], .notWanted),
            (.auto, nil, nil, .oneWay), (.on, nil, nil, .oneWay),
        ] as [(EchoDecision.Wish, Bool?, [String]?, EchoDecision.Reason)])
    func echoIsCancelledUnlessTheOutputIsKnownToBeWorn(
        wish: EchoDecision.Wish, isHeadset: Bool?, names: [String]?, reason: EchoDecision.Reason
    ) {
        let decision = EchoDecision(wish: wish, isHeadset: isHeadset, names: names)
        #expect(decision.reason == reason)
        #expect(decision.isOn == (reason == .asked || reason == .loudspeaker))
    }

    @Test(
        arguments: [
            ("hw:CARD=Headset,DEV=0", "Headset"), ("front:CARD=PCH", "PCH"), ("default", nil), ("hw:1,0", nil),
            ("plughw:DEV=0,CARD=X", "X"), ("pulse:", nil),
        ] as [(String, String?)])
    func theCardIsFoundInADevicesName(device: String, card: String?) {
        #expect(OutputNames.card(of: device) == card)
    }
}
