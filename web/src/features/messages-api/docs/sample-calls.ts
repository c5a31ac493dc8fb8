import type { CodeLanguage, SampleCall } from '../code/code-examples.ts'
import type { DocTopic } from './doc-topics.ts'

/** The input of the trial form, which the example also shows. */
export type SampleDraft = { number: string; body: string; file: string | null }

export const samplePhoneNumber = '5490005550452'

export function sampleCallFor(topic: DocTopic, draft: SampleDraft, hello: string): SampleCall | null {
  const number = draft.number || samplePhoneNumber
  switch (topic) {
    case 'start':
    case 'send': {
      const send = { method: 'POST', path: '/api/messages/send' } as const
      const headers: Record<string, string> = topic === 'send' ? { 'Idempotency-Key': 'reserva-8841' } : {}
      if (draft.file === null) return { ...send, headers, json: { number, body: draft.body || hello } }
      return {
        ...send,
        headers,
        form: { fields: { number, ...(draft.body && { body: draft.body }) }, file: draft.file },
      }
    }
    case 'state':
      return { method: 'GET', path: '/api/messages/4711' }
    case 'list':
      return { method: 'GET', path: '/api/messages', query: { since: '2026-11-01T00:00:00Z', limit: '50' } }
    case 'check':
      return { method: 'POST', path: '/api/contacts/check', json: { numbers: [number, '5490005550999'] } }
    case 'openapi':
      return { method: 'GET', path: '/docs/json' }
    default:
      return null
  }
}

/** An error response and a webhook payload. The user does not make these calls, so they have no language. */
export const sampleJsonByTopic: Partial<Record<DocTopic, string>> = {
  errors: JSON.stringify({ error: 'ERR_VALIDATION', fields: { number: 'Required' } }, null, 2),
}

/** The example with the bundled client library. */
export const clientSampleCode = (base: string, key: string, hello: string): string =>
  `import { connect, RecadoError } from "@recado/client"

const recado = connect({
  url: ${JSON.stringify(base)},
  key: ${JSON.stringify(key)},
})

try {
  const sent = await recado.sending.send(
    { number: ${JSON.stringify(samplePhoneNumber)}, body: ${JSON.stringify(hello)} },
    { idempotencyKey: "reserva-8841" },
  )
  console.log(sent.id, sent.state)
} catch (error) {
  if (!(error instanceof RecadoError)) throw error
  console.log(error.status, error.code, error.fields)
}
`

/** How a receiver verifies a call: the id, time and body are signed with the part of the key after its prefix. */
export const verifySignatureCode: Record<CodeLanguage, string> = {
  curl: `# body.json: the body as it came, byte by byte
key=$(printf '%s' "\${SECRET#whsec_}" | base64 -d | xxd -p -c 256)
printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" | cat - body.json |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary |
  base64
# compare it with what follows "v1," in webhook-signature
`,
  javascript: `import { createHmac, timingSafeEqual } from "node:crypto"

// body: the text as it came, before anybody reads it as JSON
export function isOurs(headers, body, secret) {
  const age = Date.now() / 1000 - Number(headers["webhook-timestamp"])
  if (!(Math.abs(age) < 300)) return false
  const key = Buffer.from(secret.replace("whsec_", ""), "base64")
  const text = [headers["webhook-id"], headers["webhook-timestamp"], body].join(".")
  const expected = createHmac("sha256", key).update(text).digest()
  return headers["webhook-signature"].split(" ").some((one) => {
    const given = Buffer.from(one.replace("v1,", ""), "base64")
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`,
  python: `import base64, hashlib, hmac, time

# body: the bytes as they came
def is_ours(headers, body, secret):
    stamp = headers["webhook-timestamp"]
    if abs(time.time() - int(stamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{headers['webhook-id']}.{stamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    given = headers["webhook-signature"].split(" ")
    return any(hmac.compare_digest(one.removeprefix("v1,"), expected) for one in given)
`,
  php: `<?php
// $body: the text as it came, from php://input
function is_ours(array $headers, string $body, string $secret): bool {
    $stamp = $headers['webhook-timestamp'];
    if (abs(time() - (int) $stamp) > 300) return false;
    $key = base64_decode(substr($secret, strlen('whsec_')));
    $text = $headers['webhook-id'] . '.' . $stamp . '.' . $body;
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $text, $key, true));
    foreach (explode(' ', $headers['webhook-signature']) as $one) {
        if (hash_equals($expected, $one)) return true;
    }
    return false;
}
`,
}
