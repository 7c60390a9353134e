import CGlassesPlugin
import Glibc

/// The `glasses_host` of one case, as new or as old as the case wants it. Never freed, as the ABI demands.
final class HostDouble {
    /// What kind of host it is.
    struct Version {
        var major = UInt32(GLASSES_ABI_MAJOR)
        var minor = UInt32(GLASSES_ABI_MINOR)
        /// What `size` says.
        var size = MemoryLayout<glasses_host>.size
        /// Whether it has extensions.
        var hasExtensions = true
    }

    let pointer: UnsafePointer<glasses_host>

    /// A host of the given version in `memory`, which has to hold its `size`; nil allocates it.
    init(report: CaseReport, version: Version = Version(), memory: UnsafeMutableRawPointer? = nil) {
        let whole = glasses_host(
            size: UInt32(version.size), abi_major: version.major, abi_minor: version.minor, reserved: 0,
            ctx: Unmanaged.passRetained(report).toOpaque(),
            get_extension: version.hasExtensions
                ? { _, id in strcmp(id, GLASSES_EXT_LOG) == 0 ? UnsafeRawPointer(HostDouble.logTable) : nil }
                : { _, _ in nil })
        let size = MemoryLayout<glasses_host>.size
        let target = memory ?? UnsafeMutableRawPointer.allocate(byteCount: max(version.size, size), alignment: 16)
        // What lies beyond the known struct belongs to a future version.
        if version.size > size { memset(target + size, 0xA5, version.size - size) }
        withUnsafeBytes(of: whole) { bytes in
            if let start = bytes.baseAddress { memcpy(target, start, min(size, version.size)) }
        }
        pointer = UnsafePointer(target.assumingMemoryBound(to: glasses_host.self))
    }

    nonisolated(unsafe) private static let logTable: UnsafePointer<glasses_host_log> = {
        // because it is written once here, before anyone has it, and never freed
        let table = UnsafeMutablePointer<glasses_host_log>.allocate(capacity: 1)
        table.initialize(
            to: glasses_host_log(
                size: UInt32(MemoryLayout<glasses_host_log>.size), reserved: 0,
                log: { host, _, message in
                    guard let context = host.pointee.ctx else { return }
                    let line = CallbackText(message).cutText
                    Unmanaged<CaseReport>.fromOpaque(context).takeUnretainedValue().log(line)
                }))
        return UnsafePointer(table)
    }()
}
