import GlassesDomain
import GlassesTesting
import Synchronization
import Testing

@testable import GlassesRuntime

@Suite("A loudspeaker that rests")
struct RestingSpeakerTests {
    private final class Bench: Sendable {
        let clock = ManualClock()
        let device: SimulatedDevice
        let speaker: RestingSpeaker
        let errors = LostErrors()
        let told = Mutex<[Int64]>([])

        init() {
            device = SimulatedDevice(clock: clock.port)
            let errors = errors
            speaker = RestingSpeaker(device.simulatedSpeaker, clock: clock.port) { errors.add($0.code) }
        }

        var isOpen: Bool { device.simulatedSpeaker.isOpen }

        func open() async {
            let result = await speaker.open { position in self.told.withLock { $0.append(position.frame) } }
            #expect(result.failure == nil)
        }

        /// Lets time pass in steps in which the loudspeaker reports.
        func pass(_ seconds: Int) async {
            for _ in 0..<(seconds * 10) {
                clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }
    }

    private final class LostErrors: Sendable {
        private let codes = Mutex<[String]>([])
        var all: [String] { codes.withLock { $0 } }
        func add(_ code: String) { codes.withLock { $0.append(code) } }
    }

    private static let tenth = [Int16](repeating: 7, count: 2_400)

    @Test("Ten seconds after the last sound it is closed, and the next sound opens it and is heard whole")
    func rests() async {
        let bench = Bench()
        await bench.open()
        #expect(bench.speaker.write(Self.tenth[...]) == 2_400)
        await bench.pass(9)
        #expect(bench.isOpen)
        await eventually("it rests") {
            bench.clock.advance(by: .milliseconds(100))
            return !bench.isOpen
        }
        #expect(bench.speaker.writtenFrames == 2_400)
        #expect(bench.speaker.write(Self.tenth[...]) == 2_400)
        await eventually("it opens") { bench.isOpen }
        await eventually("the second sound is heard") {
            bench.clock.advance(by: .milliseconds(20))
            return bench.told.withLock { $0.last } == 4_800
        }
        #expect(bench.told.withLock { zip($0, $0.dropFirst()).allSatisfy { $0 <= $1 } })
        await bench.speaker.close()
        #expect(!bench.isOpen)
    }

    @Test("During a conversation it stays open, and a conversation that begins opens it")
    func keepsReady() async {
        let bench = Bench()
        bench.speaker.keepReady(true)
        await bench.open()
        await bench.pass(60)
        #expect(bench.isOpen)
        bench.speaker.keepReady(false)
        await eventually("it rests") {
            bench.clock.advance(by: .milliseconds(100))
            return !bench.isOpen
        }
        bench.speaker.keepReady(true)
        await eventually("it opens") { bench.isOpen }
        await bench.speaker.close()
    }

    @Test("What waits for it to open is cut by a flush, and counts as written")
    func flushesWhatWaits() async {
        let bench = Bench()
        await bench.open()
        await eventually("it rests") {
            bench.clock.advance(by: .milliseconds(100))
            return !bench.isOpen
        }
        #expect(bench.speaker.write(Self.tenth[...]) == 2_400)
        let cut = await bench.speaker.flush()
        #expect(cut.frame <= 2_400)
        #expect(bench.speaker.writtenFrames == 2_400)
        await bench.speaker.close()
    }

    @Test("Closed, it takes nothing")
    func isClosed() async {
        let bench = Bench()
        #expect(bench.speaker.write(Self.tenth[...]) == 0)
        #expect(bench.speaker.writableFrames == 0)
        await bench.open()
        await bench.speaker.close()
        #expect(bench.speaker.write(Self.tenth[...]) == 0)
        #expect(bench.errors.all.isEmpty)
    }
}
