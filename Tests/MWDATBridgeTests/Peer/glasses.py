"""The glasses that the scripted phone has."""


class Glasses:
    def __init__(self, identifier, name, kind, display):
        self.identifier, self.name, self.kind, self.display = identifier, name, kind, display
        self.state = {"link": "connected", "compatibility": "compatible", "battery": 81, "charging": "notCharging",
                      "worn": "donned", "hinges": "open", "thermal": "none"}

    @property
    def fields(self):
        return {"identifier": self.identifier, "name": self.name, "type": self.kind, "firmware": "127.0",
                "state": dict(self.state)}

    @property
    def hindrance(self):
        """The check that keeps a session from opening, or None."""
        if self.state["hinges"] == "closed":
            return "hinges"
        if self.state["link"] != "connected":
            return "link"
        return "worn" if self.state["worn"] == "doffed" else None


def both():
    return [Glasses("AB-1", "Glasses", "rayBanMeta", display=False),
            Glasses("AB-2", "Display glasses", "metaRayBanDisplay", display=True)]
