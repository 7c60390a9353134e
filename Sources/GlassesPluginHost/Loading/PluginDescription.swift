import CGlassesPlugin
import GlassesDomain

/// Reads what an instance says of itself.
enum PluginDescription {
    /// A describe function of the ABI.
    typealias Describe = (UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Int>) -> glasses_result

    /// The bytes of a describe function; nil when it fails. [host]
    static func raw(_ describe: Describe) -> CText? {
        let capacity = CText.messageLimit + 1
        var buffer = [CChar](repeating: 0, count: capacity)
        var length = 0
        let result = buffer.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { describe($0, capacity, &length) } ?? glasses_result(GLASSES_ERROR_FAILED)
        }
        guard result == GLASSES_OK else { return nil }
        guard (0..<capacity).contains(length) else { return CText(bytes: [], isTooLong: true) }
        return CText(bytes: buffer[..<length].map { UInt8(bitPattern: $0) })
    }

    /// The JSON object of a describe function; nil, after a report, when there is none. [host]
    static func read(_ monitor: CallMonitor, _ function: String, _ describe: Describe) -> JSONValue? {
        object(monitor, function, raw(describe))
    }

    /// The JSON object in the bytes of a describe function; nil, after a report, when there is none. [any]
    static func object(_ monitor: CallMonitor, _ function: String, _ description: CText?) -> JSONValue? {
        guard let description else {
            monitor.report(.wrongFacts(member: "describe"), in: function)
            return nil
        }
        guard !description.isTooLong else {
            monitor.report(.textTooLong, in: function)
            return nil
        }
        do {
            let value = try JSONValue(jsonText: description.bytes)
            if case .object = value { return value }
        } catch {
            // Reported below, with the texts that are JSON but no object.
        }
        monitor.report(.notJSON, in: function)
        return nil
    }
}
