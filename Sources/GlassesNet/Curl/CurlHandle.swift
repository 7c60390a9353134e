import CCurl
import CShims
import Glibc

/// One libcurl easy handle, its only owner. Made, used and freed on the network thread.
final class CurlHandle {
    let raw: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private(set) var firstFailure = CURLE_OK

    /// A handle with what holds for every connection of the process; nil when libcurl has no memory.
    init?() {
        guard let raw = curl_easy_init() else { return nil }
        self.raw = raw
        // Removing the handle must not wait for a name server that does not answer.
        set(CURLOPT_QUICK_EXIT, 1)
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_TCP_NODELAY, 1)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        // A server that takes HTTP/2 from the TLS offer would not understand the upgrade.
        set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        note(ccurl_set_socket_option_function(raw, Self.prepareSocket))
    }

    /// It must have been removed from the multi.
    deinit {
        curl_easy_cleanup(raw)
        for list in lists { curl_slist_free_all(list) }
    }

    /// Sets an option; what goes wrong first is kept in ``firstFailure``.
    func set(_ option: CURLoption, _ value: Int) { note(ccurl_set_long(raw, option, value)) }

    /// As above; libcurl copies the text.
    func set(_ option: CURLoption, _ value: String?) { note(ccurl_set_text(raw, option, value)) }

    /// As above; the list lives as long as the handle.
    func set(_ option: CURLoption, _ values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = curl_slist_append(list, value) else {
                curl_slist_free_all(list)
                return note(CURLE_OUT_OF_MEMORY)
            }
            list = longer
        }
        if let list { lists.append(list) }
        note(ccurl_set_list(raw, option, list))
    }

    /// Sets libcurl's context of the callbacks, which the caller keeps alive until the handle was removed.
    func set(_ option: CURLoption, context: UnsafeMutableRawPointer) { note(ccurl_set_pointer(raw, option, context)) }

    /// Remembers the outcome of an option.
    func note(_ code: CURLcode) {
        if firstFailure == CURLE_OK { firstFailure = code }
    }

    /// A number that libcurl knows of the transfer; 0 when it does not.
    func number(_ info: CURLINFO) -> Int {
        var value = 0
        return ccurl_get_long(raw, info, &value) == CURLE_OK ? value : 0
    }

    /// The socket of a `CONNECT_ONLY` connection; nil when it is gone.
    var activeSocket: curl_socket_t? {
        var socket: curl_socket_t = -1
        guard ccurl_get_socket(raw, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK, socket >= 0 else { return nil }
        return socket
    }

    /// Sends what the kernel takes. `CURLE_AGAIN` comes with 0 bytes.
    func send(_ bytes: UnsafeRawBufferPointer) -> (code: CURLcode, count: Int) {
        var count = 0
        let code = curl_easy_send(raw, bytes.baseAddress, bytes.count, &count)
        return (code, count)
    }

    /// Receives what is there. `CURLE_OK` with 0 bytes is the end of the peer's stream.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> (code: CURLcode, count: Int) {
        var count = 0
        let code = curl_easy_recv(raw, buffer.baseAddress, buffer.count, &count)
        return (code, count)
    }

    /// Bounds what the kernel does with bytes that the peer does not acknowledge or read.
    private static let prepareSocket: curl_sockopt_callback = { _, socket, _ in
        var limit = CUnsignedInt(clamping: NetworkLimits.unacknowledged.components.seconds * 1_000)
        setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, socklen_t(MemoryLayout<CUnsignedInt>.size))
        var unsent = CInt(NetworkLimits.unsentInKernel)
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, &unsent, socklen_t(MemoryLayout<CInt>.size))
        return CURL_SOCKOPT_OK
    }
}
