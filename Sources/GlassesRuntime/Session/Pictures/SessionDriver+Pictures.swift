import GlassesAssistant
import GlassesDomain

/// Pictures: read and scaled beside the session, which goes on meanwhile.
extension SessionDriver {
    func start(_ action: PictureAction) {
        switch action {
        case .prepare(let id, let purpose):
            guard let source = pictureSources.removeValue(forKey: id) else { return }
            let preparer = preparer
            running.start(.picture(id)) { ticket in
                Task(executorPreference: RuntimeThreads.shared) { [weak self] in
                    let outcome: SessionInput
                    do throws(PictureRefusal) {
                        outcome = .pictureReady(id, try await preparer.prepare(source, for: purpose))
                    } catch {
                        outcome = .pictureFailed(id, error)
                    }
                    self?.deliver(.ended(ticket, outcome))
                }
            }
        case .abandon(let id): running.cancel(.picture(id))
        }
    }
}
