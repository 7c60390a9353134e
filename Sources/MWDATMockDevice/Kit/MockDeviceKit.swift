/// Simulated glasses with a simulated companion, for apps and tests where there is no phone.
///
/// Works in any process, without a configuration file:
/// ```swift
/// MockDeviceKit.shared.enable()
/// let glasses = try MockDeviceKit.shared.pairGlasses(model: .rayBanMeta)
/// glasses.don()
/// ```
/// The order is power, unfold, don: glasses are listed once they are powered and unfolded, and carry a session once they are worn;
/// ``MockDevice/don()`` implies the other two.
public enum MockDeviceKit {
    /// The process's kit.
    public static let shared: any MockDeviceKitInterface = MockKit(installer: ProcessLinkInstaller())
}
