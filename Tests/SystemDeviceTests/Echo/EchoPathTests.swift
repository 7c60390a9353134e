import Testing

@testable import SystemDeviceStreams

/// The real library on a simulated loudspeaker, room and microphone, with real speech. Faster than real time.
@Suite(.serialized) struct EchoPathTests {
    @Test(arguments: [
        EchoSimulation.Path(delay: 5), EchoSimulation.Path(delay: 40, jump: 80),
        EchoSimulation.Path(delay: 120, jump: -80),
        EchoSimulation.Path(delay: 80, drift: -100), EchoSimulation.Path(delay: 80, ceiling: 12_000),
        EchoSimulation.Path(delay: 220, jump: 80, drift: 100, ceiling: 12_000), EchoSimulation.Path(delay: 300),
    ])
    func theEchoIsTakenOutOfEveryPath(path: EchoSimulation.Path) async throws {
        let far = try await SpeechMaterial.assistant(seconds: 20)
        let outcome = try EchoSimulation.run(path, far: far)
        let (start, steady) = (outcome.enhancement(0..<3), outcome.enhancement(3..<10))
        let (jump, after) = (outcome.enhancement(10..<12), outcome.enhancement(12..<20))
        print("echo return loss enhancement, dB: \(path)")
        print("  first 3 s \(start), until 10 s \(steady), next 2 s \(jump), then \(after); load \(outcome.load) %")
        #expect(steady > 30)
        // A path that becomes shorter is looked for anew, which takes a second.
        #expect(jump > (path.jump < 0 ? 5 : 20))
        #expect(after > 30)
    }

    @Test func aPersonInTheMidstOfTheEchoIsHeardAsAlone() async throws {
        let far = try await SpeechMaterial.assistant(seconds: 20)
        let people = try SpeechMaterial.people()
        var near = [Int16](repeating: 0, count: far.count)
        for (index, person) in people.prefix(4).enumerated() {
            let start = (6 + 3 * index) * 48_000
            for (offset, sample) in person.prefix(48_000).enumerated() { near[start + offset] = sample }
        }
        let outcome = try EchoSimulation.run(EchoSimulation.Path(delay: 60), far: far, near: near)
        for index in 0..<4 {
            let range = (6 + 3 * index) * 48_000..<(7 + 3 * index) * 48_000
            let before = Power.likeness(outcome.heard[range], near[range])
            let after = Power.likeness(outcome.cleaned[range], near[range])
            let loss = Power.decibels(Power.of(near[range])) - Power.decibels(Power.of(outcome.cleaned[range]))
            print("a person in the echo: likeness \(before) before, \(after) after; \(loss) dB lost")
            #expect(after > 0.35)
            #expect(loss < 15)
        }
    }
}
