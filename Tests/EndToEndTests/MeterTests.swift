import Foundation
import GlassesDomain
import SoundServer
import Testing

/// The meters against somebody who replies in time that a recording of both tells to the sample.
@Suite(.serialized) struct MeterTests {
    /// Frames of a millisecond.
    private static let millisecond = 48
    private static let rounds = 2

    @Test(.timeLimit(.minutes(3)))
    func theTimeOfAnAnswerIsWhatTheAirHoldsWithinTheStatedError() async throws {
        try await PrivatePulse.with { pulse in
            let air = try await SharedAir(pulse)
            let replier = Replier(air, answerMs: 900)
            let meter = try MeterProcess(
                pulse, ["answer", "--mic", air.replied, "--speaker", air.asker, "--rounds", "\(Self.rounds)"])
            while !meter.hasEnded { try await replier.listen() }
            air.stop()
            let summary = try meter.summary()
            let error = try #require(summary["errorMs"]?.doubleValue)
            let measured = meter.times
            let truth = Self.delays(air.recording())
            print("answers: measured \(measured), true \(truth), stated error \(error) ms")
            #expect(truth.count == Self.rounds)
            try #require(measured.count == Self.rounds, "\(meter.lines)")
            // On a machine that is too busy to play without a gap a round is refused, and has to be.
            #expect(measured.contains { $0 != nil }, "\(meter.lines)")
            for (one, other) in zip(measured, truth) { if let one { #expect(abs(one - other) <= error) } }
            // A figure that is right to a quarter of a second says nothing.
            #expect(error < 60)
        }
    }

    @Test(.timeLimit(.minutes(3)))
    func theTimeOfACutIsWhatTheAirHoldsWithinTheStatedError() async throws {
        try await PrivatePulse.with { pulse in
            let air = try await SharedAir(pulse)
            let replier = Replier(air, answerMs: 3_000)
            let meter = try MeterProcess(
                pulse, ["barge-in", "--mic", air.replied, "--speaker", air.asker, "--rounds", "1"])
            while !meter.hasEnded { try await replier.listen() }
            air.stop()
            let summary = try meter.summary()
            let error = try #require(summary["errorMs"]?.doubleValue)
            let truth = Self.cuts(air.recording())
            print("cuts: measured \(meter.times), true \(truth), stated error \(error) ms")
            let measured = meter.times.compactMap { $0 }
            #expect(!measured.isEmpty, "\(meter.lines)")
            for one in measured { #expect(truth.contains { abs($0 - one) <= error }) }
            #expect(error < 60)
        }
    }

    @Test(.timeLimit(.minutes(2)))
    func anAnswerOfTheMetersOwnIsHeardWhereItWasPlayedAndBothStandInTheFile() async throws {
        try await PrivatePulse.with { pulse in
            let air = try await SharedAir(pulse)
            let file = SoundLab.folder.appendingPathComponent("meter-\(UUID().uuidString).wav").path
            var (off, error): (Double?, Double) = (nil, 0)
            // A machine that is too busy to play without a gap may need another attempt.
            for _ in 0..<3 where off == nil {
                let meter = try MeterProcess(
                    pulse,
                    ["answer", "--mic", air.asked, "--speaker", air.asker, "--self-test", "500", "--rounds", "1"]
                        + ["--out", file])
                let ended = await eventually(within: 60) { meter.hasEnded }
                try #require(ended)
                error = try #require(try meter.summary()["errorMs"]?.doubleValue)
                off = try #require(meter.times.first)
            }
            air.stop()
            #expect(abs(try #require(off)) <= error)
            let bytes = try #require(FileManager.default.contents(atPath: file))
            let samples = bytes.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
            let sides = [0, 1].map { side in
                Signal.loudRuns(
                    stride(from: side, to: samples.count, by: 2).map { samples[$0] }, threshold: 400, gap: 9_600)
            }
            // Question and answer, on both sides at the same places.
            try #require(sides.map(\.count) == [2, 2])
            for (played, heard) in zip(sides[0], sides[1]) {
                #expect(abs(played.lowerBound - heard.lowerBound) <= Int(error) * Self.millisecond)
            }
        }
    }

    /// The times between what was asked and what was replied, in milliseconds, as the air had them.
    private static func delays(_ air: (asked: [Int16], replied: [Int16])) -> [Double] {
        let replies = runs(air.replied)
        return runs(air.asked).compactMap { question in
            replies.first { $0.lowerBound > question.upperBound }.map {
                Double($0.lowerBound - question.upperBound) / Double(millisecond)
            }
        }
    }

    /// The times between an interruption and the end of the reply that it cut.
    private static func cuts(_ air: (asked: [Int16], replied: [Int16])) -> [Double] {
        let replies = runs(air.replied)
        return runs(air.asked).compactMap { interruption in
            replies.first { $0.contains(interruption.lowerBound) }.map {
                Double($0.upperBound - interruption.lowerBound) / Double(millisecond)
            }
        }
    }

    /// The sounds in one side of the air, down to one percent of the loudest, as the meter's rule has it.
    private static func runs(_ side: [Int16]) -> [Range<Int>] {
        let loudest = side.map { abs(Int($0)) }.max() ?? 0
        return Signal.loudRuns(side, threshold: Int16(max(33, loudest / 100)), gap: 400 * millisecond)
    }
}

/// Replies to whatever is asked, and stops when somebody speaks meanwhile, to which it replies nothing.
private final class Replier {
    /// So much quiet ends what is asked, in frames.
    private static let quiet = 24_000
    /// How long it speaks on when it is interrupted, in frames.
    private static let reaction = 7_200
    /// What counts as sound.
    private static let loud: Int16 = 500

    private let air: SharedAir
    private let answer: [Int16]
    private var place: Int
    private var lastLoud: Int?
    private var playing: ChildProcess?
    private var interruptedAt: Int?

    init(_ air: SharedAir, answerMs: Int) {
        self.air = air
        answer = Signal.sine(330, frames: answerMs * 48)
        place = air.frameCount
    }

    /// Listens to what came since the last call.
    func listen() async throws {
        try await Task.sleep(for: .milliseconds(20))
        let asked = air.recording(from: place).asked
        let isLoud = { (sample: Int16) in abs(Int(sample)) > Int(Self.loud) }
        if let first = asked.firstIndex(where: isLoud), interruptedAt == nil, playing?.hasEnded == false {
            interruptedAt = place + first
        }
        if let last = asked.lastIndex(where: isLoud) { lastLoud = place + last }
        place += asked.count
        if let interruptedAt, place - interruptedAt >= Self.reaction {
            playing?.end(SIGKILL)
            playing = nil
        }
        if let lastLoud, place - lastLoud >= Self.quiet {
            self.lastLoud = nil
            if interruptedAt == nil { playing = try air.reply(answer) }
            interruptedAt = nil
        }
    }
}

/// A running meter, and what it has printed.
private final class MeterProcess {
    private let process: ChildProcess
    private let output: URL

    init(_ pulse: PrivatePulse, _ arguments: [String]) throws {
        let folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        output = SoundLab.folder.appendingPathComponent("meter-\(UUID().uuidString)")
        process = try pulse.launch(
            folder.appendingPathComponent("glasses").path, ["bench"] + arguments + ["--json"], output: output.path)
    }

    var hasEnded: Bool { process.hasEnded }

    var lines: [String] {
        String(decoding: FileManager.default.contents(atPath: output.path) ?? Data(), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    /// What each round gave, in milliseconds.
    var times: [Double?] { objects("round").map { $0["ms"]?.doubleValue } }

    func summary() throws -> JSONValue { try #require(objects("summary").last, "\(lines)") }

    private func objects(_ event: String) -> [JSONValue] {
        lines.compactMap { line in do { return try JSONValue(jsonText: line) } catch { return nil } }
            .filter { $0["event"]?.stringValue == event }
    }
}
