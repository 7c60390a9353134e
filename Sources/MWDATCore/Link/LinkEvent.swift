import Foundation

/// What the other end of a link reports.
package enum LinkEvent: Sendable, Equatable {
    /// The other end answers; `name` tells a person which it is.
    case available(LinkPeer)
    /// The other end is gone, and with it every session and request; it may come back with ``available(_:)``.
    case unavailable(Refusal)
    /// The registration's state, with the reason when it was refused or taken back.
    case registration(RegistrationState, Refusal?)
    /// The companion offers to register the app.
    case registrationRequested(LinkRequest, appName: String)
    /// All paired devices, in the companion's order.
    case devices([LinkDevice])
    /// One of them changed.
    case device(LinkDevice)
    case permission(LinkRequest, PermissionStatus)
    case permissionFailed(LinkRequest, Refusal)
    /// The page was shown (nil), or why not.
    case navigation(LinkRequest, Refusal?)
    case sessionStarted(LinkSession)
    case sessionPaused(LinkSession)
    case sessionResumed(LinkSession)
    /// The session goes on, but its wearer or the app should know this.
    case sessionWarned(LinkSession, Refusal)
    /// The session has ended with all that it carried; nil when that was asked for.
    case sessionEnded(LinkSession, Refusal?)
    /// The camera has been started; pictures follow.
    case streamStarted(LinkSession, LinkStream)
    case streamPaused(LinkSession, LinkStream)
    case streamResumed(LinkSession, LinkStream)
    /// The stream has ended; nil when that was asked for.
    case streamEnded(LinkSession, LinkStream, Refusal?)
    case frame(LinkSession, LinkStream, LinkFrame)
    case audio(LinkSession, LinkStream, LinkAudio)
    case photo(LinkSession, LinkRequest, LinkPhoto)
    case photoFailed(LinkSession, LinkRequest, Refusal)
    case displayStarted(LinkSession)
    /// The display has ended; nil when that was asked for.
    case displayEnded(LinkSession, Refusal?)
    case viewShown(LinkSession, LinkRequest)
    case viewFailed(LinkSession, LinkRequest, Refusal)
    /// The wearer chose the element of the shown view with this identifier.
    case viewTapped(LinkSession, element: String)
    case playback(LinkSession, LinkPlayback)
}

/// The other end of a link.
package struct LinkPeer: Sendable, Equatable {
    /// What a person reads, such as `mock device kit`.
    package var name: String
    /// Its version.
    package var version: String

    /// A peer with the given values.
    package init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}

/// A pair of glasses as a link reports it.
package struct LinkDevice: Sendable, Equatable {
    package var identifier: DeviceIdentifier
    /// May be empty.
    package var name: String
    package var type: DeviceType
    /// The firmware's version; empty when unknown.
    package var firmware: String
    package var state: DeviceState

    /// A device with the given values.
    package init(
        identifier: DeviceIdentifier, name: String, type: DeviceType, firmware: String = "", state: DeviceState
    ) {
        self.identifier = identifier
        self.name = name
        self.type = type
        self.firmware = firmware
        self.state = state
    }
}

/// One picture of a stream.
package struct LinkFrame: Sendable, Equatable {
    package var coding: LinkCoding
    /// Pixels; the bandwidth ladder may make them smaller than asked for.
    package var width: Int
    package var height: Int
    /// Nanoseconds since the stream began.
    package var time: UInt64
    /// Whether it can be decoded alone; always true for I420.
    package var isKeyFrame: Bool
    /// HEVC's `hvcC` record, with each key frame; empty for I420.
    package var parameterSets: Data
    package var bytes: Data

    /// A picture with the given values.
    package init(
        coding: LinkCoding, width: Int, height: Int, time: UInt64, isKeyFrame: Bool = true,
        parameterSets: Data = Data(),
        bytes: Data
    ) {
        self.coding = coding
        self.width = width
        self.height = height
        self.time = time
        self.isKeyFrame = isKeyFrame
        self.parameterSets = parameterSets
        self.bytes = bytes
    }
}

/// Sound of a stream's microphone: 16-bit little-endian mono PCM.
package struct LinkAudio: Sendable, Equatable {
    /// Frames per second.
    package var sampleRate: Int
    /// Nanoseconds since the stream began.
    package var time: UInt64
    package var bytes: Data

    /// A block with the given values.
    package init(sampleRate: Int, time: UInt64, bytes: Data) {
        self.sampleRate = sampleRate
        self.time = time
        self.bytes = bytes
    }
}

/// A photo.
package struct LinkPhoto: Sendable, Equatable {
    package var format: LinkPhotoFormat
    package var bytes: Data

    /// A photo with the given values.
    package init(format: LinkPhotoFormat, bytes: Data) {
        self.format = format
        self.bytes = bytes
    }
}

/// What became of a video on the display.
package enum LinkPlayback: String, Sendable, CaseIterable {
    case started
    case ended
    case stopped
    case urlInvalid
    case alreadyPlaying
    case failed
}
