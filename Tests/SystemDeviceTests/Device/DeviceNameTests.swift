import SoundServer
import Testing

@testable import SystemDeviceStreams

@Suite struct StableNameTests {
    @Test(arguments: [
        ("hw:1", "hw:CARD=Headset"), ("hw:1,0", "hw:CARD=Headset,DEV=0"),
        ("plughw:1,2,3", "plughw:CARD=Headset,DEV=2,SUBDEV=3"),
        ("default:1", "default:CARD=Headset"), ("sysdefault:1", "sysdefault:CARD=Headset"), ("hw:7", "hw:7"),
        ("hw:Headset", "hw:Headset"), ("hw:CARD=1", "hw:CARD=1"), ("hw:", "hw:"), ("hw:1,x", "hw:1,x"),
        ("hw:1,0,0,0", "hw:1,0,0,0"),
        ("hw:-1", "hw:-1"), ("default", "default"), ("plug:hw:1", "plug:hw:1"), ("pulse:1", "pulse:1"), ("", ""),
    ])
    func aCardsNumberIsReplacedByItsIdentifier(name: String, stable: String) {
        #expect(StableName.resolve(name) { $0 == 1 ? "Headset" : nil } == stable)
    }
}

@Suite struct DeviceListTests {
    @Test func hintsGoToTheDirectionsThatTheyName() {
        var list = DeviceList()
        list.add(name: "mic", description: "A microphone\nwith two lines", direction: "Input")
        list.add(name: "spk", description: "A loudspeaker", direction: "Output")
        list.add(name: "both", description: nil, direction: nil)
        list.add(name: nil, description: "no name", direction: nil)
        list.add(name: "", description: "an empty name", direction: nil)
        #expect(list.capture.map(\.name) == ["mic", "both"])
        #expect(list.playback.map(\.name) == ["spk", "both"])
        #expect(list.capture.first?.description == "A microphone, with two lines")
    }

    @Test func moreDevicesThanTheFactsHaveRoomForAreLeftOut() {
        var list = DeviceList()
        for index in 0..<1_000 {
            list.add(name: "hw:\(index)", description: String(repeating: "é", count: 500), direction: nil)
        }
        #expect(list.capture.count == 100)
        #expect(list.playback.count == 100)
        #expect(list.capture.allSatisfy { $0.description.count == 160 })
    }

    @Test func theSystemsListHoldsThePCMsOfItsConfiguration() {
        SoundLab.prepare()
        let list = DeviceList.read()
        #expect(list.playback.contains { $0.name == "null" })
        #expect(list.capture.contains { $0.name == "null" })
    }
}
