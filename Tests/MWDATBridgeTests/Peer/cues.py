"""The lines on standard input that do not concern the connection itself."""

import messages
from messages import refusal

HELP = """\
lines on standard input (GLASSES is AB-1 or AB-2; without it the glasses of the open session, or AB-1):
  fold | unfold [GLASSES]         fold them, which ends their session; unfold them
  doff | don [GLASSES]            take them off, put them on
  tap [GLASSES]                   pause their session, or go on
  state NAME VALUE [GLASSES]      any field of the device's state, such as: state thermal severe
  end CHECK [GLASSES]             end their session for that reason
  end-stream CHECK [GLASSES]      end its stream only
  warn CHECK [GLASSES]            session.warned
  view-tap ELEMENT                the wearer chooses that element of the view
  playback WHAT                   started, ended, stopped, urlInvalid, alreadyPlaying or failed
  permission WHICH STATUS         camera or microphone; granted, denied, ask (granted on request) or fail
  register | unregister           the app's registration appears, or is taken back
  offer NAME                      the companion offers to register the app
  unavailable | available         the toolkit goes, or is back
  raw HEX                         send these bytes, whatever they are
  mute | unmute                   leave pings unanswered, or answer them again
  cut | cut-in-photo              close without a word: now, or after half of the next photo
  bye                             say bye and close
  code LETTERS                    the code for the next greeting
  reconnect                       greet again
  quit                            say bye and end (as the end of standard input does)
"""


class CueError(Exception):
    """A line that cannot be followed."""


def the_glasses(phone, visit, words):
    if words:
        found = phone.find(words[0])
        if found is None:
            raise CueError("no such glasses")
        return found
    open_now = list(visit.sessions.values()) if visit else []
    return open_now[0].device if open_now else phone.glasses[0]


def the_session(visit, device):
    for session in (visit.sessions.values() if visit else ()):
        if session.device is device:
            return session
    return None


def need(value, what):
    if not value:
        raise CueError(f"there is no {what}")
    return value


def checked(check):
    if check not in messages.REFUSAL_CHECKS:
        raise CueError("unknown check")
    return check


def change(phone, visit, device, name, value, ends=None):
    """Sets a field of the state; first ends the session that cannot go on."""
    session = the_session(visit, device)
    if session and ends:
        visit.end_session(session, refusal(ends))
    device.state[name] = value
    if visit:
        visit.send("device", device=device.fields)


def set_state(phone, visit, words):
    name, value, *rest = words
    device = the_glasses(phone, visit, rest)
    if name not in device.state:
        raise CueError("no such field")
    change(phone, visit, device, name, int(value) if name == "battery" else value)


def tap(phone, visit, words):
    session = need(the_session(visit, the_glasses(phone, visit, words)), "session")
    visit.pause(session, not session.paused)


def end(phone, visit, words):
    check, *rest = words
    session = need(the_session(visit, the_glasses(phone, visit, rest)), "session")
    visit.end_session(session, refusal(checked(check)))


def end_stream(phone, visit, words):
    check, *rest = words
    session = need(the_session(visit, the_glasses(phone, visit, rest)), "session")
    need(session.stream, "stream")
    visit.end_stream(session, refusal(checked(check)))
    visit.fail_photo(session, refusal(check))


def warn(phone, visit, words):
    check, *rest = words
    session = need(the_session(visit, the_glasses(phone, visit, rest)), "session")
    visit.send("session.warned", session=session.id, refusal=refusal(checked(check)))


def with_display(visit):
    return need(next((each for each in visit.sessions.values() if each.display), None) if visit else None, "display")


def view_tap(phone, visit, words):
    visit_session = with_display(visit)
    visit.send("view.tapped", session=visit_session.id, element=words[0])


def playback(phone, visit, words):
    if words[0] not in ("started", "ended", "stopped", "urlInvalid", "alreadyPlaying", "failed"):
        raise CueError("unknown playback")
    visit_session = with_display(visit)
    visit.send("playback", session=visit_session.id, playback=words[0])


def permission(phone, visit, words):
    which, status = words
    if which not in phone.permissions or status not in ("granted", "denied", "ask", "fail"):
        raise CueError("unknown permission or status")
    phone.permissions[which] = status


def registration(phone, visit, registered):
    phone.registered = registered
    if visit:
        visit.send_registration(None if registered else refusal("companion", "the registration was taken back"))


def offer(phone, visit, words):
    need(visit, "connection").offers += 1
    visit.send("registration.requested", request=visit.offers, appName=" ".join(words) or "App")


def availability(phone, visit, available):
    if phone.available == available:
        return
    phone.available = available
    if visit is None:
        return
    if available:
        return visit.announce()
    # Everything ends without a further word: what waits is dropped too.
    for session in visit.sessions.values():
        for task in session.tasks:
            task.cancel()
        if session.stream:
            visit.outbox.discard(session.stream)
    visit.sessions.clear()
    visit.send("unavailable", refusal=refusal("power", "Bluetooth is off"))


def raw(phone, visit, words):
    need(visit, "connection").outbox.post_bytes(bytes.fromhex("".join(words)))


def mute(phone, visit, is_mute):
    phone.mute = is_mute


CUES = {
    "fold": lambda phone, visit, words: change(phone, visit, the_glasses(phone, visit, words), "hinges", "closed", "hinges"),
    "unfold": lambda phone, visit, words: change(phone, visit, the_glasses(phone, visit, words), "hinges", "open"),
    "doff": lambda phone, visit, words: change(phone, visit, the_glasses(phone, visit, words), "worn", "doffed", "worn"),
    "don": lambda phone, visit, words: change(phone, visit, the_glasses(phone, visit, words), "worn", "donned"),
    "tap": tap, "state": set_state, "end": end, "end-stream": end_stream, "warn": warn, "view-tap": view_tap,
    "playback": playback, "permission": permission, "offer": offer, "raw": raw,
    "register": lambda phone, visit, words: registration(phone, visit, True),
    "unregister": lambda phone, visit, words: registration(phone, visit, False),
    "available": lambda phone, visit, words: availability(phone, visit, True),
    "unavailable": lambda phone, visit, words: availability(phone, visit, False),
    "mute": lambda phone, visit, words: mute(phone, visit, True),
    "unmute": lambda phone, visit, words: mute(phone, visit, False),
}


def follow(phone, visit, line):
    name, *words = line.split()
    if name not in CUES:
        raise CueError("unknown line")
    try:
        CUES[name](phone, visit, words)
    except (ValueError, IndexError):
        raise CueError("a word is missing, too much or wrong") from None
