// Core Media's and Core Video's functions that apps call on a frame, so that such code compiles here. Pixels are reached by
// CVPixelBuffer.withPlane: a base address that outlives a call cannot be had here.

/// When the sample is to be shown.
public func CMSampleBufferGetPresentationTimeStamp(_ sample: CMSampleBuffer) -> CMTime { sample.presentationTimeStamp }

/// The decoded picture; nil when it is coded.
public func CMSampleBufferGetImageBuffer(_ sample: CMSampleBuffer) -> CVImageBuffer? { sample.imageBuffer }

/// What the sample is.
public func CMSampleBufferGetFormatDescription(_ sample: CMSampleBuffer) -> CMFormatDescription? {
    sample.formatDescription
}

/// The code of what the sample is, such as ``kCMVideoCodecType_HEVC``.
public func CMFormatDescriptionGetMediaSubType(_ format: CMFormatDescription) -> FourCharCode { format.mediaSubType }

/// The pictures' size.
public func CMVideoFormatDescriptionGetDimensions(_ format: CMVideoFormatDescription) -> CMVideoDimensions {
    format.dimensions
}

/// In seconds; not a number when it is not valid.
public func CMTimeGetSeconds(_ time: CMTime) -> Double { time.seconds }

/// Pixels across.
public func CVPixelBufferGetWidth(_ picture: CVPixelBuffer) -> Int { picture.width }

/// Pixels down.
public func CVPixelBufferGetHeight(_ picture: CVPixelBuffer) -> Int { picture.height }

/// How the planes are to be read.
public func CVPixelBufferGetPixelFormatType(_ picture: CVPixelBuffer) -> OSType { picture.pixelFormatType }

/// How many planes there are: 3.
public func CVPixelBufferGetPlaneCount(_ picture: CVPixelBuffer) -> Int { picture.planes.count }

/// Pixels across a plane; 0 for one that is not there.
public func CVPixelBufferGetWidthOfPlane(_ picture: CVPixelBuffer, _ plane: Int) -> Int {
    picture.planes.indices.contains(plane) ? picture.planes[plane].width : 0
}

/// Rows of a plane; 0 for one that is not there.
public func CVPixelBufferGetHeightOfPlane(_ picture: CVPixelBuffer, _ plane: Int) -> Int {
    picture.planes.indices.contains(plane) ? picture.planes[plane].height : 0
}

/// Bytes from one row of a plane to the next; 0 for one that is not there.
public func CVPixelBufferGetBytesPerRowOfPlane(_ picture: CVPixelBuffer, _ plane: Int) -> Int {
    CVPixelBufferGetWidthOfPlane(picture, plane)
}
