import Foundation
import GlassesPluginHost

exit(PluginHostMain.run(arguments: CommandLine.arguments))
