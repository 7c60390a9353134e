let glasses = try await wornGlasses()

// BLOCK

print("session: \(deviceSession.state)")
try await scenario(deviceSession)
