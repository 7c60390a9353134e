import MWDATCore

// BLOCK
