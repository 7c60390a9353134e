import Glibc

/// C strings that live as long as a call that reads them.
struct CTexts: ~Copyable {
    private var texts: [UnsafeMutablePointer<CChar>] = []

    /// A copy of a text; nil only when memory has run out, which the library takes for a text that was left out.
    mutating func copy(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(text) else { return nil }
        texts.append(copy)
        return UnsafePointer(copy)
    }

    deinit { for text in texts { free(text) } }
}
