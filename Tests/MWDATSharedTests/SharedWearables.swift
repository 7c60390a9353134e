import Testing

/// Tests of the process's one toolkit: never two at a time.
@Suite(.serialized) struct SharedWearables {}
