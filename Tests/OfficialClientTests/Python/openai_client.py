"""A conversation held by the unmodified openai package."""

import base64
import json
import time
import asyncio

from common import BYTES_PER_MS, require, run, speak, speech
from conversation import Conversation
from openai import AsyncOpenAI

def text_of(response):
    parts = [part for item in response.output if item.type == "message" for part in item.content]
    return " ".join((part.text or part.transcript or "") for part in parts)


async def configure(talk, plan, **changes):
    since = talk.now
    await talk.connection.session.update(session={"type": "realtime", "tools": plan["tools"], **changes})
    updated = await talk.wait(since, "session.updated")
    require([tool.name for tool in updated.session.tools] == [tool["name"] for tool in plan["tools"]],
            "session.updated does not hold the tools")
    return updated.session


async def answer(talk, plan, turn, since):
    """Runs the calls of one response, asks once more and gives the last response; a turn without calls is over at once."""
    created = await talk.wait(since, "response.created")
    done = await response_done(talk, since, created.response.id)
    calls = [item for item in done.response.output if item.type == "function_call"]
    require(done.response.status == "completed", f"{turn}: the response is {done.response.status}")
    if not calls:
        return done.response
    for call in calls:
        require(talk.find(since, "response.function_call_arguments.done", call_id=call.call_id) is not None,
                f"{turn}: no arguments.done for {call.name}")
        talk.report.call(turn, call.name, json.loads(call.arguments))
        await talk.connection.conversation.item.create(item={
            "type": "function_call_output", "call_id": call.call_id,
            "output": plan["results"].get(call.name, "unexpected")})
    since = talk.now
    await talk.connection.response.create()
    created = await talk.wait(since, "response.created")
    return (await response_done(talk, since, created.response.id)).response


async def response_done(talk, since, response_id):
    while True:
        done = await talk.wait(since, "response.done")
        if done.response.id == response_id:
            return done
        since = talk.events.index(done) + 1


