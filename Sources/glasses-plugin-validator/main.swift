import GlassesPluginConformance

ValidatorMain.run(arguments: CommandLine.arguments)
