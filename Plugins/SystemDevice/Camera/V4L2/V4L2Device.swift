import CVideo4Linux
import Glibc
import GlassesPluginKit

/// Why a call to a camera's driver failed.
struct V4L2Error: Error, Equatable {
    /// The error number.
    var number: Int32
    /// What was tried, in words that follow "could not".
    var attempt: String
}

/// An open node of Video4Linux. Non-blocking, so that taking a picture never waits; other calls take as long as the driver does.
///
/// The camera's thread only; whoever enumerates has one of its own.
final class V4L2Device {
    let descriptor: Int32
    private var isOpen = true

    /// Opens the node at `path` for capture.
    init(path: String) throws(V4L2Error) {
        var result: Int32
        repeat { result = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC) } while result < 0 && errno == EINTR
        guard result >= 0 else { throw V4L2Error(number: errno, attempt: "be opened") }
        descriptor = result
    }

    deinit { close() }

    func close() {
        guard isOpen else { return }
        isOpen = false
        _ = Glibc.close(descriptor)
    }

    func identity() throws(V4L2Error) -> cv4l_identity {
        var identity = cv4l_identity()
        try check(cv4l_identify(descriptor, &identity), "say what it is")
        return identity
    }

    func set(_ format: inout cv4l_format) throws(V4L2Error) {
        try check(cv4l_set_format(descriptor, &format), "take the format")
    }

    /// Drivers that have one rate only do not know the call, and keep it.
    func set(interval: V4L2Interval) throws(V4L2Error) {
        let error = cv4l_set_interval(descriptor, interval.numerator, interval.denominator)
        if error != ENOTTY { try check(error, "take the frame rate") }
    }

    func requestBuffers(_ count: UInt32) throws(V4L2Error) -> UInt32 {
        var count = count
        try check(cv4l_request_buffers(descriptor, &count), "reserve its buffers")
        return count
    }

    func map(_ index: UInt32) throws(V4L2Error) -> UnsafeMutableRawBufferPointer {
        var (start, length): (UnsafeMutableRawPointer?, Int) = (nil, 0)
        try check(cv4l_map_buffer(descriptor, index, &start, &length), "share its buffers")
        return UnsafeMutableRawBufferPointer(start: start, count: length)
    }

    func queue(_ index: UInt32) throws(V4L2Error) { try check(cv4l_queue(descriptor, index), "take a buffer") }

    /// The next filled buffer; nil when there is none.
    func dequeue() throws(V4L2Error) -> cv4l_picture? {
        var picture = cv4l_picture()
        let error = cv4l_dequeue(descriptor, &picture)
        if error == EAGAIN { return nil }
        try check(error, "deliver a picture")
        return picture
    }

    func stream(_ isOn: Bool) throws(V4L2Error) {
        try check(cv4l_stream(descriptor, isOn ? 1 : 0), isOn ? "begin its stream" : "end its stream")
    }

    private func check(_ error: Int32, _ attempt: String) throws(V4L2Error) {
        if error != 0 { throw V4L2Error(number: error, attempt: attempt) }
    }
}

extension cv4l_identity {
    var cardText: String { withUnsafeBytes(of: card) { Self.text($0) } }
    var busText: String { withUnsafeBytes(of: bus) { Self.text($0) } }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
}
