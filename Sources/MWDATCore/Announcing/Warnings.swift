import Foundation

/// What a developer should know, on the error output.
package enum Warnings {
    /// Writes one line.
    package static func tell(_ text: String) {
        FileHandle.standardError.write(Data("MWDAT: \(text)\n".utf8))
    }
}
