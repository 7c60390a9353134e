import Testing

@testable import MWDATCamera

@Suite struct FrameQueueTests {
    @Test func ofDecodedPicturesTheOldestGoes() {
        var queue = FrameQueue<Int>(isCoded: false)
        let dropped = (1...9).map { queue.append($0, isKeyFrame: true).dropped }
        #expect(dropped == [0, 0, 0, 0, 1, 1, 1, 1, 1])
        #expect(drain(&queue) == [6, 7, 8, 9])
    }

    @Test func codedPicturesGoOnWithOneThatCanBeDecodedAlone() {
        var queue = FrameQueue<Int>(isCoded: true)
        for number in 1...30 { #expect(queue.append(number, isKeyFrame: number == 1) == .init()) }
        #expect(queue.append(31, isKeyFrame: false) == .init(dropped: 31, needsKeyFrame: true))
        #expect(queue.append(32, isKeyFrame: false) == .init(dropped: 1, needsKeyFrame: true))
        #expect(queue.append(33, isKeyFrame: true) == .init())
        #expect(queue.append(34, isKeyFrame: false) == .init())
        #expect(drain(&queue) == [33, 34])
    }

    @Test func aCodedPictureThatCanBeDecodedAloneTakesThePlaceOfAll() {
        var queue = FrameQueue<Int>(isCoded: true)
        for number in 1...30 { _ = queue.append(number, isKeyFrame: number == 1) }
        #expect(queue.append(31, isKeyFrame: true) == .init(dropped: 30))
        #expect(drain(&queue) == [31])
    }

    private func drain(_ queue: inout FrameQueue<Int>) -> [Int] {
        var frames: [Int] = []
        while let frame = queue.popFirst() { frames.append(frame) }
        return frames
    }
}
