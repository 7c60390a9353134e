import AppleShims
import MWDATCore

// BLOCK
