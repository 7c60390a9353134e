"""The unmodified openai package gives the gateway a picture and reads it back."""

import base64
import random

from common import require, run
from conversation import Conversation
from openai import AsyncOpenAI


def picture(seed, size):
    """Bytes that begin and end as a JPEG file does; what lies between decodes to nothing."""
    middle = random.Random(seed).randbytes(size)
    return b"\xff\xd8\xff\xe0" + middle + b"\xff\xd9"


async def scenario(plan, report):
    client = AsyncOpenAI(api_key=plan["key"], base_url=plan["base"])
    file = picture(plan["seed"], plan["bytes"])
    url = "data:image/jpeg;base64," + base64.b64encode(file).decode()
    async with client.realtime.connect(
            model=plan["model"], websocket_connection_options={"max_size": 16 << 20}) as connection:
        talk = Conversation(connection, report)
        await talk.wait(0, "session.created")
        since = talk.now
        await connection.session.update(session={"type": "realtime", "output_modalities": ["text"]})
        await talk.wait(since, "session.updated")
        since = talk.now
        await connection.conversation.item.create(item={
            "id": "item_picture", "type": "message", "role": "user",
            "content": [{"type": "input_text", "text": "What do you see?"},
                        {"type": "input_image", "image_url": url, "detail": "high"}]})
        await talk.wait(since, "conversation.item.added")
        await talk.wait(since, "conversation.item.done")
        since = talk.now
        await connection.conversation.item.retrieve(item_id="item_picture")
        item = (await talk.wait(since, "conversation.item.retrieved")).item
        require(item.role == "user" and [part.type for part in item.content] == ["input_text", "input_image"],
                "the item came back in another form")
        require(item.content[1].image_url == url, "the picture is not the one that was sent")
        require(base64.b64decode(item.content[1].image_url.split(",", 1)[1]) == file, "the bytes are not those sent")
        report.facts["bytes"] = len(file)
        since = talk.now
        await connection.response.create()
        done = (await talk.wait(since, "response.done")).response
        report.facts["answer"] = " ".join(part.text or "" for item in done.output for part in item.content)
        talk.reader.cancel()


run(scenario)
