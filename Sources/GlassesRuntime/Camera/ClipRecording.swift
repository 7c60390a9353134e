import GlassesDomain

/// One recording, from its request to the finished file.
struct ClipRecording: Sendable {
    /// How long the file may take to be completed: its last fragment, on a slow disk.
    static let finishLimit = Duration.seconds(10)

    let config: VideoConfig
    let lease: CameraLease
    let recorder: any ClipRecorder
    let folder: any CaptureFolder
    let hub: MicrophoneHub
    let clock: ClockPort
    let events: EventLog
    /// What the stream is locked at, once it is open.
    let frameRate: @Sendable () -> Int

    /// Records; ends with the lease, at the maximal duration, or when the file cannot be written any more.
    func run() async -> ExtentosResult<VideoClip, CaptureError> {
        guard await lease.isGranted() else { return .failure(lease.error ?? .noFrames) }
        // Before the first frame is kept, so that both tracks begin together.
        let sound = config.includeAudio ? ClipSound(hub: hub, clock: clock) : nil
        await sound?.started()
        let file: ClipFile
        do {
            file = ClipFile(writer: try recorder.begin(try plan(soundRate: sound?.rate)))
        } catch {
            lease.release()
            await sound?.stop()
            return .failure(CaptureError(error))
        }
        async let soundFailure = record(sound, into: file)
        lease.takeFrames()
        let failure = await recordFrames(into: file)
        lease.release()
        await sound?.stop()
        let soundError = await soundFailure
        return await finish(file, failure: failure ?? soundError)
    }

    private func plan(soundRate: Int?) throws(MediaError) -> ClipPlan {
        let suffix = config.format == .mov ? ".mov" : ".mp4"
        return ClipPlan(
            path: try folder.newPath(suffix: suffix), format: config.format, frameRate: frameRate(),
            soundRate: soundRate)
    }

    /// Why the frames could not be written; nil when they just ended.
    private func recordFrames(into file: ClipFile) async -> MediaError? {
        let limit = config.maxDurationSeconds.map { Duration.seconds($0) }
        var first: MonotonicTime?
        var timer: Task<Void, Never>?
        defer { timer?.cancel() }
        for await frame in lease.frames {
            // What waits when the user forbids the camera is not kept.
            if case .disabledByUser = lease.error { return nil }
            if first == nil { timer = limit.map(end(after:)) }
            let start = first ?? frame.time
            first = start
            if let limit, start.duration(to: frame.time) >= limit { return nil }
            do { try await file.add(frame) } catch { return error }
        }
        return nil
    }

    /// Ends the recording also while no frame comes, as in a pause.
    private func end(after limit: Duration) -> Task<Void, Never> {
        let moment = clock.now().advanced(by: limit)
        return Task(executorPreference: RuntimeThreads.shared) { [clock, lease] in
            do { try await clock.sleepUntil(moment) } catch { return }
            lease.release()
        }
    }

    private func record(_ sound: ClipSound?, into file: ClipFile) async -> MediaError? {
        do throws(MediaError) {
            try await sound?.record(into: file)
            return nil
        } catch {
            lease.release()
            return error
        }
    }

    /// The part that was recorded, however it ended; without any, the reason.
    private func finish(
        _ file: ClipFile, failure: MediaError?
    ) async -> ExtentosResult<VideoClip, CaptureError> {
        let finished = await finished(file)
        let error = failure.map { CaptureError($0) } ?? lease.error ?? finished.failure
        let (frames, skipped) = await (file.frames, file.skipped)
        events.log(
            error == nil ? .info : .warn, "camera.clip_ended",
            [
                "frames": .int(Int64(frames)), "skipped": .int(Int64(skipped)), "dropped": .int(lease.dropped),
                "code": error.map { .string($0.code) } ?? .null,
            ])
        if case .success(let clip) = finished, clip.uri != nil { return .success(clip) }
        return .failure(error ?? .noFrames)
    }

    private func finished(_ file: ClipFile) async -> ExtentosResult<VideoClip, CaptureError> {
        let answer = FirstAnswer<ExtentosResult<VideoClip, CaptureError>>()
        Task(executorPreference: RuntimeThreads.shared) {
            do throws(MediaError) {
                answer.resolve(.success(try await file.finish()))
            } catch {
                answer.resolve(.failure(CaptureError(error)))
            }
        }
        let limit = Task(executorPreference: RuntimeThreads.shared) { [clock] in
            do { try await clock.sleepUntil(clock.now().advanced(by: Self.finishLimit)) } catch { return }
            answer.resolve(.failure(.finishTimeout))
        }
        defer { limit.cancel() }
        return await answer.value()
    }
}
