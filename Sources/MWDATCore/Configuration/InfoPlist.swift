import Foundation

/// Where a file of Info.plist's form is looked for, and how it is read.
enum InfoPlist {
    /// More than any property list of an app has.
    static let maximumBytes = 1 << 20

    enum Failure: Error {
        case unreadable(path: String, reason: String)

        var description: String {
            switch self {
            case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)."
            }
        }
    }

    /// Where the process's file is looked for: at `MWDAT_INFO_PLIST`, else beside the executable.
    static func candidates(environment: [String: String], executable: String) -> [String] {
        if let path = environment["MWDAT_INFO_PLIST"], !path.isEmpty { return [path] }
        let file = URL(fileURLWithPath: executable)
        let folder = file.deletingLastPathComponent()
        let name = file.deletingPathExtension().lastPathComponent
        return [folder.appending(path: "\(name)-Info.plist").path, folder.appending(path: "Info.plist").path]
    }

    /// The dictionary in a property list, as XML or binary.
    static func read(_ path: String) throws(Failure) -> [String: Any] {
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= maximumBytes else { throw Failure.unreadable(path: path, reason: "it is larger than 1 MiB") }
            let data = try Data(contentsOf: URL(fileURLWithPath: path))
            guard let values = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            else {
                throw Failure.unreadable(path: path, reason: "it holds no dictionary")
            }
            return values
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreadable(path: path, reason: error.localizedDescription)
        }
    }
}
