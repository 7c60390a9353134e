import Foundation

extension DisplayNode {
    /// Throws when a value of this element alone is out of its range.
    func check() throws(DisplayError) {
        if let padding = layout.padding {
            for edge in [padding.top, padding.bottom, padding.leading, padding.trailing] {
                try Self.check(edge, is: "padding")
            }
        }
        if let share = layout.flexGrow { try Self.check(share, is: "flexGrow") }
        if let share = layout.flexShrink { try Self.check(share, is: "flexShrink") }
        switch content {
        case .flexBox(let box): try Self.check(box.spacing, is: "spacing")
        case .text(let text): try Self.check(text.text)
        case .button(let button): try Self.check(button.text)
        case .image(let image): try image.check()
        case .video(let video):
            guard Address.isFetchable(video.uri) else { throw .invalidVideoURL }
        case .buttonGroup, .icon: break
        }
    }

    private static func check(_ value: Double, is name: String) throws(DisplayError) {
        guard value >= 0, value <= DisplayLimits.distance else {
            throw .displayError("\(name) must be 0 to \(Int(DisplayLimits.distance)), and is \(value).")
        }
    }

    private static func check(_ text: String) throws(DisplayError) {
        guard text.utf8.count <= DisplayLimits.textBytes else {
            throw .displayError(
                "A text may hold \(DisplayLimits.textBytes) bytes, and one has \(text.utf8.count). Shorten it, or page through it."
            )
        }
    }
}

extension DisplayImage {
    /// What a picture that travels in the tree begins with.
    static let dataPrefix = "data:image/"

    fileprivate func check() throws(DisplayError) {
        guard Address.isFetchable(uri) || uri.hasPrefix(Self.dataPrefix) else {
            throw .displayError(
                "An image needs an http or https address of at most \(DisplayLimits.addressBytes) bytes: "
                    + "the glasses load it themselves. Hand over a picture of this machine as a UIImage.")
        }
    }
}

/// What the glasses can load.
enum Address {
    /// Whether `text` is an `http` or `https` URL with a host, and short enough.
    static func isFetchable(_ text: String) -> Bool {
        guard text.utf8.count <= DisplayLimits.addressBytes, let url = URL(string: text), let host = url.host() else {
            return false
        }
        return !host.isEmpty && ["http", "https"].contains(url.scheme?.lowercased())
    }
}
