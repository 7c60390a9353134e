import CTurboJPEG
import Foundation
import GlassesDomain
import GlassesMedia

/// Pictures of 720 × 1280 pixels through `GlassesMedia`, against libjpeg-turbo alone and against `memcpy`, in one run.
enum Pictures: Benchmark {
    static let name = "pictures"
    static let summary = "JPEG against libjpeg-turbo alone, and clips against memcpy, 720 × 1280 at 30 frames a second"

    private static let (width, height, quality) = (720, 1_280, 80)
    private static let coder = TurboPictureCoder()
    /// A second of recording.
    private static let frames = (0..<30).map(frame)

    static func run() -> [Figure] {
        let file = encoded(frames[0])
        let copy = memcpy(frames[0].bytes)
        let bareEncode = encodeAlone(frames[0])
        let encode = Stopwatch.nanoseconds(rounds: 20) { use(encoded(frames[0])) }
        let bareDecode = decodeAlone(file)
        let decode = Stopwatch.nanoseconds(rounds: 20) { use(packed(file)) }
        let check = Stopwatch.nanoseconds(rounds: 20) { use(checked(file)) }
        let clip = record()
        return [
            Figure(name: "memcpy of a frame", value: copy, unit: "ns"),
            Figure(name: "libjpeg-turbo encode", value: bareEncode, unit: "ns"),
            Figure(name: "frame to JPEG file", value: encode, unit: "ns"),
            Figure(name: "frame to JPEG file / libjpeg-turbo", value: encode / bareEncode, unit: "ratio"),
            Figure(name: "libjpeg-turbo decode", value: bareDecode, unit: "ns"),
            Figure(name: "JPEG frame to I420 / libjpeg-turbo", value: decode / bareDecode, unit: "ratio"),
            Figure(name: "JPEG frame checked / libjpeg-turbo", value: check / bareDecode, unit: "ratio"),
            Figure(name: "frame into a clip", value: clip, unit: "ns"),
            Figure(name: "frame into a clip / memcpy", value: clip / copy, unit: "ratio"),
            Figure(name: "a core at 30 frames a second", value: clip * 30 / 1e9 * 100, unit: "%"),
        ]
    }

    /// A gradient with a texture that moves by two pixels a frame, as a hand that holds a camera makes it.
    private static func frame(_ number: Int) -> CameraFrame {
        var bytes: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = (column + 2 * number, row + number)
                let texture = (x / 8 &* 73 ^ y / 8 &* 151) & 31
                bytes.append(UInt8(40 + (x + y) % 1_024 / 8 + texture))
            }
        }
        bytes += [UInt8](repeating: 120, count: width * height / 4) + [UInt8](repeating: 136, count: width * height / 4)
        let planes = [
            CameraPlane(offset: 0, stride: width), CameraPlane(offset: width * height, stride: width / 2),
            CameraPlane(offset: width * height * 5 / 4, stride: width / 2),
        ]
        return CameraFrame(
            bytes: bytes, format: .i420, width: width, height: height, rotation: 0, planes: planes,
            time: time(number), number: UInt64(number))
    }

    private static func time(_ number: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: Int64(number) * 1_000_000_000 / 30)
    }

    private static func encoded(_ frame: CameraFrame) -> [UInt8] {
        do throws(MediaError) {
            return [UInt8](try coder.jpeg(frame, quality: quality, takenAt: nil).file)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func jpegFrame(_ file: [UInt8]) -> CameraFrame {
        CameraFrame(
            bytes: file, format: .jpeg, width: width, height: height, rotation: 0, planes: [], time: .zero, number: 0)
    }

    private static func packed(_ file: [UInt8]) -> CameraFrame {
        do throws(MediaError) { return try coder.packedI420(jpegFrame(file)) } catch { preconditionFailure("\(error)") }
    }

    private static func checked(_ file: [UInt8]) -> EncodedPicture {
        do throws(MediaError) {
            return try coder.jpeg(jpegFrame(file), quality: quality, takenAt: nil)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func memcpy(_ source: [UInt8]) -> Double {
        var target = [UInt8](repeating: 0, count: source.count)
        return Stopwatch.nanoseconds {
            target.withUnsafeMutableBytes { to in source.withUnsafeBytes { to.copyMemory(from: $0) } }
            use(target)
        }
    }

    private static func encodeAlone(_ frame: CameraFrame) -> Double {
        let handle = tjInitCompress()
        defer { tjDestroy(handle) }
        let capacity = tjBufSize(Int32(width), Int32(height), Int32(TJSAMP_420.rawValue))
        var target: UnsafeMutablePointer<UInt8>? = .allocate(capacity: Int(capacity))
        defer { target?.deallocate() }
        return Stopwatch.nanoseconds(rounds: 20) {
            var size = capacity
            let result = frame.bytes.withUnsafeBufferPointer { source in
                tjCompressFromYUV(
                    handle, source.baseAddress, Int32(width), 1, Int32(height), Int32(TJSAMP_420.rawValue), &target,
                    &size, Int32(quality), TJFLAG_NOREALLOC)
            }
            precondition(result == 0)
        }
    }

    private static func decodeAlone(_ file: [UInt8]) -> Double {
        let handle = tjInitDecompress()
        defer { tjDestroy(handle) }
        var target = [UInt8](repeating: 0, count: width * height * 3 / 2)
        return Stopwatch.nanoseconds(rounds: 20) {
            let result = tjDecompressToYUV2(
                handle, file, UInt(file.count), &target, Int32(width), 1, Int32(height), 0)
            precondition(result == 0)
        }
    }

    /// Nanoseconds for a frame of a clip of ten seconds, with its file; the fastest of three clips.
    private static func record() -> Double {
        let path = NSTemporaryDirectory() + "pictures-\(ProcessInfo.processInfo.processIdentifier).mp4"
        let count = 300
        let times = (0..<3).map { _ in
            ContinuousClock().measure {
                do throws(MediaError) {
                    let writer = try MP4ClipRecorder().begin(
                        ClipPlan(path: path, format: .mp4H264, frameRate: 30, soundRate: nil))
                    for number in 0..<count {
                        var frame = frames[number % frames.count]
                        frame.time = time(number)
                        try writer.add(frame)
                    }
                    _ = try writer.finish()
                } catch {
                    preconditionFailure("\(error)")
                }
                precondition(unlink(path) == 0)
            }
        }
        return (times.min() ?? .zero).seconds * 1e9 / Double(count)
    }
}
