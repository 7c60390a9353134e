/// A status code of a coder, 0 for success; on this system those of libjpeg-turbo and libpng.
public typealias OSStatus = Int32
