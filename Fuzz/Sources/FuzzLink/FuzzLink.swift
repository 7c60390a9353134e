@_spi(ExtentosTools) import MWDATCore

// Invariant: whatever a phone or a mock link's peer says, the decoder traps nowhere, and a message that it understands is read again as it
// was written.

/// One input of the fuzzer: the first byte says where the rest is cut in two.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let cut = bytes.first else { return 0 }
    precondition(
        HostilePeer.say(Array(bytes.dropFirst()), cutAt: Int(cut)), "A message was understood as another one.")
    return 0
}
