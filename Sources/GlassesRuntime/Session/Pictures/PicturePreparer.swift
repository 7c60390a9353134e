import Foundation
import GlassesAssistant
import GlassesDomain

/// Where a call's picture comes from.
enum PictureSource: Sendable {
    /// A URL or path of the app's.
    case uri(String)
    /// The bytes of a frame.
    case frame(Data)
}

/// Reads pictures and makes them small enough to be sent, one at a time, on a thread of its own: a file may block, and the memory for
/// the largest picture is needed once.
actor PicturePreparer {
    private nonisolated let executor = SerialQueueExecutor(name: "pictures")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let ports: PicturePorts
    private let followsLinks: Bool

    /// `followsLinks`: whether the provider follows links.
    init(ports: PicturePorts, followsLinks: Bool) {
        self.ports = ports
        self.followsLinks = followsLinks
    }

    /// The picture as it is sent.
    func prepare(_ source: PictureSource, for purpose: PicturePurpose) throws(PictureRefusal) -> SessionPicture {
        switch source {
        case .frame(let file): return try fit(file, into: purpose.budget)
        case .uri(let text):
            switch PictureURL(text) {
            case .link(let link): return try check(link)
            case .file(let path): return try fit(read(path), into: purpose.budget)
            case .data(_, let base64): return try fit(decoded(base64), into: purpose.budget)
            case nil:
                throw .unsupportedURI("Pass a path, or a URL that begins with file:, data:…;base64, http: or https:.")
            }
        }
    }

    private func check(_ link: String) throws(PictureRefusal) -> SessionPicture {
        guard followsLinks else {
            throw .unsupportedURI("The assistant on this machine follows no links. Pass the picture's file.")
        }
        guard link.utf8.count <= PictureBudget.linkBytes else {
            throw .unsupportedURI("The link is longer than \(PictureBudget.linkBytes) bytes. Pass the picture's file.")
        }
        return SessionPicture(url: link)
    }

    private func read(_ path: String) throws(PictureRefusal) -> Data {
        do throws(PictureFileError) {
            return try ports.files.read(path, PictureBudget.fileBytes)
        } catch {
            switch error {
            case .notFound: throw .unsupportedURI("There is no file at that path. Check the path.")
            case .notReadable: throw .unsupportedURI("The file cannot be read. Check its permissions.")
            case .notAFile: throw .unsupportedURI("That path is no regular file. Pass the file of a picture.")
            case .tooLarge: throw .tooLarge(Self.tooLong)
            }
        }
    }

    private func decoded(_ base64: Substring) throws(PictureRefusal) -> Data {
        let text = base64.utf8
        guard text.count <= PictureBudget.fileBytes / 3 * 4 else { throw .tooLarge(Self.tooLong) }
        guard let data = Data(base64Encoded: Data(text)) else {
            throw .unsupportedURI("The data URL holds no base64. Encode the picture's file anew.")
        }
        return data
    }

    private static let tooLong = "The file has more than \(PictureBudget.fileBytes >> 20) MiB. Take a smaller picture."

    // MARK: - Making it small

    private func fit(_ file: Data, into budget: PictureBudget) throws(PictureRefusal) -> SessionPicture {
        guard let format = PictureFormat(file: file) else {
            throw .unsupportedURI("The bytes are no JPEG, PNG, WebP or HEIC picture. Save it as JPEG.")
        }
        guard format == .jpeg, let coder = ports.coder else {
            guard budget.takes(fileBytes: file.count, mimeType: format.mimeType) else {
                let limit = budget.urlBytes / 4 * 3 >> 10
                throw .tooLarge("A picture that is no JPEG may have \(limit) KiB here. Save it as JPEG.")
            }
            return Self.picture(file, format)
        }
        return try scaled(file, into: budget, by: coder)
    }

    /// Also a picture that is small enough is coded anew: that finds damage, and takes out where and by whom it was taken.
    private func scaled(
        _ file: Data, into budget: PictureBudget, by coder: any PictureCoder
    ) throws(PictureRefusal) -> SessionPicture {
        for step in budget.steps {
            // Nobody waits any more.
            if Task.isCancelled { throw PictureRefusal(code: "cancelled", message: "The call was ended.") }
            let smaller = try Self.scaled(file, to: step, by: coder)
            if budget.takes(fileBytes: smaller.count, mimeType: PictureFormat.jpeg.mimeType) {
                return Self.picture(smaller, .jpeg)
            }
        }
        throw .tooLarge("The picture stays too large even when it is scaled down. Take a simpler one.")
    }

    private static func scaled(
        _ file: Data, to step: PictureBudget.Step, by coder: any PictureCoder
    ) throws(PictureRefusal) -> Data {
        do throws(MediaError) {
            return try coder.scaled(file, longestSide: step.longestSide, quality: step.quality).file
        } catch {
            switch error {
            case .undecodable: throw .undecodable
            case .unsupportedSize: throw .tooLarge("The picture has too many pixels. Take a smaller one.")
            case .writeFailed(let code, let message), .coderFailed(let code, let message):
                throw PictureRefusal(code: code, message: message)
            }
        }
    }

    private static func picture(_ file: Data, _ format: PictureFormat) -> SessionPicture {
        SessionPicture(url: PictureURL.prefix(mimeType: format.mimeType) + file.base64EncodedString())
    }
}
