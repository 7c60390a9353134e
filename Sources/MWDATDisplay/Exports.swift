@_exported import MWDATImage
