import Foundation

// One by one: all of Foundation would bring its `Stream` along, and with it an ambiguity with the camera's.

/// Bytes.
public typealias Data = Foundation.Data
/// An address.
public typealias URL = Foundation.URL
/// An address in its parts.
public typealias URLComponents = Foundation.URLComponents
