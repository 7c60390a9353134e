import Foundation

// Scripts/word-errors says what this is and what it takes.
do {
    try await WordErrorProgram(Array(CommandLine.arguments.dropFirst())).run()
} catch {
    FileHandle.standardError.write(Data("word-errors: \(error)\n".utf8))
    exit(1)
}
