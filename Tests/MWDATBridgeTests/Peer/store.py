"""What a phone keeps: its own identifier and a key for each host, in a file of mode 0600."""

import json
import os
import secrets
import stat


class StoreError(Exception):
    """The file cannot be used."""


class Store:
    def __init__(self, path):
        self.path = path
        self._data = self._load() or {"peer": "phone-" + secrets.token_hex(8), "keys": {}}
        self._save()

    @property
    def peer(self):
        return self._data["peer"]

    @property
    def has_keys(self):
        return bool(self._data["keys"])

    def key(self, host):
        digits = self._data["keys"].get(host)
        return None if digits is None else bytes.fromhex(digits)

    def keep(self, host, key):
        self._data["keys"][host] = key.hex()
        self._save()

    def _load(self):
        try:
            descriptor = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read the state: {error.strerror}") from None
        with os.fdopen(descriptor, "rb") as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.getuid() or stat.S_IMODE(status.st_mode) & 0o077:
                raise StoreError("the state's file must be this user's, with mode 0600")
            return self._checked(file.read(1_000_000))

    @staticmethod
    def _checked(data):
        try:
            state = json.loads(data)
            keys = {str(host): bytes.fromhex(digits).hex() for host, digits in state["keys"].items()}
            if any(len(digits) != 64 for digits in keys.values()) or not isinstance(state["peer"], str):
                raise ValueError
        except (ValueError, KeyError, TypeError, AttributeError):
            raise StoreError("the state's file is damaged") from None
        return {"peer": state["peer"], "keys": keys}

    def _save(self):
        # Written beside and renamed, so that no crash leaves half a key; never readable by others, not even at first.
        beside = f"{self.path}.{secrets.token_hex(4)}"
        try:
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w") as file:
                json.dump(self._data, file)
            os.replace(beside, self.path)
        except OSError as error:
            raise StoreError(f"cannot write the state: {error.strerror}") from None
