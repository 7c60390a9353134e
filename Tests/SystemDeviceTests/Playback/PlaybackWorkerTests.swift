import CGlassesPlugin
import Glibc
import SoundServer
import Synchronization
import Testing

@testable import SystemDeviceStreams

extension RealTimeTests {
    /// The playback thread on a device in memory.
    @Suite(.serialized) struct PlaybackWorkerTests {
        private static let tone = (0..<48_000).map { Int16($0 % 30_000 + 1) }

        private static func harness(
            _ journal: ScriptedDevice.Journal, resumeResults: [Int32] = [], script: @escaping @Sendable (Int) -> Int32?
        ) -> StreamHarness {
            StreamHarness(
                .speaker("scripted"),
                job: { flushes in
                    StreamJob(
                        threadName: "scripted",
                        open: { .success(ScriptedDevice(journal, resumeResults: resumeResults, script: script)) },
                        work: { PlaybackWorker(device: $0, flushes: flushes) })
                })
        }

        /// Plays one second and answers what the device was given of it.
        private static func play(_ harness: StreamHarness, _ journal: ScriptedDevice.Journal) async -> [Int16] {
            #expect(await harness.start() == nil)
            #expect(await harness.ring.play(tone))
            #expect(await eventually(within: 3) { harness.ring.playback.played_position == 48_000 })
            #expect(await harness.stop() == nil)
            harness.end()
            #expect(journal.entries.withLock { $0.misuse.isEmpty })
            return journal.entries.withLock { $0.played.filter { $0 != 0 } }
        }

        @Test func underrunsOfTheFifthSixthAndSeventhWriteAreCountedAndLoseNothing() async throws {
            let journal = ScriptedDevice.Journal()
            let harness = Self.harness(journal) { (5...7).contains($0) ? -EPIPE : nil }
            let played = await Self.play(harness, journal)
            #expect(played == Self.tone)
            #expect(harness.ring.xruns == 3)
            #expect(harness.reports.isEmpty)
            let (failures, successes) = journal.entries.withLock { ($0.failures, $0.successes) }
            let last = try #require(failures.last)
            let next = try #require(successes.first { $0 > last })
            #expect(next - failures[0] < 200 * millisecond)
        }

        @Test func aDeviceThatRanDryIsGivenSilenceBeforeWhatWaits() async throws {
            let journal = ScriptedDevice.Journal()
            let harness = Self.harness(journal) { $0 == 6 ? -EPIPE : nil }
            #expect(await Self.play(harness, journal) == Self.tone)
            let played = journal.entries.withLock { $0.played }
            let first = try #require(played.firstIndex { $0 != 0 })
            let last = try #require(played.lastIndex { $0 != 0 })
            // Two periods, when it is opened and after the underrun.
            #expect(first >= 960)
            #expect(played[first...last].count { $0 == 0 } >= 960)
        }

        @Test(arguments: [[], [-EAGAIN, -EAGAIN, -EAGAIN], [-ENOSYS]])
        func aSuspendedDeviceIsResumedOrPreparedAndCountsAsNoUnderrun(resumeResults: [Int32]) async {
            let journal = ScriptedDevice.Journal()
            let harness = Self.harness(journal, resumeResults: resumeResults) { $0 == 6 ? -ESTRPIPE : nil }
            let played = await Self.play(harness, journal)
            #expect(played == Self.tone)
            #expect(harness.ring.xruns == 0)
            #expect(harness.reports.isEmpty)
            #expect(
                journal.entries.withLock { $0.resumes }
                    == max(1, resumeResults.count + (resumeResults == [-ENOSYS] ? 0 : 1)))
        }

        @Test func aDeviceThatAnswersTryAgainEverySecondTimeIsFedWholeAndWithoutSpinning() async {
            let journal = ScriptedDevice.Journal()
            let harness = Self.harness(journal) { $0 % 2 == 0 ? -EAGAIN : nil }
            let played = await Self.play(harness, journal)
            #expect(played == Self.tone)
            #expect(harness.ring.xruns == 0)
            // Periods of 10 ms: a few calls each, for about one second.
            #expect(journal.entries.withLock { $0.calls } < 3_000)
        }

        @Test func elevenUnderrunsInASecondOpenTheDeviceAnewAndPlayGoesOn() async {
            let journal = ScriptedDevice.Journal()
            let harness = Self.harness(journal) { (5...15).contains($0) ? -EPIPE : nil }
            let played = await Self.play(harness, journal)
            // What the thread had read and not handed over when the device was given up is lost: at most one buffer.
            #expect(played.count >= 48_000 - 2_400)
            #expect(harness.ring.xruns == 11)
            #expect(harness.reports.isEmpty)
        }

        @Test func whatIsWrittenAfterAFlushIsPlayedAndWhatWasWrittenBeforeIsNot() async throws {
            let journal = ScriptedDevice.Journal()
            let harness = Self.harness(journal) { _ in nil }
            #expect(await harness.start() == nil)
            harness.ring.write(Signal.level(1_000, frames: 48_000)[...])
            #expect(await eventually(within: 2) { harness.ring.playback.played_position > 4_800 })
            harness.driver.flush(1, upTo: harness.ring.written)
            harness.ring.write(Signal.level(2_000, frames: 4_800)[...])
            #expect(await eventually(within: 2) { harness.ring.playback.played_position == 52_800 })
            let playback = harness.ring.playback
            #expect(playback.flush_id == 1)
            #expect(playback.flushed_position < 20_000)
            #expect(await harness.stop() == nil)
            harness.end()
            let played = journal.entries.withLock { $0.played }
            #expect(played.count { $0 == 2_000 } == 4_800)
            let heardOfTheFirst = played.count { $0 == 1_000 }
            // Handed to the device: what was heard, and the buffer that was cut.
            #expect((0...2_400).contains(heardOfTheFirst - Int(playback.flushed_position)))
        }

        @Test func aDeviceThatRunsDryAdvancesNoPositionInTheGap() async {
            let journal = ScriptedDevice.Journal()
            let harness = Self.harness(journal) { _ in nil }
            #expect(await harness.start() == nil)
            harness.ring.write(Signal.level(1_000, frames: 4_800)[...])
            #expect(await eventually(within: 2) { harness.ring.playback.played_position == 4_800 })
            #expect(await eventually(within: 1) { harness.ring.playback.is_advancing == 0 })
            let before = harness.ring.playback.played_t_ns
            #expect(await eventually(within: 1) { harness.ring.playback.played_t_ns > before + 200 * millisecond })
            #expect(harness.ring.playback.played_position == 4_800)
            #expect(harness.ring.xruns == 0)
            #expect(await harness.stop() == nil)
            harness.end()
        }
    }
}
