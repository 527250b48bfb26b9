"""Model files that nobody should have written."""

import json
import zipfile


def forged(path, schema=None, metadata=None, members=None):
    """Rewrite a model file: its schema, its metadata and some of its members."""
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    for name, change in (("model.json", schema), ("maxmargin.json", metadata)):
        if change is not None:
            found[name] = json.dumps(change(json.loads(found[name]))).encode()
    found.update(members or {})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in found.items():
            archive.writestr(name, content)


def text(value):
    return {
        "__class__": "str",
        "__module__": "builtins",
        "__loader__": "JsonNode",
        "content": f'"{value}"',
        "is_json": True,
    }


def sequence(items, kind="list"):
    loader = {"list": "ListNode", "tuple": "TupleNode"}[kind]
    return {
        "__class__": kind,
        "__module__": "builtins",
        "__loader__": loader,
        "content": list(items),
    }


def named(module, name, loader="FunctionNode", **more):
    return {"__class__": name, "__module__": module, "__loader__": loader, **more}


def mapping(content, key_types):
    return {
        "__class__": "dict",
        "__module__": "builtins",
        "__loader__": "DictNode",
        "content": content,
        "key_types": sequence(key_types),
    }


def smuggled(node, protocol=2):
    """A change that puts a node where the model keeps its parameter alpha."""

    def change(schema):
        schema["content"]["content"]["alpha"] = node
        return {**schema, "protocol": protocol}

    return change
