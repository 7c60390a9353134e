import GlassesRealtime

// Invariant: any bytes decode or fail with a typed error, and what we encode decodes to what was encoded.

private func checkServer(_ bytes: [UInt8]) {
    guard let event = decodeServer(bytes) else { return }
    let encoded = RealtimeCodec.encode(event)
    guard let first = decodeServer(encoded) else { fatalError("an encoded server event does not decode") }
    guard let second = decodeServer(RealtimeCodec.encode(first)), first == second else {
        fatalError("a server event changes when it is sent on")
    }
}

private func checkClient(_ bytes: [UInt8]) {
    guard let event = decodeClient(bytes) else { return }
    let encoded = RealtimeCodec.encode(event)
    guard let first = decodeClient(encoded) else { fatalError("an encoded client event does not decode") }
    guard let second = decodeClient(RealtimeCodec.encode(first)), first == second else {
        fatalError("a client event changes when it is sent on")
    }
}

private func decodeServer(_ bytes: [UInt8]) -> Identified<ServerEvent>? {
    do throws(RealtimeCodecError) { return try RealtimeCodec.decodeServerEvent(bytes) } catch { return nil }
}

private func decodeClient(_ bytes: [UInt8]) -> Identified<ClientEvent>? {
    do throws(RealtimeCodecError) { return try RealtimeCodec.decodeClientEvent(bytes) } catch { return nil }
}

/// One input of the fuzzer; a broken invariant ends the process.
@c(LLVMFuzzerTestOneInput)
public func fuzzRealtime(_ data: UnsafePointer<UInt8>, _ size: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: data, count: size))
    checkServer(bytes)
    checkClient(bytes)
    checkGemini(bytes)
    checkBeta(bytes)
    return 0
}
