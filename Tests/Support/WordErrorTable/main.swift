import Foundation
import GlassesDomain
import GlassesPluginHost

// Scripts/word-errors says what this is and what it takes.
let options = Set(CommandLine.arguments.dropFirst())
let isJSON = options.contains("--json")
do {
    try await WordErrorProgram(isJSON: isJSON, isVerbose: options.contains("--verbose")).run()
} catch {
    FileHandle.standardError.write(Data("word-errors: \(error)\n".utf8))
    exit(1)
}
