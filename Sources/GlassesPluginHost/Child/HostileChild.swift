import CGlassesPlugin
import GlassesDomain

/// Plays a child that has gone bad, for fuzzing: everything of the host that reads a child's bytes, without a process.
@_spi(ExtentosTools)
public enum HostileChild {
    /// Says `bytes` as one datagram to a transport's and every engine's host, and answers whether a message that was understood is
    /// written again as it was read.
    public static func say(_ bytes: [UInt8]) -> Bool {
        var descriptors: [Int32] = []
        do throws(WireError) {
            let message = try MessageFrame.unpack(bytes, &descriptors)
            let read = try ChildMessage(message)
            for client in clients() { hear(read, client) }
            return read.bytes == message
        } catch {
            return true
        }
    }

    /// Says `bytes` to a child as one message of its host, and answers as ``say(_:)``.
    public static func ask(_ bytes: [UInt8]) -> Bool {
        do throws(WireError) { return try HostMessage(bytes).bytes == bytes } catch { return true }
    }

    /// Writes `bytes` over the head of an audio ring that the host reads and writes, and answers whether everything that came out is
    /// what the ports promise.
    public static func scribble(_ bytes: [UInt8]) -> Bool {
        guard let ring = AudioRingMemory(capacity: 1_600, sampleRate: 16_000), let reader = RingReader() else {
            return true
        }
        var isSane = true
        let blocks = Outcomes()
        let capture = CaptureReader(ring: ring, reader: reader, monitor: monitor()) { block in
            blocks.note((160...640).contains(block.samples.count))
        }
        let speaker = OpenSpeaker(ring: ring, monitor: monitor()) { position in
            blocks.note((0...3_200).contains(position.frame))
        }
        for round in 0..<2 {
            _ = speaker.write([Int16](repeating: 1, count: 1_600)[...])
            ring.overwriteHead(with: bytes)
            _ = capture.deliver()
            _ = speaker.readReports(hangLimit: .seconds(1))
            isSane = isSane && (0...1_600).contains(ring.readableFrames) && (0...1_600).contains(ring.writableFrames)
            if round == 0 {
                speaker.pluginDied()
                speaker.pluginRestarts()
                capture.pluginRestarts()
            }
        }
        return isSane && blocks.areGood
    }

    /// Writes `bytes` over the head of a video ring that the host reads, and answers whether every frame that came out lies within
    /// its own bytes, and no slot gave two.
    public static func scribbleFrames(_ bytes: [UInt8]) -> Bool {
        guard let ring = VideoRingMemory(slotBytes: 4_096) else { return true }
        let outcomes = Outcomes()
        for _ in 0..<2 {
            ring.overwriteHead(with: bytes)
            // Each turn frees a slot, and nobody fills another.
            for turn in 0...Int(GLASSES_VIDEO_SLOTS) {
                guard case .frame(let claims, let pixels) = ring.next() else { continue }
                outcomes.note(turn < Int(GLASSES_VIDEO_SLOTS))
                if let frame = CameraFrame(c: claims, bytes: pixels) { outcomes.note(frame.isInside) }
            }
            ring.restart()
        }
        return outcomes.areGood
    }

    private static func hear(_ message: ChildMessage, _ client: any ChildClient) {
        do throws(WireError) { try client.received(message) } catch {
            // A callback of another kind ends a child; here it is the next client's.
        }
        if case .opened(let description, let extensions) = message {
            _ = client.childOpened(ChildInstance(description: description, extensions: extensions))
        }
    }

    private static func monitor() -> CallMonitor {
        CallMonitor(plugin: "org.example.hostile", checking: .maximal, policy: .ignore, hangDisables: false) { _ in }
    }

    private static func clients() -> [any ChildClient] {
        let monitor = monitor()
        let recognition = RecognitionCallbacks(monitor: monitor) { _ in }
        let detection = DetectionCallbacks(monitor: monitor) { _ in }
        let inbox = SynthesisInbox(monitor: monitor)
        let synthesis = SynthesisCallbacks(monitor: monitor, receiver: inbox)
        let engines: [(PluginKind, ChildEngineLink.Receiver)] = [
            (.stt, { message throws(WireError) in try ChildRecogniser.receive(message, recognition) }),
            (.tts, { message throws(WireError) in try ChildSynthesiser.receive(message, synthesis, inbox) }),
            (.vad, { message throws(WireError) in try ChildDetector.receive(message, detection) }),
        ]
        let requests = RequestTable(monitor: monitor)
        return [ChildTransportLink(monitor: monitor, requests: requests) { _ in }]
            + engines.map { kind, receive in
                ChildEngineLink(monitor: monitor, kind: kind, receive: receive, fail: { _, _ in })
            }
    }
}

extension CameraFrame {
    /// Whether the last row of each plane begins within the bytes.
    fileprivate var isInside: Bool {
        planes.enumerated().allSatisfy { index, plane in
            let rows = format == .jpeg ? 1 : index == 0 ? height : height / 2
            return bytes.indices.contains(plane.offset + plane.stride * (rows - 1))
        }
    }
}

/// Whether everything that was noted was good.
private final class Outcomes: Sendable {
    private let life = InstanceLife()

    var areGood: Bool { !life.isOver }

    func note(_ isGood: Bool) { if !isGood { _ = life.end() } }
}
