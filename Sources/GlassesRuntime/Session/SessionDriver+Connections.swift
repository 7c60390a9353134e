import GlassesAssistant
import GlassesDomain
import GlassesRealtime

/// Connections: attempts, commands, and what comes in.
extension SessionDriver {
    func start(_ action: ConnectionAction) {
        switch action {
        case .open(let id): openConnection(id)
        case .close(let id):
            attempts.removeValue(forKey: id)?.cancel()
            connections[id]?.close(code: 1000, reason: "")
        case .abandon(let id):
            readers.removeValue(forKey: id)?.cancel()
            guard connections.removeValue(forKey: id) != nil else { return }
            refusing.remove(id)
            ports.events.log(.warn, "connection.close_unanswered")
        }
    }

    func send(_ command: SessionCommand, on id: ConnectionID) {
        guard let connection = connections[id] else { return }
        let uplink = uplink
        let update = settings.update(choices, device: deviceText)
        let event = WireCommands.event(
            for: command, update: update, cancelsByName: ports.connector.capabilities.cancelsByName,
            audio: uplink.audio(of:))
        let message = RealtimeCodec.encode(event)
        if let problem = Self.problem(with: message, of: command) {
            ports.events.log(.warn, "command.unsendable", ["code": .string(problem.code)])
            return post(
                .commandUnsendable(id, eventID: event.eventId ?? "", code: problem.code, message: problem.message))
        }
        if connection.send(.text(message), lane: .control) == .refused { closeRefusing(connection) }
    }

    private static func problem(
        with message: [UInt8], of command: SessionCommand
    ) -> (code: String, message: String)? {
        if case .createItem(_, .userAudio) = command { return nil }
        let limit = RealtimeLimits.controlEventBytes
        guard message.count > limit else { return nil }
        return (
            "message_too_big", "The message has \(message.count) bytes; at most \(limit) are sent. Make it shorter."
        )
    }

    /// A connection that takes no more messages is lost. It is closed and then tells its end, which may be another one than ours.
    func closeRefusing(_ connection: any RealtimeConnection) {
        guard let id = connections.first(where: { $0.value === connection })?.key, refusing.insert(id).inserted else {
            return
        }
        ports.events.log(.warn, "connection.refused_message")
        connection.close(code: 1001, reason: "")
        let clock = ports.clock
        let limit = clock.now().advanced(by: Self.closeLimit)
        Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            do { try await clock.sleepUntil(limit) } catch { return }
            await self?.endRefusing(id)
        }
    }

    /// From closing a connection to taking its end for granted.
    private static let closeLimit = Duration.milliseconds(2_200)

    private func endRefusing(_ id: ConnectionID) {
        guard refusing.contains(id) else { return }
        readers.removeValue(forKey: id)?.cancel()
        closed(id, Self.refusedClosure)
    }

    private static let refusedClosure = ConnectionClosure(
        code: "send_refused", message: "The connection took no more messages. It is opened again if it is needed.",
        closeCode: 1006)

    private func openConnection(_ id: ConnectionID) {
        let (connector, request) = (ports.connector, RealtimeRequest(model: choices.model))
        attempts[id] = Task(executorPreference: RuntimeThreads.shared) { [weak self] in
            do {
                let connection = try await connector.connect(request)
                guard let self else { return connection.close(code: 1001, reason: "") }
                await self.connected(id, connection)
            } catch {
                await self?.connectFailed(id, ConnectionClosure(error))
            }
        }
    }

    private func connectFailed(_ id: ConnectionID, _ closure: ConnectionClosure) {
        attempts.removeValue(forKey: id)
        apply(.connectionFailed(id, closure))
    }

    private func connected(_ id: ConnectionID, _ connection: any RealtimeConnection) {
        attempts.removeValue(forKey: id)
        connections[id] = connection
        apply(.connectionOpened(id))
        readers[id] = Task(executorPreference: executor) { [weak self] in
            // One at a time: a slow machine holds the reader back, and with it the peer.
            for await inbound in connection.inbound {
                guard let self else { break }
                await self.receive(inbound, on: id)
            }
            // Cancelled: the session has let go of it.
            guard let self, !Task.isCancelled else { return connection.close(code: 1001, reason: "") }
            await self.streamEnded(id)
        }
    }

    private func receive(_ inbound: RealtimeInbound, on id: ConnectionID) {
        switch inbound {
        case .message(.text(let bytes)): receive(bytes, on: id)
        case .message(.binary): ports.events.log(.warn, "connection.unexpected_binary")
        case .closed(let closure): closed(id, closure)
        }
    }

    /// A connection that ends without saying so is a link that dropped.
    private func streamEnded(_ id: ConnectionID) {
        let message = "The connection ended without a close. It is opened again if it is needed."
        closed(id, ConnectionClosure(code: "stream_ended", message: message, closeCode: 1006))
    }

    private func closed(_ id: ConnectionID, _ closure: ConnectionClosure) {
        readers.removeValue(forKey: id)
        guard connections.removeValue(forKey: id) != nil else { return }
        if audioSource == id {
            splitSamples = [:]
            endAudio { _ in true }
        }
        // Its own end, not our close of it, says whether it is worth trying again.
        let isOurs = refusing.remove(id) != nil && [1000, 1001].contains(closure.closeCode)
        apply(.connectionClosed(id, isOurs ? Self.refusedClosure : closure))
    }

    private func receive(_ bytes: [UInt8], on id: ConnectionID) {
        let event: ServerEvent
        do {
            event = try RealtimeCodec.decodeServerEvent(bytes).event
        } catch {
            return ports.events.log(.warn, "connection.bad_event", ["code": .string(error.code)])
        }
        uplink.providerSpoke()
        if case .responseOutputAudioDelta(let audio) = event { return receive(audio, on: id) }
        for fact in ServerFacts(connection: id).facts(of: event) {
            if case .answerAudioDone(let segment) = fact { audioDone(segment) }
            if case .answerDone(let responseID, _) = fact { endAudio { $0.responseID == responseID } }
            apply(.server(id, fact))
        }
    }
}

extension ConnectionClosure {
    fileprivate init(_ error: any Error) {
        switch error {
        case let closure as ConnectionClosure: self = closure
        case is CancellationError: self.init(code: "cancelled", message: "The connection attempt was abandoned.")
        default: self.init(code: "connect_failed", message: String(describing: error))
        }
    }
}
