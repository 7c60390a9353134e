import MWDATCore

/// Runs one greeting on the calling thread.
struct Handshake {
    /// How long each of the phone's two messages may take; the second has its hashing of the code in it.
    static let patience = Duration.seconds(15)
    /// How long a refusal may take to reach the phone.
    static let farewell = Duration.seconds(1)

    let wire: any LinkWire
    let reception: Reception

    /// The phone that was let in; nil when none was, and then the wire is finished.
    func run() -> PairedPhone? {
        var machine = HandshakeMachine(host: reception.newHost())
        var inputs: [HandshakeMachine.Input] = []
        var isTryingCode = false
        var phone: PairedPhone?
        var deadline = ContinuousClock.now.advanced(by: Self.patience)
        while true {
            for action in machine.apply(inputs.isEmpty ? receive(until: deadline) : inputs.removeFirst()) {
                switch action {
                case .send(let control):
                    wire.send(.control(control))
                    deadline = .now.advanced(by: Self.patience)
                case .lookUp(let secret, let transcript):
                    let found = reception.lookUp(secret, transcript)
                    if secret == .code, case .secretFound = found { isTryingCode = true }
                    inputs.append(found)
                case .reportWrongProof(let secret):
                    reception.wrongProof(of: secret)
                    isTryingCode = false
                case .admit(let proved, let key):
                    let verdict = reception.claim(proved, key: key)
                    if verdict == .admitted { (phone, isTryingCode) = (proved, false) }
                    inputs.append(verdict)
                case .finish(let isAdmitted):
                    if isTryingCode { reception.attemptGaveUp() }
                    if !isAdmitted { wire.finish(within: Self.farewell) }
                    return isAdmitted ? phone : nil
                }
            }
        }
    }

    private func receive(until deadline: ContinuousClock.Instant) -> HandshakeMachine.Input {
        switch wire.receive(until: deadline) {
        case .message(let message): .received(message)
        case .timedOut: .timedOut
        case .interrupted, .ended: .ended
        }
    }
}
