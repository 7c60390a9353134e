// GlassesRuntime
