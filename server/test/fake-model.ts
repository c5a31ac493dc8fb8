import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type ModelMessage = { role: string; content: unknown; tool_call_id?: string; tool_calls?: unknown[] }
/** A request. `file` and `fields`: the parts of a form. */
export type ModelRequest = {
  path: string
  key: string
  body: { model?: string; messages?: ModelMessage[]; tools?: { function: { name: string } }[] } & Record<
    string,
    unknown
  >
  file?: { name: string; type: string; size: number }
}

export type ModelReply =
  | {
      kind: 'says'
      text?: string
      calls?: { name: string; args: unknown }[]
      finish?: string
      tokens?: [number, number]
    }
  | { kind: 'fails'; status: number; code?: string; message?: string; retryAfter?: string }
  /** `hangs`: no answer. `stalls`: the answer starts and does not continue. `breaks`: it starts and is disconnected. */
  | { kind: 'hangs' | 'stalls' | 'breaks' | 'babbles' | 'empty' }
  /** Answers when the promise resolves. */
  | { kind: 'waits'; for: Promise<unknown>; reply: ModelReply }

export const modelSays = (text: string, more: { finish?: string; tokens?: [number, number] } = {}): ModelReply => ({
  ...{ kind: 'says', text },
  ...more,
})
export const modelCallsTool = (name: string, args: unknown = {}, text = ''): ModelReply => ({
  ...{ kind: 'says', text },
  calls: [{ name, args: args }],
})
export const modelFails = (status: number, code = '', message = 'refused', retryAfter?: string): ModelReply => ({
  ...{ kind: 'fails', status, code, message },
  ...(retryAfter && { retryAfter }),
})

/** A fake model on loopback with OpenAI's API and its failures; the test defines the answers. */
export async function fakeModel() {
  const requests: ModelRequest[] = []
  const script: (ModelReply | ((request: ModelRequest) => ModelReply))[] = []
  /**
   * What the model hears in any recording, whether its answers are streamed, and the keys it accepts (all, if empty).
   */
  const model = { hears: 'hola', streams: true, keys: new Set<string>() }
  const open = new Set<ServerResponse>()

  const server = createServer((request, response) => {
    open.add(response.on('close', () => open.delete(response)))
    void answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await readModelRequest(request)
    requests.push(asked)
    if (model.keys.size && !model.keys.has(asked.key))
      return sendRefusal(response, { status: 401, code: 'invalid_api_key', message: `Incorrect API key: ${asked.key}` })
    const planned = script.shift()
    const reply = typeof planned === 'function' ? planned(asked) : planned
    await sendReply(response, asked, reply)
  }

  async function sendReply(
    response: ServerResponse,
    request: ModelRequest,
    reply: ModelReply | undefined,
  ): Promise<void> {
    if (reply?.kind === 'waits') {
      await reply.for
      return sendReply(response, request, reply.reply)
    }
    if (reply?.kind === 'fails') return sendRefusal(response, reply)
    if (reply?.kind === 'hangs') return
    if (reply?.kind === 'babbles') return void response.writeHead(200).end('<html>Welcome to nginx</html>')
    if (request.path === '/audio/transcriptions') return sendJson(response, { text: model.hears })
    if (request.path === '/embeddings') return sendJson(response, makeEmbeddings(request))
    if (request.path !== '/chat/completions')
      return sendRefusal(response, { status: 404, code: '', message: 'no such path' })
    sendChatAnswer(response, request, reply ?? modelSays('ok'))
  }

  function sendChatAnswer(response: ServerResponse, request: ModelRequest, reply: ModelReply): void {
    const { text = '', calls: wanted = [], finish, tokens = [100, 10] } = reply.kind === 'says' ? reply : {}
    const tool_calls = wanted.map((call, index) => ({
      ...{ index, id: `call_${index}`, type: 'function' },
      function: { name: call.name, arguments: typeof call.args === 'string' ? call.args : JSON.stringify(call.args) },
    }))
    const usage = { prompt_tokens: tokens[0], completion_tokens: tokens[1] }
    const finish_reason = finish ?? (wanted.length ? 'tool_calls' : 'stop')
    if (!request.body.stream || !model.streams) {
      const message = { role: 'assistant', content: text || null, ...(wanted.length && { tool_calls }) }
      sendJson(response, { choices: [{ index: 0, message, finish_reason }], usage })
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    const event = (data: unknown) => void response.write(`data: ${JSON.stringify(data)}\n\n`)
    const delta = (one: unknown, end: string | null = null) =>
      event({ choices: [{ index: 0, delta: one, finish_reason: end }] })
    delta({ role: 'assistant', content: '' })
    if (reply.kind === 'stalls' || reply.kind === 'breaks') {
      delta({ content: 'Le cuen' })
      return void (reply.kind === 'breaks' && setImmediate(() => response.destroy()))
    }
    // Streamed in tokens: each is a word with the space before it.
    for (const piece of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) delta({ content: piece })
    for (const call of tool_calls) {
      const { name, arguments: given } = call.function
      delta({ tool_calls: [{ ...call, function: { name, arguments: '' } }] })
      for (const piece of [given.slice(0, 3), given.slice(3)])
        delta({ tool_calls: [{ index: call.index, function: { arguments: piece } }] })
    }
    delta({}, finish_reason)
    event({ choices: [], usage })
    response.end('data: [DONE]\n\n')
  }

  return {
    address,
    model,
    requests,
    /** The chat requests. */
    chatRequests: () => requests.filter((one) => one.path === '/chat/completions'),
    /** Sets the next answers, in order; after them the model answers `ok`. */
    next: (...replies: typeof script) => void script.push(...replies),
    reset(): void {
      requests.splice(0)
      script.splice(0)
      Object.assign(model, { hears: 'hola', streams: true, keys: new Set<string>() })
      for (const response of open) response.destroy()
    },
    close(): void {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type FakeModel = Awaited<ReturnType<typeof fakeModel>>

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

type ModelRefusal = { status: number; code?: string; message?: string; retryAfter?: string }
function sendRefusal(response: ServerResponse, { status, code, message, retryAfter }: ModelRefusal): void {
  const headers = { 'content-type': 'application/json', ...(retryAfter && { 'retry-after': retryAfter }) }
  response.writeHead(status, headers).end(JSON.stringify({ error: { message, code, type: 'error', param: null } }))
}

async function readModelRequest(request: IncomingMessage): Promise<ModelRequest> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const type = request.headers['content-type'] ?? ''
  const path = (request.url ?? '').replace(/^\/v1/, '')
  const key = (request.headers.authorization ?? '').replace('Bearer ', '')
  if (!type.startsWith('multipart/')) return { path, key, body: bytes.length ? JSON.parse(String(bytes)) : {} }
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
  const file = form.get('file') as File
  const { file: _, ...body } = Object.fromEntries(form)
  return { path, key, body, file: { name: file.name, type: file.type, size: file.size } }
}

/** Texts that share words get similar vectors, which is enough for tests. */
function makeEmbeddings({ body }: ModelRequest) {
  const data = [body.input].flat().map((text, index) => {
    const embedding = new Array<number>(16).fill(0.01)
    for (const word of String(text)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []) {
      let at = 7
      for (const letter of word) at = (at * 31 + (letter.codePointAt(0) ?? 0)) % 16
      embedding[at] = (embedding[at] ?? 0) + 1
    }
    return { index, embedding }
  })
  return { data, usage: { prompt_tokens: 5 } }
}
