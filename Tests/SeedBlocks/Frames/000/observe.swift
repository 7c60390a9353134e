import MWDATCore

func observe() {
    // BLOCK
}
