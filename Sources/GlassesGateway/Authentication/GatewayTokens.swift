import GlassesDomain

/// The tokens that clients may present. Comparing takes the same time wherever a wrong token differs.
public struct GatewayTokens: Sendable {
    /// The environment variable for tokens, separated by spaces or commas.
    public static let environmentVariable = "EXTENTOS_GATEWAY_TOKENS"

    private let tokens: [[UInt8]]

    /// How many there are.
    public var count: Int { tokens.count }

    private init(_ tokens: [[UInt8]]) { self.tokens = tokens }

    /// Reads a file with one token a line; empty lines and those that begin with `#` are skipped.
    ///
    /// Throws ``GatewayError`` when the file cannot be read, when another user can read it (mode 0600 is right), when
    /// it holds no token, or when one has characters that cannot travel in a header.
    public init(file path: String) throws(GatewayError) {
        let bytes = try GuardedFile.read(
            path, "token file", rule: .secret, limit: GatewayLimits.secretFileBytes)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Self.trimmed)
        var found: [[UInt8]] = []
        for (index, line) in lines.enumerated() where !line.isEmpty && line.first != UInt8(ascii: "#") {
            try Self.check(line, place: "\(path), line \(index + 1)")
            found.append(Array(line))
        }
        guard !found.isEmpty else {
            throw GatewayError(
                code: "token_invalid", message: "The token file \(path) holds no token. Write one a line.")
        }
        self.init(try Self.bounded(found))
    }

    /// Reads the value of ``environmentVariable``; nil when it holds no token. Throws ``GatewayError`` for a token with
    /// characters that cannot travel in a header.
    public init?(variable value: String) throws(GatewayError) {
        let separators: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ",")]
        let found = value.utf8.split(whereSeparator: separators.contains).map(Array.init)
        for token in found { try Self.check(token[...], place: Self.environmentVariable) }
        guard !found.isEmpty else { return nil }
        self.init(try Self.bounded(found))
    }

    /// Which token `candidate` is; nil when it is none. All of them are compared, each in full.
    func index(of candidate: String) -> Int? {
        let bytes = Array(candidate.utf8)
        var match: Int?
        for (index, token) in tokens.enumerated() where ConstantTime.areEqual(token, bytes) { match = index }
        return match
    }

    /// The token itself, to be told apart from others by; never to be shown.
    func text(of index: Int) -> String {
        tokens.indices.contains(index) ? String(decoding: tokens[index], as: UTF8.self) : ""
    }

    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
        let rest = line.drop(while: isSpace)
        return rest.prefix(rest.count - rest.reversed().prefix(while: isSpace).count)
    }

    private static func check(_ token: ArraySlice<UInt8>, place: String) throws(GatewayError) {
        guard token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw GatewayError(
                code: "token_invalid",
                message: "\(place): a token may hold visible ASCII characters only, and no spaces.")
        }
    }

    private static func bounded(_ tokens: [[UInt8]]) throws(GatewayError) -> [[UInt8]] {
        guard tokens.count <= GatewayLimits.tokens else {
            throw GatewayError(code: "token_invalid", message: "Give at most \(GatewayLimits.tokens) tokens.")
        }
        return tokens
    }
}

/// Comparison whose duration tells nothing of where two secrets differ.
enum ConstantTime {
    /// Whether two byte sequences are equal; looks at every byte of `candidate` whatever it finds.
    static func areEqual(_ secret: [UInt8], _ candidate: [UInt8]) -> Bool {
        var difference = UInt8(secret.count == candidate.count ? 0 : 1)
        for (index, byte) in candidate.enumerated() {
            difference |= byte ^ (index < secret.count ? secret[index] : ~byte)
        }
        return difference == 0
    }
}
