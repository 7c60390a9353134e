import AppleShims

// BLOCK

struct MainAppView: View {
    var body: some View {
        EmptyView().task { await scenario() }
    }
}
