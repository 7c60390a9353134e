import Foundation
import GlassesDomain

/// Looks up a host and opens a TCP connection to it: what a person would try by hand with other tools.
enum PortProbe {
    /// An address of a host.
    struct Address: Sendable, Hashable {
        /// The address's family, such as AF_INET.
        let family: Int32
        /// The `sockaddr`.
        let bytes: [UInt8]
        /// The address in numbers.
        let text: String
    }

    /// Why there is no address or no connection.
    struct Failure: Error, Sendable, Hashable {
        /// One sentence with the next step.
        let sentence: String
    }

    /// A name server that has not answered by then answers no session either.
    static let lookupLimit: Duration = .seconds(5)
    /// For all addresses of a host together.
    static let connectLimit: Duration = .seconds(5)

    /// The addresses of `host`, as the system finds them.
    static func addresses(of host: String, port: Int) async -> Result<[Address], Failure> {
        let slow = Failure(sentence: "No name server answered in time. Check the network and /etc/resolv.conf.")
        return await bounded(lookupLimit, slow) { lookUp(host, port) }
    }

    /// Connects to the first of `addresses` that answers, closes again, and answers which one it was.
    static func connect(to addresses: [Address]) async -> Result<Address, Failure> {
        let slow = Failure(
            sentence: "Nobody answered in time. Check the address, the port and the firewalls on the way.")
        return await bounded(connectLimit + .seconds(1), slow) { open(addresses) }
    }

    /// Runs `work`, which may block, on a thread of its own; a thread that takes longer than `limit` is not waited for.
    private static func bounded<Value: Sendable>(
        _ limit: Duration, _ slow: Failure, _ work: @escaping @Sendable () -> Result<Value, Failure>
    ) async -> Result<Value, Failure> {
        await FirstOf.run([
            {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread { continuation.resume(returning: work()) }
                }
            },
            {
                // Only the end of the check cancels the sleep, and then the answer is not used.
                do { try await Task.sleep(for: limit) } catch { return .failure(slow) }
                return .failure(slow)
            },
        ]) ?? .failure(slow)
    }

    private static func lookUp(_ host: String, _ port: Int) -> Result<[Address], Failure> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            let reason = String(cString: gai_strerror(code))
            return .failure(
                Failure(sentence: "No address was found for \(host): \(reason). Check the name and the network."))
        }
        defer { freeaddrinfo(list) }
        let addresses = sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { $0 }.compactMap(address)
        return addresses.isEmpty
            ? .failure(Failure(sentence: "\(host) has no address that can be used. Check the name."))
            : .success(addresses)
    }

    private static func address(_ entry: UnsafeMutablePointer<addrinfo>) -> Address? {
        guard let raw = entry.pointee.ai_addr else { return nil }
        let length = entry.pointee.ai_addrlen
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        guard getnameinfo(raw, length, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
        let text = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let bytes = UnsafeRawBufferPointer(start: raw, count: Int(length))
        return Address(family: entry.pointee.ai_family, bytes: Array(bytes), text: text)
    }

    private static func open(_ addresses: [Address]) -> Result<Address, Failure> {
        let end = Stopwatch.now.advanced(by: connectLimit)
        var reason = ETIMEDOUT
        for address in addresses {
            reason = open(address, until: end)
            if reason == 0 { return .success(address) }
        }
        let text = String(cString: strerror(reason))
        let hint =
            reason == ECONNREFUSED
            ? "Nobody listens there: check the port and that the gateway runs."
            : "Check the address, the port and the firewalls on the way."
        return .failure(Failure(sentence: "No connection: \(text). \(hint)"))
    }

    /// 0, or the error's number.
    private static func open(_ address: Address, until end: MonotonicTime) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let code = address.bytes.withUnsafeBytes { raw in
            guard let base = raw.baseAddress else { return EINVAL }
            let pointer = base.assumingMemoryBound(to: sockaddr.self)
            return Foundation.connect(descriptor, pointer, socklen_t(raw.count)) == 0 ? 0 : errno
        }
        guard code == EINPROGRESS else { return code }
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        let left = max(0, Int32(clamping: Int(Stopwatch.now.duration(to: end).seconds * 1_000)))
        guard poll(&waiting, 1, left) > 0 else { return ETIMEDOUT }
        var outcome: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &outcome, &length) == 0 ? outcome : errno
    }
}
