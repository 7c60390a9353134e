// GlassesPipeline
