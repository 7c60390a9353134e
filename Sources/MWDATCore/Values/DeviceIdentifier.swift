/// Names a pair of glasses, for as long as it is paired; opaque.
public typealias DeviceIdentifier = String
