import CGlassesPlugin

/// The Swift object behind an instance pointer; nil for null.
func resolve<Bridge: AnyObject>(_ instance: UnsafeMutableRawPointer?) -> Bridge? {
    instance.map { Unmanaged<Bridge>.fromOpaque($0).takeUnretainedValue() }
}

/// Runs `body` on the object behind an instance pointer and turns a thrown failure into the ABI's result.
func bridged<Bridge: AnyObject>(
    _ instance: UnsafeMutableRawPointer?, _ body: (Bridge) throws(PluginFailure) -> Void
) -> glasses_result {
    guard let bridge: Bridge = resolve(instance) else { return glasses_result(GLASSES_ERROR_INVALID) }
    do {
        try body(bridge)
        return glasses_result(GLASSES_OK)
    } catch {
        return error.result
    }
}

/// Answers a describe call: the text and its length, or TOO_LARGE with the length that is needed.
func copyText(
    _ text: [UInt8], _ buffer: UnsafeMutablePointer<CChar>, _ capacity: Int, _ length: UnsafeMutablePointer<Int>
) -> glasses_result {
    length.pointee = text.count
    guard text.count < capacity else { return glasses_result(GLASSES_ERROR_TOO_LARGE) }
    for (index, byte) in text.enumerated() { buffer[index] = CChar(bitPattern: byte) }
    buffer[text.count] = 0
    return glasses_result(GLASSES_OK)
}
