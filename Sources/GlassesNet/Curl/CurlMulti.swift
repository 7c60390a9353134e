import CCurl
import GlassesDomain

/// The process's one curl multi: it drives name lookups, connections, TLS handshakes and HTTP transfers, on the sockets that
/// the network thread polls for it. Bound to the network thread after its creation.
///
/// No call of it blocks: sockets are non-blocking, names are looked up on libcurl's own threads, and every handle has
/// `QUICK_EXIT`, so that removing one does not wait for its lookup.
final class CurlMulti {
    /// What libcurl asks for, until the loop has done it.
    struct SocketWish {
        var socket: curl_socket_t
        /// Nil: it is no longer watched.
        var interest: Poller.Interest?
    }

    private let raw: UnsafeMutableRawPointer
    private var owners: [UnsafeMutableRawPointer: ParticipantID] = [:]
    /// Called inside libcurl's calls.
    private let watch: (SocketWish) -> Void
    /// When ``timeIsUp()`` is due.
    private(set) var deadline: MonotonicTime?

    /// Nil when libcurl has no memory. `watch` is called on the network thread whenever a socket is to be watched differently.
    init?(watch: @escaping (SocketWish) -> Void) {
        guard let raw = curl_multi_init() else { return nil }
        self.raw = raw
        self.watch = watch
        let context = Unmanaged.passUnretained(self).toOpaque()
        let socketFunction: curl_socket_callback = { _, socket, what, context, _ in
            if let context { CurlMulti.at(context).socketWanted(socket, what) }
            return 0
        }
        let timerFunction: curl_multi_timer_callback = { _, milliseconds, context in
            if let context { CurlMulti.at(context).timerWanted(milliseconds) }
            return 0
        }
        guard ccurl_set_multi_functions(raw, socketFunction, timerFunction, context) == CURLM_OK else {
            curl_multi_cleanup(raw)
            return nil
        }
    }

    deinit { curl_multi_cleanup(raw) }

    /// Starts the transfer of `handle`; its end is told by ``takeEnded()``. False when libcurl refuses.
    func add(_ handle: CurlHandle, for id: ParticipantID) -> Bool {
        guard curl_multi_add_handle(raw, handle.raw) == CURLM_OK else { return false }
        owners[handle.raw] = id
        return true
    }

    /// Abandons a transfer, or closes the connection of a `CONNECT_ONLY` handle. The handle may be let go of afterwards.
    func remove(_ handle: CurlHandle) {
        guard owners.removeValue(forKey: handle.raw) != nil else { return }
        curl_multi_remove_handle(raw, handle.raw)
    }

    /// Goes on with the transfers of a ready socket.
    func socketReady(_ socket: curl_socket_t, readable: Bool, writable: Bool) {
        var running: Int32 = 0
        let events = (readable ? CURL_CSELECT_IN : 0) | (writable ? CURL_CSELECT_OUT : 0)
        curl_multi_socket_action(raw, socket, events, &running)
    }

    /// Goes on with the transfers whose time has come.
    func timeIsUp() {
        deadline = nil
        var running: Int32 = 0
        curl_multi_socket_action(raw, CURL_SOCKET_TIMEOUT, 0, &running)
    }

    /// One transfer that has ended, until there are no more.
    func takeEnded() -> (id: ParticipantID, code: CURLcode)? {
        var waiting: Int32 = 0
        while let message = curl_multi_info_read(raw, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle,
                let id = owners[handle]
            else { continue }
            return (id, message.pointee.data.result)
        }
        return nil
    }

    private static func at(_ context: UnsafeMutableRawPointer) -> CurlMulti {
        Unmanaged<CurlMulti>.fromOpaque(context).takeUnretainedValue()
    }

    private func socketWanted(_ socket: curl_socket_t, _ what: Int32) {
        switch what {
        case CURL_POLL_IN: watch(SocketWish(socket: socket, interest: .read))
        case CURL_POLL_OUT: watch(SocketWish(socket: socket, interest: .write))
        case CURL_POLL_INOUT: watch(SocketWish(socket: socket, interest: [.read, .write]))
        default: watch(SocketWish(socket: socket, interest: nil))
        }
    }

    private func timerWanted(_ milliseconds: Int) {
        deadline = milliseconds < 0 ? nil : MonotonicTime.now.advanced(by: .milliseconds(milliseconds))
    }
}
