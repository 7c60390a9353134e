import Foundation

// A reader that goes away, such as `head`, is seen as a failed write and not as a signal that kills: recordings are finished.
signal(SIGPIPE, SIG_IGN)
// Everything lives in types: top-level code and its globals would be confined to the main thread.
exit(await CommandLineTool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
