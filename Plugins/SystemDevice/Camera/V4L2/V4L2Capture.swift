import CVideo4Linux
import Glibc
import GlassesPluginKit

/// One stream of an open camera: its buffers, which are the driver's until a picture is in them.
final class V4L2Capture {
    private let device: V4L2Device
    private var buffers: [UnsafeMutableRawBufferPointer] = []
    /// What the driver made of the wanted format.
    let format: cv4l_format

    var descriptor: Int32 { device.descriptor }

    /// Opens the camera at `path` and asks for `mode`.
    init(_ path: String, _ mode: V4L2Mode, rate: Int) throws(V4L2Error) {
        device = try V4L2Device(path: path)
        var format = cv4l_format(
            pixels: mode.pixels, width: UInt32(mode.width), height: UInt32(mode.height), stride: 0, bytes: 0)
        try device.set(&format)
        self.format = format
        if let interval = mode.intervals[rate] { try device.set(interval: interval) }
    }

    /// Reserves the buffers and begins the stream.
    func begin() throws(V4L2Error) {
        let count = try device.requestBuffers(V4L2Source.bufferCount)
        for index in 0..<min(count, V4L2Source.bufferCount) {
            buffers.append(try device.map(index))
            try device.queue(index)
        }
        try device.stream(true)
    }

    /// The next picture; nil when there is none. Give its buffer back.
    func take() throws(V4L2Error) -> cv4l_picture? { try device.dequeue() }

    /// What is in the picture's buffer; nil when the driver names one that it has not.
    func bytes(of picture: cv4l_picture) -> UnsafeRawBufferPointer? {
        guard buffers.indices.contains(Int(picture.index)) else { return nil }
        let buffer = buffers[Int(picture.index)]
        return UnsafeRawBufferPointer(rebasing: buffer.prefix(Int(picture.bytes)))
    }

    func giveBack(_ picture: cv4l_picture) throws(V4L2Error) { try device.queue(picture.index) }

    /// Ends the stream and lets go of the device. What the calls say does not matter any more: closing ends everything.
    func close() {
        _ = cv4l_stream(descriptor, 0)
        for buffer in buffers { munmap(buffer.baseAddress, buffer.count) }
        buffers = []
        var none: UInt32 = 0
        _ = cv4l_request_buffers(descriptor, &none)
        device.close()
    }
}
