import Foundation
import Glibc
import MWDATCore
import Synchronization

/// The keys of paired phones, in a file that only its owner may open.
final class PairingStore: Sendable {
    private struct Entry {
        var phone: PairedPhone
        var key: [UInt8]
    }

    private struct State {
        var host: String
        /// Latest last.
        var entries: [Entry] = []
    }

    /// Phones that are kept; the one that was paired longest ago goes first.
    static let mostPhones = 16
    /// Bytes of the file: sixteen entries are 4 KB.
    private static let mostBytes = 64 << 10

    private let path: String?
    private let state: Mutex<State>

    /// Reads the file at `path`, if there is one; without a path phones are forgotten with the process.
    ///
    /// - Throws: ``DATBridgeError`` when others may open the file, or it is not one of ours.
    init(path: String?) throws(DATBridgeError) {
        self.path = path
        guard let path, let bytes = try Self.read(path) else {
            state = Mutex(State(host: Hexadecimal.text(SystemRandomness.bytes(16))))
            return
        }
        guard let read = Self.parse(bytes) else { throw .pairingFile(path, "is damaged: move it away and pair again") }
        state = Mutex(read)
    }

    /// This installation's identifier.
    var host: String { state.withLock { $0.host } }
    var phones: [PairedPhone] { state.withLock { $0.entries.map(\.phone) } }
    func key(of identifier: String) -> [UInt8]? {
        state.withLock { $0.entries.first { $0.phone.identifier == identifier }?.key }
    }

    /// Keeps a phone's key, in place of an earlier one.
    func keep(_ phone: PairedPhone, key: [UInt8]) throws(DATBridgeError) {
        try change { state in
            state.entries.removeAll { $0.phone.identifier == phone.identifier }
            state.entries.append(Entry(phone: phone, key: key))
            state.entries = Array(state.entries.suffix(Self.mostPhones))
        }
    }

    /// Forgets a phone's key.
    func forget(_ identifier: String) throws(DATBridgeError) {
        try change { $0.entries.removeAll { $0.phone.identifier == identifier } }
    }

    /// Memory and file change together, or not at all.
    private func change(_ body: (inout State) -> Void) throws(DATBridgeError) {
        let failure: DATBridgeError? = state.withLock { state in
            var changed = state
            body(&changed)
            if let path, let reason = Self.write(Self.text(changed), to: path) { return .pairingFile(path, reason) }
            state = changed
            return nil
        }
        if let failure { throw failure }
    }

    private static func text(_ state: State) -> [UInt8] {
        let phones = state.entries.map { entry in
            LinkJSON.object([
                "identifier": .string(entry.phone.identifier), "name": .string(entry.phone.name),
                "key": .string(Hexadecimal.text(entry.key)),
            ])
        }
        return LinkJSON.object(["host": .string(state.host), "phones": .array(phones)]).bytes + [0x0A]
    }

    private static func parse(_ bytes: [UInt8]) -> State? {
        let value: LinkJSON
        do throws(LinkCodecError) { value = try LinkJSON.read(bytes) } catch { return nil }
        guard case .object(let members) = value, case .string(let host)? = members["host"],
            case .array(let phones)? = members["phones"]
        else { return nil }
        var state = State(host: host)
        for phone in phones {
            guard case .object(let phone) = phone, case .string(let identifier)? = phone["identifier"],
                case .string(let name)? = phone["name"], case .string(let text)? = phone["key"],
                let key = Hexadecimal.bytes(text, count: MessageAuthentication.size)
            else { return nil }
            state.entries.append(Entry(phone: PairedPhone(identifier: identifier, name: name), key: key))
        }
        return state
    }

    /// Nil when there is none.
    private static func read(_ path: String) throws(DATBridgeError) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw .pairingFile(path, "cannot be opened: check who owns it")
        }
        defer { close(file) }
        var information = stat()
        guard fstat(file, &information) == 0, information.st_mode & S_IFMT == S_IFREG,
            information.st_uid == geteuid(), information.st_mode & 0o077 == 0
        else { throw .pairingFile(path, "may be opened by others: remove it, or set its mode to 0600") }
        var bytes = [UInt8](repeating: 0, count: mostBytes)
        let count = Glibc.read(file, &bytes, bytes.count)
        guard count >= 0, count < mostBytes else { throw .pairingFile(path, "cannot be read") }
        return Array(bytes.prefix(count))
    }

    /// Why it failed, if it did. The file is never half written.
    private static func write(_ bytes: [UInt8], to path: String) -> String? {
        let folder = (path as NSString).deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return "cannot be made: its folder is missing"
        }
        var template = Array("\(path).XXXXXX".utf8CString)
        // mkstemp makes the file with mode 0600.
        let file = mkstemp(&template)
        guard file >= 0 else { return "cannot be written: check its folder" }
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(temporary, path) == 0 else {
            unlink(temporary)
            return "cannot be written: is the disk full?"
        }
        return nil
    }
}
