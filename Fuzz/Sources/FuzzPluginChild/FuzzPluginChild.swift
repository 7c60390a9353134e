@_spi(ExtentosTools) import GlassesPluginHost

// Invariant: whatever a plugin's child says on its socket or writes into a ring, the host reads nothing outside, traps nowhere,
// hands on only what the ports promise, and a message that it understands is written again as it was read.

/// One input of the fuzzer: the first byte chooses what the child does.
@c(LLVMFuzzerTestOneInput)
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    guard let choice = bytes.first else { return 0 }
    let rest = Array(bytes.dropFirst())
    switch choice % 4 {
    case 0: precondition(HostileChild.say(rest), "A message was understood as another one.")
    case 1: precondition(HostileChild.ask(rest), "A message was understood as another one.")
    case 2: precondition(HostileChild.scribble(rest), "A ring gave what no port promises.")
    default: precondition(HostileChild.scribbleFrames(rest), "A video ring gave what no port promises.")
    }
    return 0
}
