import CGlassesPlugin

/// Finds out which threads write a ring, and holds the threads of the callbacks against them.
enum CallbackThreads {
    /// Each arming notes the next writer; streams of one plugin may share a thread or have one each.
    private static let armings = 5

    static func check(_ run: CaseRun) throws(CaseEnd) {
        let transport = try TransportUnderTest.connected(run)
        var audio: Set<Int32> = []
        var hasStream = false
        for kind in [StreamUnderTest.Kind.microphone, .speaker] {
            guard transport.extensionPointer(kind.extensionId) != nil else { continue }
            let stream = try StreamUnderTest(kind, of: transport)
            do throws(CaseEnd) { try stream.start() } catch { continue }
            hasStream = true
            audio.formUnion(try writers(of: stream))
        }
        guard hasStream else { throw .skipped("no stream could be started") }
        try expect(!audio.isEmpty, "No thread wrote to a ring within a second.")
        let callers = Set(transport.recorder.all.map(\.thread))
        try transport.disconnect()
        let all = callers.union(transport.recorder.all.map(\.thread))
        try expect(all.isDisjoint(with: audio), "A callback came from the thread that writes the audio ring.")
    }

    private static func writers(of stream: StreamUnderTest) throws(CaseEnd) -> Set<Int32> {
        if stream.kind == .speaker { _ = stream.ring.play(stream.frames(300)) }
        for _ in 0..<armings {
            let before = stream.ring.memory.touches.count
            try stream.ring.memory.watch(writes: true)
            _ = Moment.wait(.milliseconds(200)) { stream.ring.memory.touches.count > before }
            stream.ring.memory.endWatch()
            if stream.kind == .microphone { stream.ring.drain() }
        }
        return Set(stream.ring.memory.touches)
    }
}
