import GlassesAudio
import Testing

@Suite struct PreRollBufferTests {
    @Test("The newest audio is returned by its offset, however it was cut", arguments: [1, 3, 7, 10, 25])
    func newest(piece: Int) {
        var buffer = PreRollBuffer(capacity: 10)
        let stream = (0..<25).map { Int16($0) }
        for start in stride(from: 0, to: stream.count, by: piece) {
            buffer.append(stream[start..<min(start + piece, stream.count)].span)
        }
        #expect(buffer.endFrame == 25)
        #expect(buffer.startFrame == 15)
        #expect(buffer.samples(from: 20) == [20, 21, 22, 23, 24])
        #expect(buffer.samples(from: 0) == Array(stream[15...]))
        #expect(buffer.samples(from: -5) == Array(stream[15...]))
        #expect(buffer.samples(from: 25) == [])
        #expect(buffer.samples(from: 99) == [])
    }

    @Test("Before it is full it holds what there is")
    func notFull() {
        var buffer = PreRollBuffer(capacity: 10)
        #expect(buffer.samples(from: 0) == [])
        buffer.append([Int16(1), 2, 3].span)
        #expect(buffer.startFrame == 0)
        #expect(buffer.samples(from: 1) == [2, 3])
    }

    @Test("A capacity below one holds one frame", arguments: [0, -4])
    func tinyCapacity(capacity: Int) {
        var buffer = PreRollBuffer(capacity: capacity)
        buffer.append([Int16(1), 2].span)
        #expect(buffer.samples(from: 0) == [2])
    }
}
