import Foundation
import GlassesPluginHost

exit(ProbeMain.run(arguments: CommandLine.arguments))
