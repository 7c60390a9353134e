// GlassesAudio
