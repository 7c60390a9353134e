// GlassesPluginHost
