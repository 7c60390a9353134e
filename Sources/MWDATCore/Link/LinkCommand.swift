import Foundation

/// What the toolkit asks of the other end of its link.
package enum LinkCommand: Sendable, Equatable {
    /// Register the app; answered by ``LinkEvent/registration(_:_:)``.
    case register(LinkApp)
    /// Forget a registration that is under way.
    case cancelRegistration
    /// Remove the app; answered by ``LinkEvent/registration(_:_:)``.
    case unregister
    /// The app was opened with a URL of the companion, and consumed it.
    case openedURL(String)
    /// Answers ``LinkEvent/registrationRequested(_:appName:)``.
    case answerRegistrationRequest(LinkRequest, accepted: Bool)
    /// Tell a permission without asking the person; answered by `permission` or `permissionFailed`.
    case checkPermission(Permission, LinkRequest)
    /// Ask the person; answered by `permission` or `permissionFailed`.
    case requestPermission(Permission, LinkRequest)
    /// Show the companion's page of updates; answered by `navigation`.
    case openUpdate(LinkUpdate, LinkRequest)
    /// Open a session; answered by `sessionStarted` or `sessionEnded`. `takesOver` ends a session that another process has left.
    case openSession(LinkSession, device: DeviceIdentifier, takesOver: Bool)
    /// End a session and all that it carries; answered by `sessionEnded`.
    case closeSession(LinkSession)
    /// Start the camera; answered by `streamStarted` or `streamEnded`.
    case startStream(LinkSession, LinkStream, LinkStreamRequest)
    /// Stop the camera; answered by `streamEnded`.
    case stopStream(LinkSession, LinkStream)
    /// Send a picture that can be decoded alone; a hint without an answer.
    case requestKeyFrame(LinkSession, LinkStream)
    /// Hold or go on with a stream because the app is in the background; answered by `streamPaused` or `streamResumed`.
    case holdStream(LinkSession, LinkStream, held: Bool)
    /// Take a photo; answered by `photo` or `photoFailed`.
    case capturePhoto(LinkSession, LinkRequest, LinkPhotoFormat)
    /// Start the display; answered by `displayStarted` or `displayEnded`.
    case startDisplay(LinkSession)
    /// Stop the display; answered by `displayEnded`.
    case stopDisplay(LinkSession)
    /// Show a view instead of the last one, as UTF-8 JSON; answered by `viewShown` or `viewFailed`.
    case showView(LinkSession, LinkRequest, tree: Data)
    /// Show nothing; answered by `viewShown` or `viewFailed`.
    case clearDisplay(LinkSession, LinkRequest)
    /// Stop the video that plays; told by `playback`.
    case stopPlayback(LinkSession)
}

/// The app that registers.
package struct LinkApp: Sendable, Equatable {
    /// The bundle identifier.
    package var identifier: String
    /// The name that a person reads.
    package var name: String
    /// The app's version.
    package var version: String
    /// What the companion puts before the query of a callback URL, such as `myapp://`.
    package var callbackScheme: String

    /// An app with the given values.
    package init(identifier: String, name: String, version: String, callbackScheme: String) {
        self.identifier = identifier
        self.name = name
        self.version = version
        self.callbackScheme = callbackScheme
    }
}

/// Which update a person is led to.
package enum LinkUpdate: String, Sendable, CaseIterable {
    /// That of the glasses' firmware.
    case firmware
    /// That of the app on the glasses.
    case glassesApp
}

/// How a stream is asked for.
package struct LinkStreamRequest: Sendable, Equatable {
    /// How the pictures are to arrive.
    package var coding: LinkCoding
    /// Pixels across, portrait; 360, 504 or 720.
    package var width: Int
    /// Pixels down.
    package var height: Int
    /// Pictures a second: 2, 7, 15, 24 or 30.
    package var framesPerSecond: Int
    /// Whether the microphone's sound comes with the pictures.
    package var hasAudio: Bool

    /// A request with the given values.
    package init(coding: LinkCoding, width: Int, height: Int, framesPerSecond: Int, hasAudio: Bool = false) {
        self.coding = coding
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
        self.hasAudio = hasAudio
    }
}

/// How pictures of a stream are coded.
package enum LinkCoding: String, Sendable, CaseIterable {
    /// Packed I420: width × height bytes of Y, then a quarter of U, then a quarter of V.
    case i420
    /// HEVC access units in length-prefixed form.
    case hvc1
}

/// How a photo is coded.
package enum LinkPhotoFormat: String, Sendable, CaseIterable {
    case jpeg
    case heic
}
