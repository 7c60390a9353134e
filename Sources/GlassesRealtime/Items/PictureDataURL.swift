import Foundation

/// The `image_url` of a picture that travels inside its item: a base64 data URL of a PNG or JPEG file.
public enum PictureDataURL {
    private static let prefixes = ["data:image/png;base64,", "data:image/jpeg;base64,"]

    /// The picture's file; nil when the URL is none of this kind or its base64 is broken.
    public static func file(of url: String) -> Data? {
        guard let prefix = prefixes.first(where: url.hasPrefix) else { return nil }
        let text = url.utf8.dropFirst(prefix.utf8.count)
        return text.isEmpty ? nil : Data(base64Encoded: Data(text))
    }

    /// Why a server does not take the URL from a client, as the error to answer with; nil when it can.
    public static func problem(with url: String, at path: String) -> RealtimeErrorInfo? {
        let limit = RealtimeLimits.pictureURLBytes
        guard url.utf8.count <= limit else {
            return .invalidValue(path, "Send a picture whose data URI has at most \(limit) bytes.")
        }
        return file(of: url) == nil ? .invalidValue(path, "Send a data URI of a PNG or JPEG picture.") : nil
    }
}
