import Foundation
import Synchronization

/// Standard output and standard error, written whole line by whole line without a buffer: a pipe has each line at once, and loses
/// none when the process ends.
final class Console: Sendable {
    /// How a piece of text looks on a terminal.
    enum Style: String, Sendable {
        case bold = "1"
        case faint = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    /// Whether standard output is a terminal that shows colours.
    let isStyled: Bool
    /// Whether standard input is a terminal, so that a person can press a key.
    let isInteractive: Bool
    /// The columns of the terminal that shows errors; nil when there is none on which a line can be replaced.
    private let progressColumns: Int?
    private let progress = Mutex<String?>(nil)
    private let writing = Mutex(Reader.present)

    /// Who reads standard output.
    private enum Reader {
        /// Somebody, and nobody wants to know when that ends.
        case present
        /// Somebody, and this is called once when that ends.
        case watched(@Sendable () -> Void)
        /// Nobody any more.
        case gone
    }

    /// The console of this process. `NO_COLOR` and a dumb terminal switch colours off.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        isStyled = isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
        isInteractive = isatty(STDIN_FILENO) == 1
        var size = winsize()
        let isTerminal = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
        if isTerminal, ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) != 0 || size.ws_col == 0 { size.ws_col = 80 }
        progressColumns = isTerminal ? Int(size.ws_col) : nil
    }

    /// Writes a line to standard output.
    func print(_ line: String) { write(line, to: STDOUT_FILENO) }

    /// Writes a line to standard error, so that it never mixes with what a script reads.
    func note(_ line: String) { write(line, to: STDERR_FILENO) }

    /// Shows `text` at the bottom of the terminal until the next output replaces it; nil takes it away. Without a terminal for
    /// errors nothing is shown.
    func showProgress(_ text: String?) {
        guard let progressColumns else { return }
        progress.withLock { shown in
            // One column stays free, so that a terminal does not wrap the line.
            let line = text.map { String($0.prefix(max(0, progressColumns - 1))) }
            guard line != shown else { return }
            shown = line
            _ = Self.write(Array("\r\u{1B}[K\(line ?? "")".utf8), to: STDERR_FILENO)
        }
    }

    /// Calls `action` once when nobody reads standard output any more, at once if that is so already; it replaces an earlier action.
    func whenReaderLeaves(_ action: @escaping @Sendable () -> Void) {
        let isGone = writing.withLock { reader in
            if case .gone = reader { return true }
            reader = .watched(action)
            return false
        }
        if isGone { action() }
    }

    /// `text` in a style on a terminal, and as it is elsewhere.
    func styled(_ text: String, _ style: Style) -> String {
        isStyled ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
    }

    private func write(_ line: String, to descriptor: Int32) {
        showProgress(nil)
        let bytes = Array((line + "\n").utf8)
        let action: (@Sendable () -> Void)? = writing.withLock { reader in
            if case .gone = reader, descriptor == STDOUT_FILENO { return nil }
            guard !Self.write(bytes, to: descriptor), descriptor == STDOUT_FILENO else { return nil }
            defer { reader = .gone }
            guard case .watched(let action) = reader else { return nil }
            return action
        }
        action?()
    }

    /// Writes all of `bytes`; false when the reader has gone. Any other error loses the line: there is no place left to tell of it.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                start += count
            } else if errno == EAGAIN {
                // Somebody made the pipe non-blocking: wait until it takes more.
                var pipe = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&pipe, 1, -1)
            } else if errno != EINTR {
                return errno != EPIPE
            }
        }
        return true
    }
}
