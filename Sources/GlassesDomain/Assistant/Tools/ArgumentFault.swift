/// What is wrong with arguments, said so that a model can act on it.
struct ArgumentFault {
    let sentence: String

    init(_ error: any Error) {
        switch error {
        case DecodingError.keyNotFound(let key, let context):
            sentence = "\(Self.quoted(context.codingPath + [key])) is missing."
        case DecodingError.typeMismatch(let type, let context), DecodingError.valueNotFound(let type, let context):
            sentence = "\(Self.quoted(context.codingPath)) must be \(Self.words(for: type))."
        // Of a number that does not fit the decoder tells no place.
        case DecodingError.dataCorrupted(let context) where context.codingPath.isEmpty:
            sentence = "one of the values is not allowed."
        case DecodingError.dataCorrupted(let context):
            sentence = "\(Self.quoted(context.codingPath)) has a value that is not allowed."
        default: sentence = "they cannot be read."
        }
    }

    private static func quoted(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the value" }
        let text = path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return "\"\(text)\""
    }

    /// A model knows the words of JSON, not those of Swift.
    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is any FixedWidthInteger.Type: "an integer"
        case is any BinaryFloatingPoint.Type: "a number"
        case is Bool.Type: "a boolean"
        case is String.Type: "a string"
        case is any ArrayOfAny.Type: "an array"
        case is any DictionaryOfAny.Type: "an object"
        default: "of another kind"
        }
    }
}

private protocol ArrayOfAny {}
extension Array: ArrayOfAny {}
private protocol DictionaryOfAny {}
extension Dictionary: DictionaryOfAny {}
