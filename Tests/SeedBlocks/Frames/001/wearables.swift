import AppleShims

// BLOCK
