// GlassesAssistant
