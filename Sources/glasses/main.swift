import Foundation

// Everything lives in types: top-level code and its globals would be confined to the main thread.
exit(await CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
