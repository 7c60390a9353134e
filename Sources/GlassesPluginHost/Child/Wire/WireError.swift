/// Why bytes of the other side are no message.
enum WireError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The message ends inside a field.
    case truncated
    /// Bytes follow the last field.
    case trailing(Int)
    /// A message number that this side does not know.
    case unknownMessage(UInt8)
    /// A field has a value that it cannot have.
    case wrongValue(field: String)
    /// A message is longer than any that this side takes.
    case tooLong(Int)
    /// A message has the wrong number of descriptors, or one that is not what it has to be.
    case wrongDescriptors
    /// A message that makes no sense now, such as the answer to a call that was not made.
    case outOfOrder(String)

    /// What was wrong, without quoting the message.
    var description: String {
        switch self {
        case .truncated: "a message ends too early"
        case .trailing(let count): "a message has \(count) bytes too many"
        case .unknownMessage(let number): "message \(number) is not known"
        case .wrongValue(let field): "the field \(field) has a wrong value"
        case .tooLong(let count): "a message of \(count) bytes is too long"
        case .wrongDescriptors: "a message has the wrong descriptors"
        case .outOfOrder(let what): "\(what) came out of order"
        }
    }
}
