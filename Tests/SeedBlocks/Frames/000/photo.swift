import MWDATCamera

func takePhoto(_ session: StreamSession) {
    // BLOCK
}
