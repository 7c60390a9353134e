import CGlassesPlugin
import CShims
import GlassesDomain

/// A transport's camera.
enum CameraCases {
    static let all = starting + frames + stopping + photos

    /// Enough for a few frames at any rate.
    private static let watching = Duration.milliseconds(600)

    private static let starting = [
        ConformanceCase(
            "camera.start", .camera, "start is accepted and completes within 12 s, with a frame in the ring",
            needs: ["transport.disconnect"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            try expect(camera.ring.written > 0, "start completed, and no frame is in the ring.")
        },
        ConformanceCase(
            "camera.unconnected", .camera, "start before connect is refused with STATE", needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let result = try CameraUnderTest(of: try TransportUnderTest.activated(run)).attemptStart().result
            try expect(result == GLASSES_ERROR_STATE, "start before connect answered \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "camera.start-twice", .camera, "start while started is refused with STATE", needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let result = try CameraUnderTest.started(run).attemptStart().result
            try expect(result == GLASSES_ERROR_STATE, "A second start answered \(KnownResults.name(result)).")
        },
        ConformanceCase(
            "camera.configuration", .camera, "a configuration that describe does not offer is refused with INVALID",
            needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest(of: try TransportUnderTest.connected(run))
            var unknown = camera.configuration
            unknown.format = "org.example"
            for text in ["[]", "{}", unknown.json] {
                let result = camera.attemptStart(text).result
                try expect(
                    result == GLASSES_ERROR_INVALID,
                    "start answered \(KnownResults.name(result)) to the configuration \(text).")
            }
        },
    ]

    private static let frames = [
        ConformanceCase(
            "camera.frames", .camera, "each frame has the asked format and size, and planes inside its slot",
            needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            let wanted = camera.configuration
            let formats: [String: glasses_pixel_format] = ["i420": 1, "nv12": 2, "yuyv": 3, "jpeg": 4]
            for var frame in camera.frames(for: watching) {
                try expect(
                    glasses_frame_is_valid(&frame, camera.ring.slotBytes) != 0,
                    "A frame is not what frame.h allows: format \(frame.format), \(frame.width)×\(frame.height), "
                        + "\(frame.bytes) bytes, \(frame.plane_count) planes.")
                try expect(
                    frame.format == formats[wanted.format] && Int(frame.width) == wanted.width
                        && Int(frame.height) == wanted.height,
                    "A frame has the format \(frame.format) and \(frame.width)×\(frame.height) pixels; asked for were "
                        + "\(wanted.format) and \(wanted.width)×\(wanted.height).")
            }
        },
        ConformanceCase(
            "camera.times", .camera, "frames' times are CLOCK_MONOTONIC and increase, and so do their numbers",
            needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let frames = try CameraUnderTest.started(run).frames(for: watching)
            try expect(frames.count > 1, "\(frames.count) frames came in \(watching.inMilliseconds) ms.")
            for (frame, next) in zip(frames, frames.dropFirst()) {
                try expect(next.t_ns > frame.t_ns, "The times of two frames do not increase.")
                try expect(next.number > frame.number, "The numbers of two frames do not increase.")
            }
            let age = Moment.nanoseconds() - (frames.last?.t_ns ?? 0)
            try expect(
                (0..<5_000_000_000).contains(age),
                "The newest frame's time is \(age / 1_000_000) ms from CLOCK_MONOTONIC.")
        },
        ConformanceCase(
            "camera.rate", .camera, "not many more frames come than asked for", needs: ["camera.times"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            let frames = camera.frames(for: watching)
            guard let first = frames.first, let last = frames.last, frames.count > 1 else { return }
            let seconds = Double(last.t_ns - first.t_ns) / 1e9
            // A quarter more for a clock that is not the host's, and one for what waited.
            let most = seconds * camera.configuration.frameRate * 1.25 + 1
            try expect(
                Double(frames.count - 1) <= most,
                "\(frames.count - 1) frames came in \(Int(seconds * 1_000)) ms; asked for were "
                    + "\(camera.configuration.frameRate) a second.")
        },
        ConformanceCase(
            "camera.wake", .camera, "wake_fd is signalled after each frame", needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            _ = camera.frames(for: watching)
            let signals = cshims_eventfd_drain(camera.ring.wake)
            // One frame may be between its slot and its signal.
            try expect(
                Int64(signals) + 1 >= camera.ring.written, "\(camera.ring.written) frames came with \(signals) signals."
            )
        },
        ConformanceCase(
            "camera.oldest", .camera, "without a free slot the oldest frame gives way and is counted",
            needs: ["camera.times"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            let seconds = Double(3 * GLASSES_VIDEO_SLOTS) / camera.configuration.frameRate + 2
            let isDropping = Moment.wait(.milliseconds(Int64(seconds * 1_000))) {
                camera.ring.dropped > 0 && camera.ring.written > Int64(GLASSES_VIDEO_SLOTS)
            }
            try expect(isDropping, "\(camera.ring.written) frames were written, and none of them gave way.")
        },
        ConformanceCase(
            "camera.reading", .camera, "a slot that the host reads is left alone", needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            guard let (slot, _) = camera.ring.take() else {
                throw .failed("start completed, and no frame is in the ring.")
            }
            let before = camera.ring.digest(of: slot)
            // Long enough for every other slot to be used.
            let written = camera.ring.written
            _ = Moment.wait(.seconds(2)) { camera.ring.written > written + 2 * Int64(GLASSES_VIDEO_SLOTS) }
            try expect(camera.ring.digest(of: slot) == before, "The plugin wrote to a slot that the host was reading.")
        },
        ConformanceCase(
            "camera.bounds", .camera, "the plugin writes nothing but its frames", needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            _ = camera.frames(for: watching)
            try camera.ring.checkBounds()
        },
    ]

    private static let stopping = [
        ConformanceCase(
            "camera.stop", .camera, "stop completes within 3 s, and the ring is not touched afterwards",
            needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            try camera.stop()
            try camera.ring.memory.checkUntouched(after: "stop completed")
        },
        ConformanceCase(
            "camera.restart", .camera, "start works again after stop, on another ring", needs: ["camera.stop"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            try camera.stop()
            try camera.restart()
            try camera.stop()
        },
        ConformanceCase(
            "camera.disconnect", .camera, "disconnect ends the stream before it completes", needs: ["camera.stop"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            try camera.transport.disconnect()
            try camera.ring.memory.checkUntouched(after: "disconnect completed")
        },
        ConformanceCase(
            "camera.destroy", .camera, "destroy ends a running stream within 2 s",
            needs: ["camera.stop", "transport.destroy-connected"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest.started(run)
            let took = camera.transport.instance.destroy()
            try expect(took <= Endings.destroyLimit, "destroy took \(took.inMilliseconds) ms.")
            try camera.ring.memory.checkUntouched(after: "destroy returned")
        },
        ConformanceCase(
            "camera.cycles", .camera, "starting and stopping over and over leaves no memory, thread or descriptor",
            needs: ["camera.restart"], limit: .seconds(90)
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest(of: try TransportUnderTest.connected(run))
            try GrowthWatch.check(run, "start and stop") { _ throws(CaseEnd) in
                try camera.start()
                try camera.stop()
                camera.transport.recorder.clear()
            }
        },
    ]

    private static let photos = [
        ConformanceCase(
            "camera.photo", .camera,
            "a photo comes before its request ends with OK; without \"photo\" it is UNSUPPORTED",
            needs: ["camera.start"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest(of: try TransportUnderTest.connected(run))
            let (id, answer) = camera.attemptPhoto()
            guard camera.hasPhoto else {
                return try expect(
                    answer == GLASSES_ERROR_UNSUPPORTED,
                    "take_photo answered \(KnownResults.name(answer)) without \"photo\".")
            }
            try expect(answer == GLASSES_OK, "take_photo answered \(KnownResults.name(answer)).")
            let result = try camera.transport.end(of: id, "take_photo", within: CameraUnderTest.Limit.photo)
            try expect(result == GLASSES_OK, "take_photo ended with \(KnownResults.name(result)).")
            try checkPhoto(id, camera.transport.recorder.all)
        },
        ConformanceCase(
            "camera.one-photo", .camera,
            "each accepted photo ends exactly once; a second one meanwhile is refused with BUSY",
            needs: ["camera.photo"]
        ) { run throws(CaseEnd) in
            let camera = try CameraUnderTest(of: try TransportUnderTest.connected(run))
            guard camera.hasPhoto else { throw .skipped("the camera takes no photos") }
            let first = camera.attemptPhoto()
            let isUnderWay = camera.transport.recorder.endings(of: first.id).isEmpty
            let second = camera.attemptPhoto()
            // The first may have ended between the two looks, and then the second is accepted.
            let isStillUnderWay = isUnderWay && camera.transport.recorder.endings(of: first.id).isEmpty
            try expect(
                second.result == GLASSES_ERROR_BUSY || (second.result == GLASSES_OK && !isStillUnderWay),
                "take_photo answered \(KnownResults.name(second.result)) while another photo was being taken.")
            for id in camera.transport.accepted {
                _ = try camera.transport.end(of: id, "take_photo", within: CameraUnderTest.Limit.photo)
            }
            Moment.pause(Endings.silence)
            try Endings.checkOnce(camera.transport.accepted, camera.transport.recorder.all)
        },
    ]

    private static func checkPhoto(_ wanted: UInt64, _ callbacks: [PluginCallback]) throws(CaseEnd) {
        var count = 0
        for callback in callbacks {
            guard case .photo(wanted, let start, let length, let facts) = callback.kind else { continue }
            count += 1
            try expect(length > 0 && length <= Int(GLASSES_PHOTO_MAX), "A photo has \(length) bytes.")
            guard let object = facts.object, let format = object["format"]?.stringValue else {
                throw .failed("The facts of a photo are no JSON object with a format.")
            }
            if format == "jpeg" { try expect(start.starts(with: [0xFF, 0xD8]), "A photo is no JPEG file.") }
            let sides = [object["width"]?.intValue ?? 0, object["height"]?.intValue ?? 0]
            try expect(sides.allSatisfy { $0 > 0 }, "The facts of a photo lack its width or height.")
        }
        try expect(count == 1, "on_photo came \(count) times before on_completed.")
    }
}
