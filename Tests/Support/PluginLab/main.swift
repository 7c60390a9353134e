import Foundation

let outcome = await PluginLab.run(Array(CommandLine.arguments.dropFirst()))
exit(outcome)
