import CVideo4Linux
import Testing

@testable import SystemDeviceCamera

@Suite("The modes of a camera")
struct V4L2ModesTests {
    @Test("One size is offered as it is, a range as the usual sizes in it")
    func sizes() {
        let one = cv4l_sizes(
            width_min: 176, width_max: 176, width_step: 1, height_min: 144, height_max: 144, height_step: 1)
        #expect(V4L2Modes.sizes(in: one).map { [$0.0, $0.1] } == [[176, 144]])
        let range = cv4l_sizes(
            width_min: 0, width_max: 700, width_step: 16, height_min: 0, height_max: 720, height_step: 0)
        #expect(V4L2Modes.sizes(in: range).map { [$0.0, $0.1] } == [[320, 240], [640, 360], [640, 480]])
    }

    @Test(
        "Rates are rounded, and of a range the usual ones are offered that its steps reach",
        arguments: [
            (cv4l_intervals(one: 1001, 30_000), [30]), (cv4l_intervals(one: 2, 15), [8]),
            (cv4l_intervals(one: 0, 30), []), (cv4l_intervals(one: 1, 0), []), (cv4l_intervals(one: 60, 1), []),
            (cv4l_intervals(from: (1, 30), to: (1, 10), step: (0, 0)), [10, 15, 20, 24, 25, 30]),
            (cv4l_intervals(from: (1, 30), to: (1, 5), step: (1, 30)), [5, 10, 15, 30]),
        ])
    func rates(_ row: (cv4l_intervals, [Int])) {
        #expect(V4L2Modes.intervals(in: row.0).compactMap(\.rate).sorted() == row.1)
    }

    @Test("The driver's count goes on where it wraps, and where the driver begins anew")
    func sequence() {
        var count = SequenceCount()
        let told: [UInt32] = [.max - 1, .max, 0, 3, 2, 3]
        #expect(told.map { count.number(of: $0) } == [0, 1, 2, 5, 6, 7])
    }
}

extension cv4l_intervals {
    fileprivate init(one numerator: UInt32, _ denominator: UInt32) {
        self.init(from: (numerator, denominator), to: (numerator, denominator), step: (0, 0))
        is_range = 0
    }

    fileprivate init(from: (UInt32, UInt32), to: (UInt32, UInt32), step: (UInt32, UInt32)) {
        self.init(
            shortest_numerator: from.0, shortest_denominator: from.1, longest_numerator: to.0,
            longest_denominator: to.1, step_numerator: step.0, step_denominator: step.1, is_range: 1)
    }
}
