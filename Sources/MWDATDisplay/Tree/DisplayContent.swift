/// A container that lays out its children in a row or a column.
package struct DisplayFlexBox: Codable, Sendable, Equatable {
    package var direction: Direction
    /// Pixels between two children.
    package var spacing: Double
    /// Along the direction.
    package var alignment: Alignment
    /// Across the direction.
    package var crossAlignment: Alignment
    /// Whether children that do not fit begin another line.
    package var wrap: Bool
    package var background: Background
    package var children: [DisplayNode]
}

/// A text.
package struct DisplayText: Codable, Sendable, Equatable {
    package var text: String
    package var style: TextStyle
    package var color: TextColor
}

/// A button.
package struct DisplayButton: Codable, Sendable, Equatable {
    package var text: String
    package var style: ButtonStyle
    package var icon: IconName?
    package var role: ActionRole?
}

/// Buttons that belong together.
package struct DisplayButtonGroup: Codable, Sendable, Equatable {
    package var alignment: ButtonGroupAlignment
    package var children: [DisplayNode]
}

/// A picture by its address.
package struct DisplayImage: Codable, Sendable, Equatable {
    /// `http`, `https`, or a picture itself as `data:image/jpeg;base64,…`.
    package var uri: String
    package var size: ImageSize
    package var cornerRadius: CornerRadius
}

/// A picture by its name.
package struct DisplayIcon: Codable, Sendable, Equatable {
    package var name: IconName
    package var style: IconStyle
}

/// A video on the whole panel. The limits travel with it because only who loads the file learns its size.
package struct DisplayVideo: Codable, Sendable, Equatable {
    package var uri: String
    package var codec: VideoCodec
    /// Pixels that neither side may exceed.
    package var maximumSide = DisplayLimits.videoSide
    /// Pixels that width × height may not exceed.
    package var maximumPixels = DisplayLimits.videoPixels

    package init(uri: String, codec: VideoCodec) {
        self.uri = uri
        self.codec = codec
    }
}
