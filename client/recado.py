"""Recado from Python: reads the house's own OpenAPI document and makes its calls. The standard library alone."""
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class RecadoError(Exception):
    def __init__(self, status, body):
        super().__init__(f"{status} {body.get('error', '')}")
        self.status, self.code, self.fields = status, body.get("error", ""), body.get("fields", {})


class Recado:
    def __init__(self, url, key):
        self.url, self.key = url.rstrip("/"), key
        with urllib.request.urlopen(self.url + "/docs/json") as answer:
            document = json.load(answer)
        self.operations = {
            operation["operationId"]: (method.upper(), path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }

    def call(self, name, idempotency_key=None, **fields):
        """Fields go where the document says: into the path, the query or the body."""
        method, path, operation = self.operations[name]
        query = {}
        for parameter in operation["parameters"]:
            if parameter["name"] not in fields:
                continue
            value = fields.pop(parameter["name"])
            if parameter["in"] == "path":
                path = path.replace("{" + parameter["name"] + "}", urllib.parse.quote(str(value), safe=""))
            else:
                query[parameter["name"]] = value
        address = self.url + path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Authorization": f"Bearer {self.key}", "Accept": "application/json"}
        body = None
        if "requestBody" in operation:
            headers["Content-Type"] = "application/json"
            body = json.dumps(fields).encode()
        if path == "/api/messages/send":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        return self._ask(urllib.request.Request(address, data=body, headers=headers, method=method))

    def _ask(self, request, tries=4):
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            if refusal.code in (429, 503) and tries > 1:
                time.sleep(float(refusal.headers.get("Retry-After") or 1))
                return self._ask(request, tries - 1)
            raise RecadoError(refusal.code, json.load(refusal)) from None


if __name__ == "__main__":
    recado = Recado(os.environ["RECADO_URL"], os.environ["RECADO_KEY"])
    given = dict(argument.split("=", 1) for argument in sys.argv[2:])
    print(json.dumps(recado.call(sys.argv[1], **given)))
