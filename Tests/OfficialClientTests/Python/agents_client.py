"""The same conversation held by the unmodified openai-agents package."""

import asyncio
import json
import time

from agents.realtime import RealtimeAgent, RealtimePlaybackTracker, RealtimeRunner
from agents.realtime.openai_realtime import get_server_event_type_adapter
from agents import FunctionTool
from common import BYTES_PER_MS, Failure, require, run, speak, speech


class Conversation:
    """One session: what its iterator gives is recorded and handed to whoever waits for it."""

    def __init__(self, session, tracker, report):
        self.session = session
        self.tracker = tracker
        self.report = report
        self.events = []
        self.news = asyncio.Condition()
        self.failure = None
        self.audio = {}
        self.played = {}
        self.interrupted = []
        self.tasks = [asyncio.create_task(self.read()), asyncio.create_task(self.play())]

    async def read(self):
        try:
            async for event in self.session:
                self.take(event)
                async with self.news:
                    self.events.append(event)
                    self.news.notify_all()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            self.failure = f"{type(error).__name__}: {error}"
        async with self.news:
            self.news.notify_all()

    def take(self, event):
        if event.type == "error":
            self.failure = f"the client reports an error: {event.error}"
        elif event.type == "audio":
            self.audio.setdefault(event.item_id, []).append(event.audio.data)
        elif event.type == "audio_interrupted":
            self.interrupted.append((event.item_id, self.played.get(event.item_id, 0)))
            self.audio[event.item_id] = []
        elif event.type == "raw_model_event" and event.data.type == "raw_server_event":
            get_server_event_type_adapter().validate_python(event.data.data)
            self.report.count(event.data.data["type"])

    async def play(self):
        """A loudspeaker that takes 20 ms every 20 ms and tells the tracker."""
        piece = 20 * BYTES_PER_MS
        due = time.monotonic()
        while True:
            due += 0.02
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            for item, blocks in self.audio.items():
                if not blocks:
                    continue
                head = blocks[0][:piece]
                blocks[0] = blocks[0][piece:]
                if not blocks[0]:
                    blocks.pop(0)
                self.played[item] = self.played.get(item, 0) + len(head) / BYTES_PER_MS
                self.tracker.on_play_bytes(item, 0, head)
                break

    def raw(self, since, kind, **fields):
        for event in self.events[since:]:
            if event.type != "raw_model_event" or event.data.type != "raw_server_event":
                continue
            data = event.data.data
            if data["type"] == kind and all(data.get(name) == value for name, value in fields.items()):
                return data
        return None

    async def wait(self, condition, what, seconds=30):
        async def found():
            async with self.news:
                while True:
                    value = condition()
                    if value:
                        return value
                    require(self.failure is None, self.failure)
                    await self.news.wait()

        try:
            return await asyncio.wait_for(found(), seconds)
        except asyncio.TimeoutError:
            seen = [event.data.data["type"] for event in self.events[-40:]
                    if event.type == "raw_model_event" and event.data.type == "raw_server_event"]
            raise Failure(f"no {what} within {seconds} s; there were {seen}") from None

    async def quiet(self):
        """Waits until all that was said has been played."""
        while any(self.audio.values()):
            await asyncio.sleep(0.02)

    def close(self):
        for task in self.tasks:
            task.cancel()


def tool(description, talk_of, plan):
    name = description["name"]

    async def invoke(context, arguments):
        talk_of()["report"].call(talk_of()["turn"], name, json.loads(arguments))
        return plan["story"]["result"] if name == plan["story"]["tool"] else plan["results"][name]

    return FunctionTool(name=name, description=description["description"],
                        params_json_schema=description["parameters"], on_invoke_tool=invoke, strict_json_schema=False)


def spoken(talk, plan, turn, since):
    """What was said since then, once it holds the result of every call: this client asks for an answer after each result."""
    said = " ".join(event.data.data["transcript"] for event in talk.events[since:]
                    if event.type == "raw_model_event" and event.data.type == "raw_server_event"
                    and event.data.data["type"] == "response.output_audio_transcript.done")
    results = [plan["results"][call["name"]] for call in talk.report.calls if call["turn"] == turn]
    return said if results and all(result in said for result in results) else None


async def scenario(plan, report):
    state = {"report": report, "turn": ""}
    agent = RealtimeAgent(name="assistant", instructions=plan["instructions"],
                          tools=[tool(each, lambda: state, plan) for each in plan["tools"]])
    tracker = RealtimePlaybackTracker()
    runner = RealtimeRunner(agent)
    session = await runner.run(model_config={
        "url": f"{plan['socket']}/realtime?model={plan['model']}", "api_key": plan["key"],
        "playback_tracker": tracker})
    async with session:
        talk = Conversation(session, tracker, report)
        try:
            await talk.wait(lambda: talk.raw(0, "session.updated"), "session.updated")
            for turn in plan["turns"]:
                state["turn"] = turn["name"]
                since = len(talk.events)
                await session.send_message(turn["say"])
                report.answers[turn["name"]] = await talk.wait(
                    lambda: spoken(talk, plan, turn["name"], since), "spoken answer")
                await talk.quiet()
            await voice_turn(talk, plan, state)
            await barge_in(talk, plan, state)
        finally:
            talk.close()


async def voice_turn(talk, plan, state):
    state["turn"] = "voice"
    since = len(talk.events)
    await speak(talk.session.send_audio, speech(plan["voice"]["wav"]),
                lambda: talk.raw(since, "input_audio_buffer.committed"))
    completed = await talk.wait(
        lambda: talk.raw(since, "conversation.item.input_audio_transcription.completed"), "transcript")
    state["report"].facts["voice.transcript"] = completed["transcript"]
    state["report"].answers["voice"] = await talk.wait(
        lambda: spoken(talk, plan, "voice", since), "spoken answer")
    await talk.quiet()


async def barge_in(talk, plan, state):
    state["turn"] = "story"
    since = len(talk.events)
    await talk.session.send_message(plan["story"]["say"])
    first = await talk.wait(lambda: talk.raw(since, "response.output_audio.delta"), "audio of the story")
    item = first["item_id"]
    await asyncio.sleep(plan["story"]["speakAfterMs"] / 1_000)
    await speak(talk.session.send_audio, speech(plan["interruption"]),
                lambda: talk.raw(since, "input_audio_buffer.committed"))
    interrupted = [heard for each, heard in talk.interrupted if each == item]
    require(len(interrupted) == 1, f"story: interrupted {len(interrupted)} times")
    truncated = await talk.wait(
        lambda: talk.raw(since, "conversation.item.truncated", item_id=item), "conversation.item.truncated")
    retrieved = await talk.wait(
        lambda: next((event.data.data["item"] for event in reversed(talk.events)
                      if event.type == "raw_model_event" and event.data.type == "raw_server_event"
                      and event.data.data["type"] == "conversation.item.retrieved"
                      and event.data.data["item"]["id"] == item), None), "conversation.item.retrieved")
    facts = state["report"].facts
    facts["story.heardMs"] = interrupted[0]
    facts["story.leftMs"] = truncated["audio_end_ms"]
    facts["story.transcript"] = retrieved["content"][0].get("transcript") or ""


run(scenario)
