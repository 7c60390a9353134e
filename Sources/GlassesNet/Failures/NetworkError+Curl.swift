import CCurl
import GlassesDomain
import Glibc

extension NetworkError {
    /// What a transfer's end with `code` means for a person who wanted to reach `host`.
    init(curl code: CURLcode, handle: CurlHandle, host: String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(.nameNotResolved, "No address was found for \(host). Check the name and the network.")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.proxyFailed, "No address was found for the proxy. Check its name and the network.")
        case CURLE_COULDNT_CONNECT: self = Self.notConnected(handle, host)
        case CURLE_OPERATION_TIMEDOUT: self = .timeout(host)
        case CURLE_PEER_FAILED_VERIFICATION: self = Self.certificate(handle, host)
        case CURLE_SSL_CACERT_BADFILE:
            self.init(
                .authorityFileUnusable,
                "The file of certificate authorities cannot be read or holds none. Check its path and that it is PEM.")
        case CURLE_SSL_CONNECT_ERROR:
            self.init(.tlsFailed, "\(host) did not complete the TLS handshake. Check that the port speaks TLS.")
        case CURLE_URL_MALFORMAT:
            self.init(.invalidURL, "The address of \(host) is not a usable URL. Check it.")
        case CURLE_PROXY, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE:
            self = Self.broken(handle, host)
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: self = .noResources
        // The scheme was checked before; what libcurl takes for HTTP/0.9 comes with this code as well.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_BAD_CONTENT_ENCODING:
            self.init(.malformedResponse, "\(host) did not answer in HTTP. Check that the URL and port are right.")
        default:
            self.init(
                .connectionLost, "The connection to \(host) failed (libcurl error \(code.rawValue)). Try again.")
        }
    }

    /// Nobody answered in time.
    static func timeout(_ host: String) -> NetworkError {
        NetworkError(.timeout, "\(host) did not answer in time. Check the network and that the service runs.")
    }

    /// The connection ended too early.
    static func connectionLost(_ host: String) -> NetworkError {
        NetworkError(.connectionLost, "\(host) ended the connection before it had answered. Try again.")
    }

    private static func notConnected(_ handle: CurlHandle, _ host: String) -> NetworkError {
        switch Int32(truncatingIfNeeded: handle.number(CURLINFO_OS_ERRNO)) {
        case ETIMEDOUT: timeout(host)
        case ECONNRESET, EPIPE: connectionLost(host)
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN:
            NetworkError(.unreachable, "There is no route to \(host). Check the network.")
        default:
            NetworkError(
                .connectionRefused, "Nobody answers at \(host). Check the address and port and that the service runs.")
        }
    }

    private static func broken(_ handle: CurlHandle, _ host: String) -> NetworkError {
        switch handle.number(CURLINFO_HTTP_CONNECTCODE) {
        case 0, 200...299: connectionLost(host)
        // tinyproxy answers a wrong password with 401, which a caller would take for the gateway's.
        case 401, 407:
            NetworkError(
                .proxyFailed, "The proxy wants a name and a password. Give both with its address.", proxyStatus: 407)
        case let status:
            NetworkError(
                .proxyFailed, "The proxy refused the way to \(host) with status \(status). Ask who runs it.",
                proxyStatus: status)
        }
    }

    /// The numbers are OpenSSL's X509_V_ERR codes; libcurl leaves 1 when it has found the name to differ itself.
    private static func certificate(_ handle: CurlHandle, _ host: String) -> NetworkError {
        let reason =
            switch handle.number(CURLINFO_SSL_VERIFYRESULT) {
            case 9: "is not valid yet. Check this machine's clock"
            case 10: "has expired. It has to be renewed"
            case 18, 19, 20, 21: "was issued by nobody that this machine trusts. Name its authority with a CA file"
            case 1, 62, 64: "is for another name. Use the name that it was issued for"
            case let number: "was refused (OpenSSL reason \(number)). Ask who runs the service"
            }
        return NetworkError(.certificateRefused, "The TLS certificate of \(host) \(reason).")
    }
}
