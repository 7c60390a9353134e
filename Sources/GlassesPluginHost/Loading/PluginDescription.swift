import CGlassesPlugin
import GlassesDomain

/// Reads what an instance says of itself. [host]
enum PluginDescription {
    /// The JSON object of a describe function; nil, after a report, when there is none.
    static func read(
        _ monitor: CallMonitor, _ function: String,
        _ describe: (UnsafeMutablePointer<CChar>, Int, UnsafeMutablePointer<Int>) -> glasses_result
    ) -> JSONValue? {
        let capacity = CText.messageLimit + 1
        var buffer = [CChar](repeating: 0, count: capacity)
        var length = 0
        let result = buffer.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { describe($0, capacity, &length) } ?? glasses_result(GLASSES_ERROR_FAILED)
        }
        guard result == GLASSES_OK else {
            monitor.report(.wrongFacts(member: "describe"), in: function)
            return nil
        }
        guard (0..<capacity).contains(length) else {
            monitor.report(.textTooLong, in: function)
            return nil
        }
        do {
            let value = try JSONValue(jsonText: buffer[..<length].map { UInt8(bitPattern: $0) })
            if case .object = value { return value }
        } catch {
            // Reported below, with the texts that are JSON but no object.
        }
        monitor.report(.notJSON, in: function)
        return nil
    }
}
