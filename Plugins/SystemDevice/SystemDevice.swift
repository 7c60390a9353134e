// SystemDevice
