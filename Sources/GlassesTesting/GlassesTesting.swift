// GlassesTesting
