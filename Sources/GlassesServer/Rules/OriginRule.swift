/// Which web pages may talk to a server: those on its list, and programs, which send no `Origin`.
struct OriginRule: Sendable {
    /// The origin of a page in the one form in which two of them compare.
    struct Origin: Hashable, Sendable {
        private let scheme: String
        private let authority: Authority

        /// The origin that `text` spells, `scheme://host[:port]`; nil for `null` and for anything else.
        init?(_ text: String) {
            guard let colon = text.firstRange(of: "://") else { return nil }
            let scheme = text[..<colon.lowerBound].lowercased()
            guard !scheme.isEmpty, scheme.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == 0x2D || $0 == 0x2B }),
                var authority = Authority(text[colon.upperBound...])
            else { return nil }
            let usual: UInt16? = scheme == "https" ? 443 : scheme == "http" ? 80 : nil
            if authority.port == usual { authority.port = nil }
            (self.scheme, self.authority) = (scheme, authority)
        }
    }

    private let allowed: Set<Origin>

    /// The rule that lets the pages of `allowed` in.
    init(allowed: [Origin]) { self.allowed = Set(allowed) }

    /// What the `Origin` headers of a request say.
    enum Verdict: Equatable {
        /// There is none: the request is not a page's.
        case absent
        /// The page is on the list; the text goes back in the answer as it came.
        case allowed(String)
        /// It is `null`, malformed, there twice, or not on the list.
        case foreign
    }

    /// Judges the `Origin` headers of a request.
    func judge(_ headers: [String]) -> Verdict {
        guard let first = headers.first else { return .absent }
        guard headers.count == 1, let origin = Origin(first), allowed.contains(origin) else { return .foreign }
        return .allowed(first)
    }
}
