import GlassesAssistant

extension SessionInput {
    /// The case's name, and for operations, server events, timers and device losses that of what is inside.
    var kind: String {
        switch self {
        case .operationRequested(_, let operation): operation.kind
        case .historyCleared: "historyCleared"
        case .turnAppended: "turnAppended"
        case .historyReplaced: "historyReplaced"
        case .connectionOpened: "connectionOpened"
        case .connectionFailed: "connectionFailed"
        case .connectionClosed: "connectionClosed"
        case .server(_, let fact): fact.kind
        case .commandUnsendable: "commandUnsendable"
        case .speechNoticed: "speechNoticed"
        case .speechMeasured: "speechMeasured"
        case .playbackStarted: "playbackStarted"
        case .playbackProgressed: "playbackProgressed"
        case .playbackDrained: "playbackDrained"
        case .flushCompleted: "flushCompleted"
        case .toolReturned: "toolReturned"
        case .toolThrew: "toolThrew"
        case .toolProgressed: "toolProgressed"
        case .memoryLoaded: "memoryLoaded"
        case .historySummarised: "historySummarised"
        case .historyCompacted: "historyCompacted"
        case .compactionFailed: "compactionFailed"
        case .pictureReady: "pictureReady"
        case .pictureFailed: "pictureFailed"
        case .hookEnded: "hookEnded"
        case .timerFired(let timer): timer.kind
        case .machineResumed: "machineResumed"
        case .wallClockMoved: "wallClockMoved"
        case .deviceLost(.dropped): "deviceLost.dropped"
        case .deviceLost(.hingesClosed): "deviceLost.hingesClosed"
        case .deviceLost(.userRequested): "deviceLost.userRequested"
        case .deviceReturned: "deviceReturned"
        case .deviceDescribed: "deviceDescribed"
        case .microphoneGateClosed: "microphoneGateClosed"
        case .microphoneGateOpened: "microphoneGateOpened"
        case .microphoneFailed: "microphoneFailed"
        }
    }
}

extension SessionOperation {
    var kind: String {
        switch self {
        case .start: "operation.start"
        case .wake: "operation.wake"
        case .sleep: "operation.sleep"
        case .stop: "operation.stop"
        case .say: "operation.say"
        case .greet: "operation.greet"
        case .sendText: "operation.sendText"
        case .includePicture: "operation.includePicture"
        case .sendFrame: "operation.sendFrame"
        case .cancelSpeak: "operation.cancelSpeak"
        case .applyChoices: "operation.applyChoices"
        case .beginTurn: "operation.beginTurn"
        case .endTurn: "operation.endTurn"
        case .cancelTurn: "operation.cancelTurn"
        }
    }
}

extension SessionTimer {
    var kind: String {
        switch self {
        case .silence: "timer.silence"
        case .reconnect: "timer.reconnect"
        case .connectionSetup: "timer.connectionSetup"
        case .replay: "timer.replay"
        case .connectionGood: "timer.connectionGood"
        case .teardown: "timer.teardown"
        case .toolTimeout: "timer.toolTimeout"
        case .toolOverrun: "timer.toolOverrun"
        case .operation: "timer.operation"
        case .utterance: "timer.utterance"
        case .interruption: "timer.interruption"
        case .serverAnswer: "timer.serverAnswer"
        case .answerRetry: "timer.answerRetry"
        case .answerStall: "timer.answerStall"
        case .deviceReturn: "timer.deviceReturn"
        case .microphoneRetry: "timer.microphoneRetry"
        case .deviceNote: "timer.deviceNote"
        case .wake: "timer.wake"
        case .rotation(let mark): "timer.rotation.\(mark)"
        }
    }
}

extension ServerFact {
    var kind: String {
        switch self {
        case .sessionCreated: "server.sessionCreated"
        case .sessionUpdated: "server.sessionUpdated"
        case .speechStarted: "server.speechStarted"
        case .speechStopped: "server.speechStopped"
        case .utteranceCommitted: "server.utteranceCommitted"
        case .itemAdded: "server.itemAdded"
        case .userTranscriptCompleted: "server.userTranscriptCompleted"
        case .userTranscriptFailed: "server.userTranscriptFailed"
        case .answerCreated: "server.answerCreated"
        case .answerItemAdded: "server.answerItemAdded"
        case .answerAudioReceived: "server.answerAudioReceived"
        case .answerAudioDone: "server.answerAudioDone"
        case .answerTranscriptReceived: "server.answerTranscriptReceived"
        case .answerTranscriptDone: "server.answerTranscriptDone"
        case .answerTextReceived: "server.answerTextReceived"
        case .answerTextDone: "server.answerTextDone"
        case .functionCallCompleted: "server.functionCallCompleted"
        case .answerDone: "server.answerDone"
        case .errorReported: "server.errorReported"
        }
    }
}
