"""Chats and memory by the unmodified openai package."""

import asyncio
import json

from common import require, run
from openai import AsyncOpenAI, BadRequestError, NotFoundError


async def whole(client, plan, report):
    message = {"role": "user", "content": plan["say"]}
    answer = await client.chat.completions.create(model=plan["model"], messages=[message], tools=plan["tools"])
    choice = answer.choices[0]
    require(choice.finish_reason == "tool_calls", f"the first answer ends with {choice.finish_reason}")
    messages = [message, choice.message]
    for call in choice.message.tool_calls:
        report.call("whole", call.function.name, json.loads(call.function.arguments))
        messages.append({"role": "tool", "tool_call_id": call.id, "content": plan["result"]})
    told = await client.chat.completions.create(model=plan["model"], messages=messages, tools=plan["tools"])
    report.answers["whole"] = told.choices[0].message.content


async def streamed(client, plan, report):
    names, arguments, reasons, usage = {}, {}, [], None
    stream = await client.chat.completions.create(
        model=plan["model"], messages=[{"role": "user", "content": plan["say"]}], tools=plan["tools"], stream=True,
        stream_options={"include_usage": True})
    async for piece in stream:
        usage = piece.usage or usage
        for choice in piece.choices:
            reasons.append(choice.finish_reason)
            for call in choice.delta.tool_calls or []:
                names[call.index] = call.function.name or names.get(call.index)
                arguments[call.index] = arguments.get(call.index, "") + (call.function.arguments or "")
    for index, name in names.items():
        report.call("streamed", name, json.loads(arguments[index]))
    require(reasons[-1] == "tool_calls", f"the stream ends with {reasons}")
    require(usage is not None, "the stream tells no usage")


async def refused(client, plan, report):
    try:
        await client.chat.completions.create(
            model=plan["model"], messages=[{"role": "user", "content": "hello"}], n=2)
        require(False, "two answers were promised")
    except BadRequestError as error:
        report.facts["refusal"] = error.body["param"]


async def memory(client, plan, report):
    user = {"headers": {"x-extentos-end-user-id": plan["user"]}}
    saved = await client.put("/memory", cast_to=object, body={"profile": {"facts": [plan["fact"]]}}, options=user)
    require(saved == {"profile": {"facts": [plan["fact"]]}}, f"saved {saved}")
    read = await client.get("/memory", cast_to=object, options=user)
    report.facts["memory"] = read["profile"]["facts"][0]
    other = await client.get("/memory", cast_to=object)
    require(other == {"profile": {}}, f"another user has {other}")


async def scenario(plan, report):
    client = AsyncOpenAI(api_key=plan["key"], base_url=plan["base"], max_retries=0)
    await whole(client, plan, report)
    await streamed(client, plan, report)
    await refused(client, plan, report)
    await memory(client, plan, report)
    if plan["unknown"]:
        try:
            await client.chat.completions.create(
                model="nobody", messages=[{"role": "user", "content": "hello"}])
            require(False, "an unknown model answered")
        except NotFoundError as error:
            report.facts["unknown"] = error.code


run(scenario)
