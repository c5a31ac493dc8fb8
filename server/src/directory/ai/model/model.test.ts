import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type FakeModel,
  fakeModel,
  type ModelReply,
  modelCallsTool,
  modelFails,
  modelSays,
} from '../../../../test/fake-model.ts'
import { waitTimeoutMs } from '../../../../test/wait-timeout.ts'
import { makeOutgoingClient } from '../../../kernel/outgoing/outgoing-client.ts'
import { type ChatRequest, completeChat } from './chat.ts'
import { embedTexts } from './embed-texts.ts'
import { type ModelEndpoint, modelUrl } from './model-endpoint.ts'
import { ModelFailure } from './model-failure.ts'
import { makeSseReader } from './sse-reader.ts'
import { transcribeVoice } from './transcribe.ts'

let fake: FakeModel
let endpoint: ModelEndpoint
beforeAll(async () => {
  fake = await fakeModel()
})
afterAll(() => fake.close())
beforeEach(() => {
  fake.reset()
  // A new client for each test, so that no failure count carries over.
  const outgoing = makeOutgoingClient({ privateTargets: true, callTimeoutMs: waitTimeoutMs })
  endpoint = { outgoing, companyId: 1, address: fake.address, key: 'sk-very-secret' }
})

const callLimits = { timeoutMs: waitTimeoutMs }
const question: ChatRequest = {
  model: 'gpt-4o-mini',
  messages: [{ role: 'user', content: '¿A qué hora abren?' }],
  maxTokens: 100,
  temperature: 0.5,
}
const failure = async (reply: ModelReply, wait = callLimits): Promise<ModelFailure> => {
  fake.next(reply)
  const error = await completeChat(endpoint, question, wait).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ModelFailure)
  return error as ModelFailure
}

