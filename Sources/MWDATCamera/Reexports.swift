// Apps import MWDATCamera and find UIImage, DecoderError and OSStatus, as they do with the vendor's modules.
@_exported import MWDATImage
