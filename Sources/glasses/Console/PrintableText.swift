extension String {
    /// The text as it may stand on a terminal: without the control characters with which somebody else's text could command it.
    var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.filter { $0.properties.generalCategory != .control }))
    }
}
