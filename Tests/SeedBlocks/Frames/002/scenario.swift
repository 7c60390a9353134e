import MWDATCamera
import MWDATCore

/// Streams, takes a photo, and stops.
@MainActor
func scenario(_ deviceSession: DeviceSession) async throws {
    var added: Stream?
    try addStream(deviceSession) { added = $0 }
    guard let stream = added else { return print("no stream") }
    let preview = Preview()
    let tokens = [listenToState(stream), preview.listenToFrames(stream)]
    stream.start()
    try await until("a frame arrives") { preview.previewImage != nil }
    print("stream: \(stream.state)")
    print("frame: \(preview.previewImage?.width ?? 0) x \(preview.previewImage?.height ?? 0)")
    let photos = Counter()
    let photoTokens = [stream.photoDataPublisher.listen { _ in photos.add() }, takePhoto(stream)]
    try await until("the photo arrives") { photos.count == 1 }
    print("photos: \(photos.count)")
    startAndStop(stream, deviceSession)
    try await until("everything stops") { stream.state == .stopped && deviceSession.state == .stopped }
    print("session: \(deviceSession.state)")
    withExtendedLifetime((tokens, photoTokens)) {}
}
