import CCurl
import Foundation
import GlassesDomain

/// One HTTP request on the network thread.
final class HTTPTransfer: LoopParticipant {
    private let loop: LoopCore
    private let id: ParticipantID
    private let exchange: HTTPExchange
    private let request: HTTPRequest
    private let settings: HTTPTransferSettings
    private let host: String
    /// Nil before the start and after the end.
    private var handle: CurlHandle?
    private var reader = HTTPHeadReader()
    private var hasHead = false
    private var headDeadline = MonotonicTime.zero
    private var lastProgress = MonotonicTime.zero
    private var isReceivingPaused = false
    private var isSendingPaused = false
    private var upload: ArraySlice<UInt8> = []
    /// Why a callback of ours ended the transfer; it explains libcurl's code.
    private var reason: NetworkError?

    init(
        loop: LoopCore, id: ParticipantID, request: HTTPRequest, settings: HTTPTransferSettings, exchange: HTTPExchange
    ) {
        self.loop = loop
        self.id = id
        self.request = request
        self.exchange = exchange
        self.settings = settings
        host = request.unixSocket ?? request.url.host() ?? "the server"
    }

    func begin() { start() }

    func handle(_ event: LoopEvent) {
        guard let handle else { return }
        switch event {
        case .woken: exchange.isCancelled ? finish(.cancelled) : goOn(handle)
        case .transferEnded(let code): transferEnded(code, handle)
        case .deadlinePassed: deadlinePassed()
        case .socketReady, .turn: break
        }
    }

    private func start() {
        guard let handle = CurlHandle() else { return finish(.noResources) }
        self.handle = handle
        settings.apply(to: handle, request)
        handle.setCallbacks(of: self)
        headDeadline = MonotonicTime.now.advanced(by: request.timeout)
        loop.setDeadline(headDeadline, for: id)
        guard handle.firstFailure == CURLE_OK, loop.start(handle, for: id) else {
            return finish(NetworkError(curl: handle.firstFailure, handle: handle, host: host))
        }
    }

    /// The consumer has made room, or the source has a piece.
    private func goOn(_ handle: CurlHandle) {
        guard isReceivingPaused || isSendingPaused else { return }
        (isReceivingPaused, isSendingPaused) = (false, false)
        lastProgress = .now
        handle.unpause()
    }

    private func transferEnded(_ code: CURLcode, _ handle: CurlHandle) {
        if code == CURLE_OK { return finish(nil) }
        finish(reason ?? NetworkError(curl: code, handle: handle, host: host))
    }

    private func deadlinePassed() {
        guard hasHead else { return finish(.timeout(host)) }
        // A consumer that does not read is no fault of the peer.
        if isReceivingPaused { lastProgress = .now }
        let deadline = lastProgress.advanced(by: request.idleTimeout)
        if deadline <= .now { return finish(.timeout(host)) }
        loop.setDeadline(deadline, for: id)
    }

    private func finish(_ error: NetworkError?) {
        if let handle { loop.end(handle) }
        handle = nil
        exchange.end(error)
        loop.retire(id)
    }
}

extension HTTPTransfer {
    /// A line of the head came; the answer is how much of it was taken.
    fileprivate func headLine(_ line: UnsafeRawBufferPointer) -> Int {
        switch reader.accept(line) {
        case .more: break
        case .tooLarge:
            reason = NetworkError(.tooLarge, "\(host) sent more header fields than are accepted.")
            return 0
        case .complete(let head) where !hasHead:
            hasHead = true
            lastProgress = .now
            loop.setDeadline(lastProgress.advanced(by: request.idleTimeout), for: id)
            exchange.settle(.success(head))
        case .complete: break
        }
        return line.count
    }

    /// A piece of the body came; a paused transfer gets it again.
    fileprivate func bodyPiece(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastProgress = .now
        if exchange.body.isFull {
            isReceivingPaused = true
            return Int(CURL_WRITEFUNC_PAUSE)
        }
        _ = exchange.body.push(.success([UInt8](bytes)), cost: bytes.count)
        return bytes.count
    }

    /// libcurl has room for a piece of the request.
    fileprivate func fill(_ room: UnsafeMutableRawBufferPointer) -> Int {
        if upload.isEmpty {
            switch exchange.takeUpload() {
            case .piece(let bytes): upload = bytes[...]
            case .end: return 0
            case .failed:
                reason = NetworkError(.invalidRequest, "The source of the request's body failed. See its own error.")
                return Int(CURL_READFUNC_ABORT)
            case .empty:
                isSendingPaused = true
                return Int(CURL_READFUNC_PAUSE)
            }
        }
        // An empty piece is not the end, which 0 would mean.
        guard !upload.isEmpty else { return fill(room) }
        let count = min(room.count, upload.count)
        upload.withUnsafeBytes { room.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        upload.removeFirst(count)
        return count
    }
}

extension CurlHandle {
    /// Makes libcurl call `transfer`, which must remove the handle from its multi before it goes.
    fileprivate func setCallbacks(of transfer: HTTPTransfer) {
        let context = Unmanaged.passUnretained(transfer).toOpaque()
        let headLine: curl_write_callback = { bytes, size, count, context in
            guard let context else { return 0 }
            let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.headLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        let bodyPiece: curl_write_callback = { bytes, size, count, context in
            guard let context else { return 0 }
            let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.bodyPiece(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
        let fill: curl_read_callback = { bytes, size, count, context in
            guard let context else { return 0 }
            let transfer = Unmanaged<HTTPTransfer>.fromOpaque(context).takeUnretainedValue()
            return transfer.fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        }
        note(ccurl_set_write_function(raw, CURLOPT_HEADERFUNCTION, headLine))
        note(ccurl_set_write_function(raw, CURLOPT_WRITEFUNCTION, bodyPiece))
        note(ccurl_set_read_function(raw, fill))
        set(CURLOPT_HEADERDATA, context: context)
        set(CURLOPT_WRITEDATA, context: context)
        set(CURLOPT_READDATA, context: context)
    }

    /// Goes on in both directions; a callback may pause again.
    fileprivate func unpause() { curl_easy_pause(raw, CURLPAUSE_CONT) }
}
