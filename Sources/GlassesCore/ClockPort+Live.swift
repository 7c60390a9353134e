import GlassesDomain

@_spi(ExtentosTools)
extension ClockPort {
    /// The machine's own clocks, for programs that drive parts of the runtime themselves.
    public static var live: ClockPort { LiveClock.port }
}
