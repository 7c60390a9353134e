// GlassesRealtime
