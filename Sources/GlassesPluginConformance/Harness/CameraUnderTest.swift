import CGlassesPlugin
import GlassesDomain

/// A camera of a transport, with its ring.
final class CameraUnderTest {
    /// What a stream is asked for.
    struct Configuration {
        var format: String
        var width: Int
        var height: Int
        var frameRate: Double

        var json: String {
            JSONValue.object([
                "format": .string(format), "width": .int(Int64(width)), "height": .int(Int64(height)),
                "frameRate": .double(frameRate),
            ]).jsonText
        }
    }

    /// The longest time from a request to its end.
    enum Limit {
        static let start = Duration.seconds(12)
        static let stop = Duration.seconds(3)
        static let photo = Duration.seconds(10)
    }

    let transport: TransportUnderTest
    let configuration: Configuration
    /// Whether describe promises photos.
    let hasPhoto: Bool
    private(set) var ring: VideoRingUnderTest
    private let table: glasses_camera

    /// The camera of a transport, attached and not started; skips the case when there is none.
    init(of transport: TransportUnderTest) throws(CaseEnd) {
        let facts = try transport.instance.facts()
        guard let pointer = transport.extensionPointer(GLASSES_EXT_CAMERA) else {
            throw .skipped("the transport has no camera")
        }
        let configuration = try Self.configuration(facts)
        self.transport = transport
        self.configuration = configuration
        hasPhoto = facts["camera"]?["photo"]?.isNull == false
        ring = try VideoRingUnderTest(width: configuration.width, height: configuration.height)
        table = pointer.load(as: glasses_camera.self)
        let host = CameraCallbacks.table(transport.recorder)
        let result = transport.run.call("glasses_camera.attach") { table.attach(transport.table.instance, host) }
        try expect(result == GLASSES_OK, "glasses_camera.attach answered \(KnownResults.name(result)).")
    }

    /// The first format that describe offers, at its first frame rate.
    static func configuration(_ facts: JSONValue) throws(CaseEnd) -> Configuration {
        guard let first = facts["camera"]?["formats"]?.arrayValue?.first, let format = first["format"]?.stringValue,
            let width = first["width"]?.intValue, let height = first["height"]?.intValue,
            (1...Int64(GLASSES_VIDEO_SIDE_MAX)).contains(width), (1...Int64(GLASSES_VIDEO_SIDE_MAX)).contains(height),
            let rate = first["frameRates"]?.arrayValue?.first?.doubleValue, rate > 0
        else { throw .failed("describe's camera.formats has no usable format.") }
        return Configuration(format: format, width: Int(width), height: Int(height), frameRate: rate)
    }

    /// A camera that streams, of a new transport.
    static func started(_ run: CaseRun) throws(CaseEnd) -> CameraUnderTest {
        let camera = try CameraUnderTest(of: try TransportUnderTest.connected(run))
        try camera.start()
        return camera
    }

    /// Starts it and waits for its completion.
    func start() throws(CaseEnd) {
        let (id, answer) = attemptStart()
        try expect(answer == GLASSES_OK, "glasses_camera.start answered \(KnownResults.name(answer)).")
        let result = try transport.end(of: id, "start", within: Limit.start)
        switch Int(result) {
        case GLASSES_OK: return
        case GLASSES_ERROR_UNAVAILABLE, GLASSES_ERROR_BUSY, GLASSES_ERROR_DENIED, GLASSES_ERROR_TIMEOUT:
            throw .skipped("the camera cannot be started here: \(KnownResults.name(result))")
        default: throw .failed("start ended with \(KnownResults.name(result)).")
        }
    }

    /// Starts it on a new ring.
    func restart() throws(CaseEnd) {
        ring = try VideoRingUnderTest(width: configuration.width, height: configuration.height)
        try start()
    }

    /// Asks for a stream that may be refused.
    func attemptStart(_ text: String? = nil) -> (id: UInt64, result: glasses_result) {
        transport.attempt("glasses_camera.start") { id in
            table.start(transport.table.instance, id, text ?? configuration.json, ring.pointer)
        }
    }

    /// Stops it and waits for its completion.
    func stop() throws(CaseEnd) {
        let id = try transport.start("glasses_camera.stop") { table.stop(transport.table.instance, $0) }
        let result = try transport.end(of: id, "stop", within: Limit.stop)
        try expect(result == GLASSES_OK, "stop ended with \(KnownResults.name(result)).")
    }

    /// Asks for a photo that may be refused.
    func attemptPhoto() -> (id: UInt64, result: glasses_result) {
        transport.attempt("glasses_camera.take_photo") { table.take_photo(transport.table.instance, $0) }
    }

    /// Takes frames for a while, as the host's reader does.
    func frames(for duration: Duration) -> [glasses_frame] {
        var frames: [glasses_frame] = []
        let end = Moment.now() + duration
        while Moment.now() < end {
            guard let (slot, frame) = ring.take() else {
                Moment.pause(.milliseconds(2))
                continue
            }
            frames.append(frame)
            ring.release(slot)
        }
        return frames
    }
}

/// The host's side of a camera.
enum CameraCallbacks {
    /// The struct of callbacks to `recorder`; never freed.
    static func table(_ recorder: Recorder) -> UnsafePointer<glasses_camera_host> {
        let table = UnsafeMutablePointer<glasses_camera_host>.allocate(capacity: 1)
        table.initialize(
            to: glasses_camera_host(
                size: UInt32(MemoryLayout<glasses_camera_host>.size), reserved: 0,
                ctx: Unmanaged.passRetained(recorder).toOpaque(),
                on_photo: { context, request, data, length, facts in
                    let start = UnsafeBufferPointer(start: data, count: min(length, 16)).map { $0 }
                    CameraCallbacks.recorder(context)?
                        .record(.photo(request, start: start, length: length, facts: CallbackText(facts)))
                },
                on_stream: { context, state in
                    CameraCallbacks.recorder(context)?.record(.stream(CallbackText(state)))
                }))
        return UnsafePointer(table)
    }

    private static func recorder(_ context: UnsafeMutableRawPointer?) -> Recorder? {
        context.map { Unmanaged<Recorder>.fromOpaque($0).takeUnretainedValue() }
    }
}
