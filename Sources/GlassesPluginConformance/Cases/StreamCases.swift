import CGlassesPlugin

/// What a microphone and a loudspeaker share.
enum StreamCases {
    static func all(_ kind: StreamUnderTest.Kind, _ subject: ConformanceSubject) -> [ConformanceCase] {
        starting(kind, subject) + stopping(kind, subject)
    }

    private static func starting(_ kind: StreamUnderTest.Kind, _ subject: ConformanceSubject) -> [ConformanceCase] {
        let name = kind.rawValue
        return [
            ConformanceCase(
                name + ".start", subject, "start is accepted and completes within 2 s", needs: ["transport.disconnect"]
            ) { run throws(CaseEnd) in _ = try StreamUnderTest.started(kind, run) },
            ConformanceCase(
                name + ".unconnected", subject, "start before connect is refused with STATE", needs: [name + ".start"]
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest(kind, of: try TransportUnderTest.activated(run))
                let result = stream.attemptStart().result
                try expect(result == GLASSES_ERROR_STATE, "start before connect answered \(KnownResults.name(result)).")
            },
            ConformanceCase(
                name + ".start-twice", subject, "start while started is refused with STATE", needs: [name + ".start"]
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest.started(kind, run)
                let result = stream.attemptStart().result
                try expect(result == GLASSES_ERROR_STATE, "A second start answered \(KnownResults.name(result)).")
            },
            ConformanceCase(
                name + ".late-start", subject, "start after disconnect is refused with STATE", needs: [name + ".start"]
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest.started(kind, run)
                try stream.transport.disconnect()
                let result = stream.attemptStart().result
                try expect(
                    result == GLASSES_ERROR_STATE, "start after disconnect answered \(KnownResults.name(result)).")
            },
        ]
    }

    private static func stopping(_ kind: StreamUnderTest.Kind, _ subject: ConformanceSubject) -> [ConformanceCase] {
        let name = kind.rawValue
        return [
            ConformanceCase(
                name + ".stop", subject, "stop completes within 2 s, and the ring is not touched afterwards",
                needs: [name + ".start"]
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest.started(kind, run)
                Moment.pause(.milliseconds(100))
                try stream.stop()
                try stream.ring.memory.checkUntouched(after: "stop completed")
            },
            ConformanceCase(
                name + ".restart", subject, "start works again after stop, on another ring", needs: [name + ".stop"]
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest.started(kind, run)
                try stream.stop()
                try stream.restart()
                try stream.stop()
            },
            ConformanceCase(
                name + ".disconnect", subject, "disconnect ends the stream before it completes", needs: [name + ".stop"]
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest.started(kind, run)
                Moment.pause(.milliseconds(100))
                try stream.transport.disconnect()
                try stream.ring.memory.checkUntouched(after: "disconnect completed")
            },
            ConformanceCase(
                name + ".destroy", subject, "destroy ends a running stream within 2 s",
                needs: [name + ".stop", "transport.destroy-connected"]
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest.started(kind, run)
                Moment.pause(.milliseconds(100))
                let took = stream.transport.instance.destroy()
                try expect(took <= Endings.destroyLimit, "destroy took \(took.inMilliseconds) ms.")
                try stream.ring.memory.checkUntouched(after: "destroy returned")
            },
            ConformanceCase(
                name + ".cycles", subject, "starting and stopping over and over leaves no memory, thread or descriptor",
                needs: [name + ".restart"], limit: .seconds(90)
            ) { run throws(CaseEnd) in
                let stream = try StreamUnderTest(kind, of: try TransportUnderTest.connected(run))
                try GrowthWatch.check(run, "start and stop") { _ throws(CaseEnd) in
                    try stream.start()
                    try stream.stop()
                    stream.transport.recorder.clear()
                }
            },
        ]
    }
}
