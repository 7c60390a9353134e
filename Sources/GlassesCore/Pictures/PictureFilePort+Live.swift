import Foundation
import GlassesDomain
import Glibc

extension PictureFilePort {
    /// Reads from the file system.
    static let live = PictureFilePort { (path, limit) throws(PictureFileError) in
        // Not blocking: the opening of a pipe would wait for its writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .notFound : .notReadable }
        defer { close(descriptor) }
        return try wholeFile(descriptor, limit: limit)
    }

    private static func wholeFile(_ descriptor: Int32, limit: Int) throws(PictureFileError) -> Data {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { throw .notReadable }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
        guard facts.st_size <= limit else { throw .tooLarge }
        var file = Data()
        var block = [UInt8](repeating: 0, count: 256 << 10)
        // To the end and not to the size that was told: the file may grow, and some tell none.
        while true {
            let count = Glibc.read(descriptor, &block, block.count)
            if count == 0 { return file }
            if count < 0 {
                if errno == EINTR { continue }
                throw .notReadable
            }
            guard file.count + count <= limit else { throw .tooLarge }
            file.append(contentsOf: block[..<count])
        }
    }
}
