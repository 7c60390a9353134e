import CGlassesPlugin
import CShims
import Glibc

/// How a message travels: in one datagram, or, when it is long, in sealed memory whose descriptor the datagram carries.
enum MessageFrame {
    /// The longest datagram: more would not fit the default buffer of a socket three times over.
    static let datagramLimit = 65_536
    /// The longest message at all: the largest photo and what is said of it.
    static let messageLimit = Int(GLASSES_PHOTO_MAX) + (1 << 17)

    private static let plain: UInt8 = 0
    private static let inMemory: UInt8 = 1
    private static let memoryHeaderSize = 9

    /// What one datagram is made of.
    struct Datagram: Sendable {
        var bytes: [UInt8]
        /// The descriptor of sealed memory that has to be closed after sending; nil for a short message.
        var memory: Int32?
    }

    /// Packs a message; fails when memory or descriptors are used up, or when it is too long.
    static func pack(_ message: [UInt8]) throws(SystemError) -> Datagram {
        if message.count < datagramLimit { return Datagram(bytes: [plain] + message, memory: nil) }
        guard message.count <= messageLimit else { throw SystemError(EMSGSIZE) }
        let memory = cshims_memory_file("glasses-message")
        guard memory >= 0 else { throw SystemError(errno) }
        guard writeAll(message, to: memory), cshims_seal(memory, 1) == 0 else {
            let failure = SystemError(errno)
            close(memory)
            throw failure
        }
        var header = WireWriter()
        header.put(inMemory)
        header.put(UInt64(message.count))
        return Datagram(bytes: header.bytes, memory: memory)
    }

    /// Unpacks a received datagram; takes the message's own descriptor out of `descriptors` and closes it.
    static func unpack(_ datagram: [UInt8], _ descriptors: inout [Int32]) throws(WireError) -> [UInt8] {
        guard let first = datagram.first else { throw .truncated }
        if first == plain { return Array(datagram.dropFirst()) }
        guard first == inMemory, datagram.count == memoryHeaderSize else { throw .wrongValue(field: "frame") }
        var reader = WireReader(Array(datagram.dropFirst()))
        let count = try reader.number(UInt64.self)
        guard let memory = descriptors.popLast() else { throw .wrongDescriptors }
        defer { close(memory) }
        guard count <= UInt64(messageLimit) else { throw .tooLong(Int(clamping: count)) }
        return try readAll(Int(count), from: memory)
    }

    private static func writeAll(_ message: [UInt8], to memory: Int32) -> Bool {
        var written = 0
        while written < message.count {
            let count = message[written...].withUnsafeBytes { write(memory, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            written += count
        }
        return true
    }

    /// Memory that somebody could still change or shrink is not read.
    private static func readAll(_ count: Int, from memory: Int32) throws(WireError) -> [UInt8] {
        var facts = stat()
        guard cshims_is_sealed(memory, 1) != 0, fstat(memory, &facts) == 0, facts.st_size == off_t(count) else {
            throw .wrongDescriptors
        }
        let message = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            while filled < count {
                let done = pread(memory, target.baseAddress?.advanced(by: filled), count - filled, off_t(filled))
                if done < 0, errno == EINTR { continue }
                guard done > 0 else { return }
                filled += done
            }
        }
        guard message.count == count else { throw .truncated }
        return message
    }
}
