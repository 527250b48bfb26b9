"""Model files that nobody should have written."""

import json
import zipfile


def forged(path, schema=None, metadata=None, members=None):
    """Rewrite a model file: its schema, its metadata and some of its members."""
    with zipfile.ZipFile(path) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    for name, change in (("schema.json", schema), ("maxmargin.json", metadata)):
        if change is not None:
            found[name] = json.dumps(change(json.loads(found[name]))).encode()
    found.update(members or {})
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in found.items():
            archive.writestr(name, content)
