import Foundation

let outcome = await CameraLab.run(Array(CommandLine.arguments.dropFirst()))
exit(outcome)
