/// A model of glasses.
public enum DeviceType: String, CaseIterable, Sendable {
    case unknown
    case rayBanMeta
    case oakleyMetaHSTN
    case oakleyMetaVanguard
    case metaRayBanDisplay
    case rayBanMetaOptics
    case metaGlasses

    /// Whether the model has a display.
    public var supportsDisplay: Bool { self == .metaRayBanDisplay }
}
