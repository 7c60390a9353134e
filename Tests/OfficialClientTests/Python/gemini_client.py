"""A conversation held by the unmodified live client of the google-genai package, over wss."""

import asyncio

from common import require, run, speech
from google import genai
from google.genai import types

PIECE_MS = 20
#: The client speaks at the rate that Gemini Live listens at.
RATE = 16_000


def declaration(tool):
    return types.FunctionDeclaration(
        name=tool["name"], description=tool["description"], parameters_json_schema=tool["parameters"])


class Turn:
    """What came of one turn of the model."""

    def __init__(self):
        self.words = ""
        self.heard = ""
        self.audio = 0
        self.kinds = set()
        self.interrupted = False


async def turn(session, report, plan, name, limit=90):
    """Receives until the turn is complete, and answers its calls."""
    came = Turn()

    async def receive():
        while True:
            async for message in session.receive():
                report.count(type(message).__name__)
                await take(session, report, plan, name, message, came)
                content = message.server_content
                if content and content.turn_complete:
                    return

    await asyncio.wait_for(receive(), limit)
    return came


async def take(session, report, plan, name, message, came):
    if message.tool_call:
        came.kinds.add("tool_call")
        responses = []
        for call in message.tool_call.function_calls:
            report.call(name, call.name, call.args)
            require(call.id, f"{name}: a call has no id")
            responses.append(types.FunctionResponse(
                id=call.id, name=call.name, response={"output": plan["results"].get(call.name, "unexpected")}))
        await session.send_tool_response(function_responses=responses)
    content = message.server_content
    if not content:
        return
    if content.model_turn:
        for part in content.model_turn.parts:
            if part.inline_data:
                require(part.inline_data.mime_type == "audio/pcm;rate=24000", f"{name}: audio of another kind")
                came.audio += len(part.inline_data.data)
            came.words += part.text or ""
    if content.output_transcription:
        came.words += content.output_transcription.text or ""
    if content.input_transcription:
        came.heard += content.input_transcription.text or ""
    came.interrupted = came.interrupted or bool(content.interrupted)


def client(plan):
    return genai.Client(api_key=plan["key"], http_options=types.HttpOptions(base_url=plan["origin"]))


async def text_turns(plan, report):
    config = types.LiveConnectConfig(
        response_modalities=["TEXT"], system_instruction=plan["instructions"],
        tools=[types.Tool(function_declarations=[declaration(tool) for tool in plan["tools"]])])
    async with client(plan).aio.live.connect(model=plan["model"], config=config) as session:
        require(session.session_id, "the setup's completion names no session")
        for step in plan["turns"]:
            await session.send_client_content(
                turns=types.Content(role="user", parts=[types.Part(text=step["say"])]), turn_complete=True)
            came = await turn(session, report, plan, step["name"])
            report.answers[step["name"]] = came.words


async def voice_turn(plan, report):
    config = types.LiveConnectConfig(
        response_modalities=["AUDIO"], input_audio_transcription=types.AudioTranscriptionConfig(),
        output_audio_transcription=types.AudioTranscriptionConfig(),
        tools=[types.Tool(function_declarations=[declaration(tool) for tool in plan["tools"]])])
    async with client(plan).aio.live.connect(model=plan["model"], config=config) as session:
        samples = speech(plan["voice"]["wav"], RATE)
        piece = PIECE_MS * RATE * 2 // 1_000

        async def speak():
            for start in range(0, len(samples), piece):
                await session.send_realtime_input(
                    audio=types.Blob(data=samples[start : start + piece], mime_type=f"audio/pcm;rate={RATE}"))
                await asyncio.sleep(PIECE_MS / 1_000)
            await session.send_realtime_input(audio_stream_end=True)

        speaking = asyncio.create_task(speak())
        came = await turn(session, report, plan, "voice")
        await speaking
        report.answers["voice"] = came.words
        report.facts["voice.transcript"] = came.heard
        report.facts["voice.audioMs"] = came.audio // 48


async def refusals(plan, report):
    """A wrong key is refused before the upgrade; a wrong message ends the connection with its reason."""
    stranger = genai.Client(api_key="wrong", http_options=types.HttpOptions(base_url=plan["origin"]))
    try:
        async with stranger.aio.live.connect(model=plan["model"]):
            require(False, "a wrong key was let in")
    except Exception as error:
        report.facts["wrongKey"] = getattr(getattr(error, "response", None), "status_code", 0)
    async with client(plan).aio.live.connect(model=plan["model"], config={"response_modalities": ["TEXT"]}) as session:
        await session.send_realtime_input(activity_start=types.ActivityStart())
        try:
            async for _ in session.receive():
                pass
        except genai.errors.APIError as error:
            report.facts["activity"] = error.code


async def scenario(plan, report):
    await text_turns(plan, report)
    await voice_turn(plan, report)
    await refusals(plan, report)


run(scenario)
