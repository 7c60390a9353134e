extension LinkCommand {
    /// The event by which a command is refused; nil for one that has no answer of its own.
    package func answer(refusing refusal: Refusal) -> LinkEvent? {
        switch self {
        case .register, .unregister: .registration(.available, refusal)
        case .cancelRegistration, .openedURL, .answerRegistrationRequest, .requestKeyFrame, .stopPlayback: nil
        case .checkPermission(_, let request), .requestPermission(_, let request): .permissionFailed(request, refusal)
        case .openUpdate(_, let request): .navigation(request, refusal)
        case .openSession(let session, device: _, takesOver: _), .closeSession(let session):
            .sessionEnded(session, refusal)
        case .startStream(let session, let stream, _), .stopStream(let session, let stream),
            .holdStream(let session, let stream, held: _):
            .streamEnded(session, stream, refusal)
        case .capturePhoto(let session, let request, _): .photoFailed(session, request, refusal)
        case .startDisplay(let session), .stopDisplay(let session): .displayEnded(session, refusal)
        case .showView(let session, let request, tree: _), .clearDisplay(let session, let request):
            .viewFailed(session, request, refusal)
        }
    }
}
