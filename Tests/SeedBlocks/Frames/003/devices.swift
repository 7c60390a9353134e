import MWDATCore

func observeDevices() {
    // BLOCK
}
