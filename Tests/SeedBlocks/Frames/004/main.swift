import AppleShims

// BLOCK

try await scenario(glasses)