async def text_turn(talk, plan, turn, sentence):
    since = talk.now
    await talk.connection.conversation.item.create(item={
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": sentence}]})
    item = (await talk.wait(since, "conversation.item.added")).item
    await talk.wait(since, "conversation.item.done")
    require(item.content[0].text == sentence, f"{turn}: the item holds another text")
    await talk.connection.response.create()
    response = await answer(talk, plan, turn, since)
    talk.report.answers[turn] = text_of(response)
    return response


async def voice_turn(talk, plan, turn, path):
    since = talk.now

    async def send(piece):
        await talk.connection.input_audio_buffer.append(audio=base64.b64encode(piece).decode())

    await speak(send, speech(path), lambda: talk.find(since, "input_audio_buffer.committed") is not None)
    started = await talk.wait(since, "input_audio_buffer.speech_started")
    stopped = await talk.wait(since, "input_audio_buffer.speech_stopped", item_id=started.item_id)
    require(stopped.audio_end_ms > started.audio_start_ms, f"{turn}: the speech ends before it starts")
    await talk.wait(since, "input_audio_buffer.committed", item_id=started.item_id)
    completed = await talk.wait(
        since, "conversation.item.input_audio_transcription.completed", item_id=started.item_id)
    talk.report.facts[f"{turn}.transcript"] = completed.transcript
    talk.report.facts[f"{turn}.deltas"] = partial_transcripts(talk, since, started, completed)
    response = await answer(talk, plan, turn, since)
    talk.report.answers[turn] = text_of(response)


def partial_transcripts(talk, since, started, completed):
    """The words that came before the completed text, in the order of their events, none before the speech began."""
    events = talk.events[since:]
    deltas = [event for event in events
              if event.type == "conversation.item.input_audio_transcription.delta" and event.item_id == started.item_id]
    require(deltas, "no words came before the completed text")
    require(all(event.content_index == completed.content_index for event in deltas), "deltas of another content part")
    order = [events.index(event) for event in [started, *deltas, completed]]
    require(order == sorted(order), "partial words came before the speech or after its completed text")
    return [event.delta for event in deltas]


def late_words(talk):
    """Partial words that came after the completed text of their item."""
    done, late = set(), []
    for event in talk.events:
        if event.type == "conversation.item.input_audio_transcription.completed":
            done.add(event.item_id)
        elif event.type == "conversation.item.input_audio_transcription.delta" and event.item_id in done:
            late.append(event.delta)
    return late


async def barge_in(talk, plan, turn):
    """Lets an answer play, speaks into it at the drawn moment, and reads back what is left of it."""
    since = talk.now
    await talk.connection.conversation.item.create(item={
        "type": "message", "role": "user", "content": [{"type": "input_text", "text": plan["story"]["say"]}]})
    await talk.connection.response.create()
    created = await talk.wait(since, "response.created")
    done = await response_done(talk, since, created.response.id)
    calls = [item for item in done.response.output if item.type == "function_call"]
    require(len(calls) == 1, f"{turn}: {len(calls)} calls instead of one")
    talk.report.call(turn, calls[0].name, json.loads(calls[0].arguments))
    await talk.connection.conversation.item.create(item={
        "type": "function_call_output", "call_id": calls[0].call_id, "output": plan["story"]["result"]})
    since = talk.now
    await talk.connection.response.create()
    first = await talk.wait(since, "response.output_audio.delta")
    playing_since = time.monotonic()
    item_id = first.item_id

    def played():
        return min(int((time.monotonic() - playing_since) * 1_000), talk.audio_ms(item_id))

    # The drawn moment: from here on somebody speaks into the answer.
    await asyncio.sleep(plan["story"]["speakAfterMs"] / 1_000)

    async def send(piece):
        await talk.connection.input_audio_buffer.append(audio=base64.b64encode(piece).decode())

    heard = None

    def cut():
        nonlocal heard
        if heard is None and talk.find(since, "input_audio_buffer.speech_started") is not None:
            heard = played()
        return talk.find(since, "input_audio_buffer.committed") is not None

    await speak(send, speech(plan["interruption"]), cut)
    require(heard is not None and heard > 0, f"{turn}: nothing was heard before the interruption")
    ended = await response_done(talk, since, first.response_id)
    talk.report.facts[f"{turn}.status"] = ended.response.status
    if ended.response.status == "cancelled":
        require(ended.response.status_details.reason == "turn_detected", f"{turn}: another reason than turn_detected")
    before = talk.now
    await talk.connection.conversation.item.truncate(item_id=item_id, content_index=0, audio_end_ms=heard)
    truncated = await talk.wait(before, "conversation.item.truncated", item_id=item_id)
    require(truncated.audio_end_ms == heard, f"{turn}: truncated at {truncated.audio_end_ms}, not at {heard}")
    before = talk.now
    await talk.connection.conversation.item.retrieve(item_id=item_id)
    item = (await talk.wait(before, "conversation.item.retrieved")).item
    require(item.id == item_id, f"{turn}: another item was retrieved")
    left = len(base64.b64decode(item.content[0].audio or "")) / BYTES_PER_MS
    talk.report.facts[f"{turn}.heardMs"] = heard
    talk.report.facts[f"{turn}.leftMs"] = left
    talk.report.facts[f"{turn}.receivedMs"] = talk.audio_ms(item_id)
    talk.report.facts[f"{turn}.transcript"] = item.content[0].transcript or ""


async def errors(talk):
    """Each refusal names the event that caused it, and the session goes on."""
    for name, send in {
        "cancel": lambda: talk.connection.response.cancel(event_id="mine-cancel"),
        "delete": lambda: talk.connection.conversation.item.delete(item_id="item_none", event_id="mine-delete"),
        "retrieve": lambda: talk.connection.conversation.item.retrieve(item_id="item_none", event_id="mine-retrieve"),
        "commit": lambda: talk.connection.input_audio_buffer.commit(event_id="mine-commit"),
    }.items():
        since = talk.now
        await send()
        error = (await talk.wait(since, "error")).error
        require(error.event_id == f"mine-{name}", f"the error of {name} names {error.event_id}")
        talk.report.facts[f"error.{name}"] = error.code


async def scenario(plan, report):
    client = AsyncOpenAI(api_key=plan["key"], base_url=plan["base"])
    models = [model.id async for model in client.models.list()]
    require(models, "the list of models is empty")
    secret = await client.realtime.client_secrets.create(
        session={"type": "realtime", "instructions": plan["instructions"]})
    require(secret.value.startswith("ek_"), "the client secret does not begin with ek_")
    guest = AsyncOpenAI(api_key=secret.value, base_url=plan["base"])
    async with guest.realtime.connect(model=plan["model"]) as connection:
        talk = Conversation(connection, report)
        session = (await talk.wait(0, "session.created")).session
        if session.instructions != plan["instructions"]:
            # A relay tells its upstream behind the upstream's greeting.
            session = (await talk.wait(0, "session.updated")).session
        require(session.instructions == plan["instructions"], "the secret's instructions are not in the session")
        talk.reader.cancel()
    async with client.realtime.connect(model=plan["model"]) as connection:
        talk = Conversation(connection, report)
        await talk.wait(0, "session.created")
        await configure(talk, plan, output_modalities=["text"], audio={"input": {"turn_detection": None}})
        for turn in plan["turns"]:
            await text_turn(talk, plan, turn["name"], turn["say"])
        await errors(talk)
        session = await configure(talk, plan, output_modalities=["audio"], audio={"input": {
            "transcription": {"model": "whisper-1"}, "turn_detection": {"type": "server_vad"}}})
        require(session.audio.input.turn_detection.interrupt_response is True, "interrupt_response is not reported")
        await voice_turn(talk, plan, "voice", plan["voice"]["wav"])
        await barge_in(talk, plan, "story")
        require(not late_words(talk), f"words came after their completed text: {late_words(talk)}")
        talk.reader.cancel()


run(scenario)
