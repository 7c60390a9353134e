public import CGlassesPlugin
import GlassesPluginKit
import MetaDATDevice

/// The plugin's entry.
@c(glasses_plugin_entry)
public func glassesPluginEntry() -> UnsafePointer<glasses_entry>? {
    PluginEntry.make(transport: MetaDAT.self)
}
