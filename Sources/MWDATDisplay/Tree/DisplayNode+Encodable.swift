extension DisplayNode: Encodable {
    private enum Key: String, CodingKey { case kind, id }

    private enum Kind: String, Encodable { case flexBox, text, button, buttonGroup, image, icon, video }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(id, forKey: .id)
        try layout.encode(to: encoder)
        let (kind, payload): (Kind, any Encodable) =
            switch content {
            case .flexBox(let payload): (.flexBox, payload)
            case .text(let payload): (.text, payload)
            case .button(let payload): (.button, payload)
            case .buttonGroup(let payload): (.buttonGroup, payload)
            case .image(let payload): (.image, payload)
            case .icon(let payload): (.icon, payload)
            case .video(let payload): (.video, payload)
            }
        try container.encode(kind, forKey: .kind)
        try payload.encode(to: encoder)
    }
}
