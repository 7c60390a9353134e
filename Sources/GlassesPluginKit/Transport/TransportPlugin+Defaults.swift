extension TransportPlugin {
    /// Does nothing.
    public func activate() throws(PluginFailure) {}

    /// Reports `connected` and completes at once.
    public func connect(_ request: PluginRequest, deviceId: String?) throws(PluginFailure) {
        request.host.reportConnected(description.device)
        request.complete()
    }

    /// Reports `disconnected` and completes at once.
    public func disconnect(_ request: PluginRequest) throws(PluginFailure) {
        request.host.reportDisconnected(.userRequested)
        request.complete()
    }

    /// Does nothing.
    public func shutdown() {}
}
