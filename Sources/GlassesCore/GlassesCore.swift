// GlassesCore
