/// What a ``Text`` is for; the glasses choose size and weight.
public enum TextStyle: String, CaseIterable, Encodable, Sendable {
    /// The largest: what the view is about.
    case heading
    /// Running text.
    case body
    /// The smallest: captions and notes.
    case meta
}

/// How much a ``Text`` stands out.
public enum TextColor: String, CaseIterable, Encodable, Sendable {
    case primary
    case secondary
}

/// How much a ``Button`` stands out.
public enum ButtonStyle: String, CaseIterable, Encodable, Sendable {
    case primary
    case secondary
    case outline
}

/// What a ``Button`` does for its view.
public enum ActionRole: String, CaseIterable, Encodable, Sendable {
    /// What the wearer will most likely choose; the first such button of a view gets the focus.
    case primary
}

/// How an ``Icon`` is drawn.
public enum IconStyle: String, CaseIterable, Encodable, Sendable {
    case filled
    case outline
}

/// How large an ``Image`` is drawn.
public enum ImageSize: String, CaseIterable, Encodable, Sendable {
    /// As large as an icon.
    case icon
    /// As wide as its container.
    case fill
}

/// How round the corners of an ``Image`` are.
public enum CornerRadius: String, CaseIterable, Encodable, Sendable {
    case none
    case small
    case medium
}

/// What is drawn behind a ``FlexBox``.
public enum Background: String, CaseIterable, Encodable, Sendable {
    case none
    /// A panel with round corners.
    case card
}

/// How a video on the display is coded.
public enum VideoCodec: String, CaseIterable, Encodable, Sendable {
    /// An MP4 file, at most 400 pixels a side and 70,000 in all.
    case mp4
}
