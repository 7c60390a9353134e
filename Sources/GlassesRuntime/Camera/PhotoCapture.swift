import Foundation
import GlassesDomain

/// Takes photos: off the stream, or with the camera's own still function.
struct PhotoCapture: Sendable {
    /// Of a photo off the stream.
    static let quality = 90

    let driver: CameraDriver
    let media: MediaPorts
    let clock: ClockPort
    let events: EventLog

    /// A photo; ends once, within the bounds of the machine.
    func take(_ config: PhotoConfig) async -> ExtentosResult<Photo, CaptureError> {
        guard let coder = media.pictures, let folder = media.folder else { return .failure(.picturesUnavailable) }
        guard config.dedicatedCapture else { return await grab(config, coder, folder) }
        if let facts = driver.facts, facts.stillFormat == nil {
            // Said, not failed: the app gets its photo, of the stream's size.
            events.log(.warn, "camera.still_from_stream", ["reason": "the camera takes no stills of its own"])
            return await grab(config, coder, folder)
        }
        return await still(coder, folder)
    }

    // MARK: Off the stream

    private func grab(
        _ config: PhotoConfig, _ coder: any PictureCoder, _ folder: any CaptureFolder
    ) async -> ExtentosResult<Photo, CaptureError> {
        let wish = CameraWish(resolution: config.resolution, frameRate: CameraWish.photoRate)
        let lease = driver.lease(.photo, wish)
        defer { lease.release() }
        for await frame in lease.frames {
            let picture: EncodedPicture
            do {
                picture = try coder.jpeg(frame, quality: Self.quality, takenAt: wallClock(frame.time))
            } catch {
                switch error {
                case .undecodable, .unsupportedSize:
                    events.log(.info, "camera.frame_undecodable")
                    continue  // The next one may be whole; the machine's timer bounds the wait.
                case .writeFailed, .coderFailed: return .failure(CaptureError(error))
                }
            }
            let exposure = Exposure(time: wallClock(frame.time), rotation: frame.rotation)
            return store(picture, .jpeg, exposure, folder, unless: lease)
        }
        return .failure(lease.error ?? .cancelled)
    }

    // MARK: The camera's own

    private func still(
        _ coder: any PictureCoder, _ folder: any CaptureFolder
    ) async -> ExtentosResult<Photo, CaptureError> {
        let wish = CameraWish(resolution: .high, frameRate: CameraWish.photoRate)
        let lease = driver.lease(.still, wish)
        defer { lease.release() }
        guard await lease.isGranted(), let port = driver.port else { return .failure(lease.error ?? .cancelled) }
        let answer = FirstAnswer<ExtentosResult<CameraStill, CaptureError>>()
        // The port's call cannot be taken back: its late answer finds nobody.
        Task(executorPreference: RuntimeThreads.shared) { answer.resolve(await port.takeStill()) }
        Task(executorPreference: RuntimeThreads.shared) {
            for await _ in lease.frames {}  // No frame comes: this ends with the lease.
            answer.resolve(.failure(lease.error ?? .cancelled))
        }
        let answered = await withTaskCancellationHandler {
            await answer.value()
        } onCancel: {
            answer.resolve(.failure(.cancelled))
        }
        switch answered {
        case .failure(let error):
            if lease.error == nil, error != .cancelled { driver.stillEnded(error) }
            return .failure(error)
        case .success(let still):
            let photo = file(still, coder, folder, unless: lease)
            driver.stillEnded(photo.failure.flatMap { $0.isOfDisk ? nil : $0 })
            return photo
        }
    }

    private func file(
        _ still: CameraStill, _ coder: any PictureCoder, _ folder: any CaptureFolder, unless lease: CameraLease
    ) -> ExtentosResult<Photo, CaptureError> {
        let exposure = Exposure(time: wallClock(still.time ?? clock.now()), rotation: still.rotation)
        do {
            switch still.format {
            case .jpeg:
                // As a frame it is checked to its end and gets its EXIF; the pixels stay.
                let picture = try coder.jpeg(
                    CameraFrame(
                        bytes: still.file, format: .jpeg, width: still.width, height: still.height,
                        rotation: still.rotation, planes: [CameraPlane(offset: 0, stride: 0)],
                        time: still.time ?? clock.now(), number: 0),
                    quality: Self.quality, takenAt: exposure.time)
                return store(picture, .jpeg, exposure, folder, unless: lease)
            case .heic:
                let data = Data(still.file)
                let facts = try coder.facts(of: data)
                let picture = EncodedPicture(file: data, width: facts.width, height: facts.height)
                return store(picture, .heic, exposure, folder, unless: lease)
            }
        } catch {
            return .failure(CaptureError(error))
        }
    }

    // MARK: Both

    private func store(
        _ picture: EncodedPicture, _ format: PhotoFormat, _ exposure: Exposure, _ folder: any CaptureFolder,
        unless lease: CameraLease
    ) -> ExtentosResult<Photo, CaptureError> {
        // A gate that closed meanwhile keeps the picture from the disk.
        if let error = lease.error { return .failure(error) }
        do {
            let path = try folder.store(picture.file, suffix: format == .jpeg ? ".jpg" : ".heic")
            return .success(
                Photo(
                    uri: URL(fileURLWithPath: path).absoluteString, width: Int32(clamping: picture.width),
                    height: Int32(clamping: picture.height), format: format, exif: exposure.json))
        } catch {
            return .failure(CaptureError(error))
        }
    }

    private func wallClock(_ time: MonotonicTime) -> Date {
        let age = time.duration(to: clock.now())
        return Date(timeIntervalSince1970: Double(clock.wallClockMilliseconds()) / 1_000 - age.seconds)
    }
}

/// What a photo's `exif` tells.
private struct Exposure {
    var time: Date
    /// Clockwise degrees that turn it upright.
    var rotation: Int

    /// The names are those of EXIF.
    var json: String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        // Whole milliseconds first: a time that lies a rounding error below one would be told as the one before.
        let milliseconds = Int64((time.timeIntervalSince1970 * 1_000).rounded())
        let second = Date(timeIntervalSince1970: Double(milliseconds / 1_000))
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: second)
        func digits(_ value: Int?, _ count: Int) -> String {
            let text = String(value ?? 0)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let day = [digits(parts.year, 4), digits(parts.month, 2), digits(parts.day, 2)].joined(separator: ":")
        let hour = [digits(parts.hour, 2), digits(parts.minute, 2), digits(parts.second, 2)].joined(separator: ":")
        return JSONValue.object([
            "DateTimeOriginal": .string("\(day) \(hour)"), "OffsetTimeOriginal": "+00:00",
            "SubSecTimeOriginal": .string(digits(Int(milliseconds % 1_000), 3)),
            "Orientation": .int(orientation),
        ]).jsonText
    }

    private var orientation: Int64 {
        switch rotation {
        case 90: 6
        case 180: 3
        case 270: 8
        default: 1
        }
    }
}

extension CaptureError {
    /// Whether the disk and not the camera has failed.
    fileprivate var isOfDisk: Bool { ["disk_full", "not_writable", "write_failed"].contains(code) }
}
