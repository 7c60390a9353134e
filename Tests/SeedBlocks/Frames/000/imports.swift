// BLOCK

/// One name of each module.
let beginnings: (StreamState, RegistrationState) = (.stopped, .unavailable)
