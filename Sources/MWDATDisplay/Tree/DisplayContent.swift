/// A container that lays out its children in a row or a column.
struct DisplayFlexBox: Encodable, Sendable, Equatable {
    var direction: Direction
    /// Pixels between two children.
    var spacing: Double
    /// Along the direction.
    var alignment: Alignment
    /// Across the direction.
    var crossAlignment: Alignment
    /// Whether children that do not fit begin another line.
    var wrap: Bool
    var background: Background
    var children: [DisplayNode]
}

/// A text.
struct DisplayText: Encodable, Sendable, Equatable {
    var text: String
    var style: TextStyle
    var color: TextColor
}

/// A button.
struct DisplayButton: Encodable, Sendable, Equatable {
    var text: String
    var style: ButtonStyle
    var icon: IconName?
    var role: ActionRole?
}

/// Buttons that belong together.
struct DisplayButtonGroup: Encodable, Sendable, Equatable {
    var alignment: ButtonGroupAlignment
    var children: [DisplayNode]
}

/// A picture by its address.
struct DisplayImage: Encodable, Sendable, Equatable {
    /// `http`, `https`, or a picture itself as `data:image/jpeg;base64,…`.
    var uri: String
    var size: ImageSize
    var cornerRadius: CornerRadius
}

/// A picture by its name.
struct DisplayIcon: Encodable, Sendable, Equatable {
    var name: IconName
    var style: IconStyle
}

/// A video on the whole panel. The limits travel with it because only who loads the file learns its size.
struct DisplayVideo: Encodable, Sendable, Equatable {
    var uri: String
    var codec: VideoCodec
    /// Pixels that neither side may exceed.
    var maximumSide = DisplayLimits.videoSide
    /// Pixels that width × height may not exceed.
    var maximumPixels = DisplayLimits.videoPixels

    init(uri: String, codec: VideoCodec) {
        self.uri = uri
        self.codec = codec
    }
}
