"""Reads messages of a client of Gemini Live with the typed models of the google-genai package, which take no unknown field."""

import json

from common import require, run
from google.genai import types


async def scenario(plan, report):
    kinds, inputs = set(), set()
    for text in plan["messages"]:
        fields = json.loads(text)
        # The package's model of a setup lacks this field, which the package itself sends; it has a model of its own.
        if detection := fields.get("setup", {}).pop("realtimeInputConfig", None):
            types.RealtimeInputConfig.model_validate(detection)
            report.count("realtime_input_config")
        message = types.LiveClientMessage.model_validate(fields)
        named = message.model_dump(exclude_none=True)
        require(len(named) == 1, f"a message holds {sorted(named)} instead of one kind")
        kinds.update(named)
        inputs.update(named.get("realtime_input", {}))
        if message.setup:
            require(message.setup.model.startswith("models/"), "the model is named without its collection")
        report.count(next(iter(named)))
    report.facts.update(messages=len(plan["messages"]), kinds=sorted(kinds), inputs=sorted(inputs))


run(scenario)