describe('a chat completion request to a model', () => {
  it.each([true, false])('reads the answer whether it is streamed or whole (streamed: %s)', async (streams) => {
    fake.model.streams = streams
    fake.next(modelSays('Abrimos a las nueve. Ñandú', { tokens: [40, 7] }))
    const heard: string[] = []
    const answer = await completeChat(endpoint, { ...question, onText: (piece) => heard.push(piece) }, callLimits)
    expect(answer).toEqual({
      text: 'Abrimos a las nueve. Ñandú',
      calls: [],
      finish: 'stop',
      usage: { inputTokens: 40, outputTokens: 7 },
    })
    expect(heard.join('')).toBe(answer.text)
    expect(heard.length).toBe(streams ? 5 : 1)
    expect(fake.requests[0]).toMatchObject({
      key: 'sk-very-secret',
      body: { model: 'gpt-4o-mini', max_tokens: 100, temperature: 0.5, messages: question.messages },
    })
  })

  it.each([true, false])('returns tool calls (streamed: %s)', async (streams) => {
    fake.model.streams = streams
    fake.next(modelCallsTool('set_tag', { name: 'Urgente' }, 'Un momento'))
    const tools = [{ name: 'set_tag', description: 'tags', parameters: { type: 'object' } }]
    const answer = await completeChat(endpoint, { ...question, tools }, callLimits)
    expect(answer).toMatchObject({ text: 'Un momento', finish: 'tool_calls' })
    expect(answer.calls).toEqual([{ id: 'call_0', name: 'set_tag', arguments: '{"name":"Urgente"}' }])
    const said = [
      ...question.messages,
      { role: 'assistant', content: answer.text, calls: answer.calls },
      { role: 'tool', callId: 'call_0', content: 'done' },
    ] satisfies ChatRequest['messages']
    await completeChat(endpoint, { ...question, messages: said }, callLimits)
    expect(fake.requests[1]?.body.messages?.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'Un momento',
        tool_calls: [
          { id: 'call_0', type: 'function', function: { name: 'set_tag', arguments: '{"name":"Urgente"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'done' },
    ])
  })

  it.each<[string, ModelReply, Partial<ModelFailure>]>([
    [
      'a wrong key',
      modelFails(401, 'invalid_api_key', 'Incorrect: sk-very-secret'),
      { code: 'key-refused', isRetryable: false },
    ],
    ['no credit', modelFails(429, 'insufficient_quota'), { code: 'no-credit', isRetryable: false }],
    ['no money at all', modelFails(402), { code: 'no-credit', isRetryable: false }],
    ['a model nobody has', modelFails(404, 'model_not_found'), { code: 'no-such-model', isRetryable: false }],
    ['too much to read', modelFails(400, 'context_length_exceeded'), { code: 'too-long', isRetryable: false }],
    ['a question it refuses', modelFails(400, 'invalid'), { code: 'refused', isRetryable: false }],
    [
      'too many at once',
      modelFails(429, 'rate_limit_exceeded', 'slowly', '3'),
      { code: 'too-many', isRetryable: true, retryAfterMs: 3000 },
    ],
    ['a fault of theirs', modelFails(503), { code: 'model-down', isRetryable: true }],
    ['nonsense', { kind: 'babbles' }, { code: 'nonsense', isRetryable: true }],
    ['nothing', { kind: 'empty' }, { code: 'nonsense', isRetryable: true }],
    ['half an answer', { kind: 'breaks' }, { code: 'no-answer', isRetryable: true }],
  ])('gives a readable reason for a failure: %s', async (_, reply, wanted) => {
    const error = await failure(reply)
    expect(error).toMatchObject(wanted)
    expect(error.message).not.toContain('secret')
    expect(error.message.length).toBeGreaterThan(10)
  })

  it.each(['hangs', 'stalls'] as const)('waits a limited time for a server that %s', async (kind) => {
    expect(await failure({ kind }, { timeoutMs: 300 })).toMatchObject({ code: 'no-answer', isRetryable: true })
  })

  it('is paused after repeated failures, and calls no forbidden address', async () => {
    for (let n = 0; n < 5; n++) await failure(modelFails(500))
    expect(await failure(modelSays('ya'))).toMatchObject({ code: 'resting', isRetryable: false })
    endpoint.outgoing = makeOutgoingClient({ privateTargets: false, callTimeoutMs: waitTimeoutMs })
    expect(await failure(modelSays('ya'))).toMatchObject({ code: 'address-refused', isRetryable: false })
  })

  it('ends when the caller aborts, with the caller’s reason', async () => {
    const over = new AbortController()
    fake.next(() => {
      over.abort(new Error('the house closes'))
      return { kind: 'hangs' }
    })
    await expect(completeChat(endpoint, question, { ...callLimits, signal: over.signal })).rejects.toThrow(
      'the house closes',
    )
  })

  it('omits unsupported parameters after the first error', async () => {
    const picky = { ...question, model: 'o-thinks' }
    fake.next(modelFails(400, 'unsupported_parameter', "Use 'max_completion_tokens' instead of 'max_tokens'"))
    fake.next(
      modelFails(400, 'unsupported_value', "'temperature' does not support 0.5"),
      modelSays('Sí'),
      modelSays('No'),
    )
    expect(await completeChat(endpoint, picky, callLimits)).toMatchObject({ text: 'Sí' })
    expect(await completeChat(endpoint, picky, callLimits)).toMatchObject({ text: 'No' })
    expect(fake.requests).toHaveLength(4)
    expect(fake.requests[3]?.body).toMatchObject({ max_completion_tokens: 100 })
    expect(fake.requests[3]?.body).not.toHaveProperty('temperature')
    expect(fake.requests[3]?.body).not.toHaveProperty('max_tokens')
  })
})

it('accepts URLs as people paste them', () => {
  for (const given of ['https://a.example/v1', 'https://a.example/v1/ ', 'https://a.example/v1/chat/completions'])
    expect(modelUrl(given, '/embeddings')).toBe('https://a.example/v1/embeddings')
})

it('parses events in chunks of any size', () => {
  const stream = ': hello\r\n\r\ndata: {"a":"ñ"}\r\n\r\nevent: x\ndata:one\ndata: two\n\ndata: [DONE]'
  const bytes = Buffer.from(stream)
  for (let size = 1; size < bytes.length; size++) {
    const events: string[] = []
    const reader = makeSseReader((data) => events.push(data))
    for (let at = 0; at < bytes.length; at += size) reader.add(bytes.subarray(at, at + size))
    reader.end()
    expect(events).toEqual(['{"a":"ñ"}', 'one\ntwo', '[DONE]'])
  }
})

it('transcribes a recording', async () => {
  fake.model.hears = ' quiero un turno '
  const voice = { bytes: Buffer.from('OggS…'), name: 'voz.ogg', type: 'audio/ogg', model: 'whisper-1' }
  expect(await transcribeVoice(endpoint, voice, callLimits)).toBe('quiero un turno')
  expect(fake.requests[0]).toMatchObject({
    path: '/audio/transcriptions',
    body: { model: 'whisper-1' },
    file: { name: 'voz.ogg', type: 'audio/ogg', size: 7 },
  })
  fake.next({ kind: 'babbles' })
  await expect(transcribeVoice(endpoint, voice, callLimits)).rejects.toMatchObject({ code: 'nonsense' })
})

it('returns embeddings of texts', async () => {
  const { vectors } = await embedTexts(
    endpoint,
    { model: 'text-embedding-3-small', texts: ['uno', 'dos', 'uno'] },
    callLimits,
  )
  expect(vectors).toHaveLength(3)
  expect(vectors[0]).toEqual(vectors[2])
  expect(vectors[0]).not.toEqual(vectors[1])
  fake.next({ kind: 'babbles' })
  await expect(embedTexts(endpoint, { model: 'm', texts: ['a'] }, callLimits)).rejects.toMatchObject({
    code: 'nonsense',
  })
})
