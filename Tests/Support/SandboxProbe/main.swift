import Foundation

exit(SandboxProbe.run(CommandLine.arguments))
