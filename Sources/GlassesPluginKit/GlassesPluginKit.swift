// GlassesPluginKit
