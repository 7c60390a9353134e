// An app imports GlassesCore and gets the whole documented API.
@_exported import GlassesDomain
