/// A stranger at the other end of a link, for the fuzzer.
@_spi(ExtentosTools)
public enum HostilePeer {
    /// Takes a stranger's bytes in two pieces; false when a message that was understood reads differently once it was
    /// written again.
    public static func say(_ bytes: [UInt8], cutAt cut: Int) -> Bool {
        let cut = min(max(cut, 0), bytes.count)
        var decoder = LinkMessageDecoder()
        var messages: [LinkMessage] = []
        do throws(LinkCodecError) {
            try decoder.decode(Array(bytes[..<cut]), into: &messages)
            try decoder.decode(Array(bytes[cut...]), into: &messages)
        } catch {
            // What came before the fault was understood.
            return messages.allSatisfy(readsAsItWasWritten)
        }
        return messages.allSatisfy(readsAsItWasWritten)
    }

    private static func readsAsItWasWritten(_ message: LinkMessage) -> Bool {
        if case .unknown = message { return true }
        var decoder = LinkMessageDecoder()
        var again: [LinkMessage] = []
        do throws(LinkCodecError) {
            try decoder.decode(message.encoded().bytes, into: &again)
        } catch {
            // Escapes make a header longer, so that the longest ones cannot be written again.
            return error.code == .tooLarge
        }
        return again == [message]
    }
}
