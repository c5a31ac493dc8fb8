import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fakeDialogflow } from '../../../test/fake-dialogflow.ts'
import { fakeTypebot } from '../../../test/fake-typebot.ts'
import { fakeWebhook } from '../../../test/fake-webhook.ts'
import { systemClock } from '../../kernel/clock.ts'
import { makeOutgoingClient } from '../../kernel/outgoing/outgoing-client.ts'
import { newWebhookSecret, postWebhook, retryDelayMs } from './bot-webhook.ts'
import { detectIntent } from './dialogflow.ts'
import { BadAnswerError, type CallExternal, SessionGoneError } from './external-call.ts'
import { continueTypebotChat, startTypebotChat } from './typebot.ts'

let typebot: Awaited<ReturnType<typeof fakeTypebot>>
let google: Awaited<ReturnType<typeof fakeDialogflow>>
let webhook: Awaited<ReturnType<typeof fakeWebhook>>
let call: CallExternal
/** The timeout of a call, if a test needs a short one. */
let callLimits: { timeoutMs?: number }
beforeAll(async () => {
  ;[typebot, google, webhook] = [await fakeTypebot(), await fakeDialogflow(), await fakeWebhook()]
})
beforeEach(() => {
  for (const machine of [typebot, google, webhook]) machine.reset()
  // Each test has a new client, so that failures of earlier tests do not count.
  const outgoing = makeOutgoingClient({ privateTargets: true, callTimeoutMs: 10_000 })
  call = (address, given) => outgoing.call(address, { companyId: 1, ...given, ...callLimits })
  callLimits = {}
})
afterAll(() => {
  for (const machine of [typebot, google, webhook]) machine.close()
})

const textMessage = { text: 'hola', files: [] }
describe('Typebot', () => {
  const flow = () => ({ url: `${typebot.url}/`, slug: 'mi flujo' })
  it('starts with the known customer data, and continues', async () => {
    const { sessionId } = await startTypebotChat(call, flow(), textMessage, { number: '5511', pushName: 'Sol' })
    const [first] = typebot.requests
    expect(first?.path).toBe('/api/v1/typebots/mi%20flujo/startChat')
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      message: { type: 'text', text: 'hola' },
      prefilledVariables: { number: '5511', pushName: 'Sol' },
    })
    const answer = await continueTypebotChat(call, flow(), sessionId, { text: '', files: ['https://a.example/f'] })
    expect(answer.input).toMatchObject({ type: 'text input' })
    expect(JSON.parse(typebot.requests[1]?.body ?? '')).toEqual({
      message: { type: 'text', text: 'https://a.example/f', attachedFileUrls: ['https://a.example/f'] },
    })
  })
  it('reports a session that no longer exists', async () => {
    await expect(continueTypebotChat(call, flow(), 'nobody', textMessage)).rejects.toBeInstanceOf(SessionGoneError)
  })
  it.each([
    [{ kind: 'fail', status: 500, body: 'broken' } as const, true, '500 broken'],
    [{ kind: 'fail', status: 404, body: '{"message":"Typebot not found"}' } as const, false, 'Typebot not found'],
    [{ kind: 'nonsense' } as const, false, 'no JSON'],
  ])('gives a readable reason for a failure: %o', async (mishap, passing, reason) => {
    typebot.failures.push(mishap)
    const error = await startTypebotChat(call, flow(), textMessage, {}).catch((e) => e)
    expect(error).toBeInstanceOf(BadAnswerError)
    expect(error.isTransient).toBe(passing)
    expect(error.message).toContain(reason)
  })
  it.each(['hang', 'cut'] as const)('does not wait endlessly for a server that fails to answer: %s', async (kind) => {
    typebot.failures.push({ kind })
    if (kind === 'hang') callLimits = { timeoutMs: 100 }
    await expect(startTypebotChat(call, flow(), textMessage, {})).rejects.toThrow()
  })
})

describe('DialogFlow', () => {
  const agent = () => ({ projectName: 'agente', jsonContent: google.json, language: 'es' })
  const ask = (heard: Parameters<typeof detectIntent>[4], given = agent()) =>
    detectIntent(call, google.base, given, 'uuid', heard, systemClock)
  it('is called with a token that is obtained with a signed assertion, and cached', async () => {
    const { queryResult } = await ask({ text: 'hola' })
    expect(queryResult.fulfillmentMessages?.[0]?.text?.text).toEqual(['Entendí hola'])
    await ask({ text: 'otra' })
    expect(google.requests.filter(({ path }) => path === '/token')).toHaveLength(1)
    const asked = google.requests.at(-1)
    expect(asked?.path).toBe('/v2/projects/agente/agent/sessions/uuid:detectIntent')
    expect(JSON.parse(asked?.body ?? '')).toEqual({ queryInput: { text: { text: 'otra', languageCode: 'es' } } })
    // The token was revoked: a new one is requested for the next call.
    google.tokens.clear()
    await expect(ask({ text: 'x' })).rejects.toMatchObject({ isTransient: true })
    await ask({ text: 'x' })
  })
  it('accepts voice notes', async () => {
    await ask({ audio: Buffer.from('OggS…') })
    const { queryInput, inputAudio } = JSON.parse(google.requests.at(-1)?.body ?? '')
    expect(queryInput.audioConfig).toEqual({
      audioEncoding: 'AUDIO_ENCODING_OGG_OPUS',
      sampleRateHertz: 16_000,
      languageCode: 'es',
    })
    expect(Buffer.from(inputAudio, 'base64').toString()).toBe('OggS…')
  })
  it('gives a readable error, and never a part of the key', async () => {
    const wrong = async (more: Partial<ReturnType<typeof agent>>) => {
      const error = await ask({ text: 'x' }, { ...agent(), ...more }).catch((e) => e)
      expect(error).toBeInstanceOf(BadAnswerError)
      expect(error.message).not.toContain('PRIVATE KEY')
      return error.message
    }
    const changed = (more: object) => JSON.stringify({ ...google.account, ...more })
    expect(await wrong({ jsonContent: 'hola' })).toContain('not valid JSON')
    expect(await wrong({ jsonContent: '{}' })).toContain('service account')
    expect(
      await wrong({ jsonContent: changed({ private_key: `-----BEGIN PRIVATE KEY-----${'x'.repeat(100)}` }) }),
    ).toContain('cannot be read')
    expect(await wrong({ jsonContent: changed({ client_email: 'other@x.example' }) })).toContain(
      'Invalid JWT Signature',
    )
    expect(await wrong({ projectName: 'otro' })).toContain('no agent in project otro')
  })
  it.each([{ kind: 'fail', status: 503 }, { kind: 'nonsense' }, { kind: 'hang' }, { kind: 'cut' }] as const)(
    'rejects without hanging when the service fails: %o',
    async (mishap) => {
      await ask({ text: 'warm' })
      google.failures.push(mishap)
      if (mishap.kind === 'hang') callLimits = { timeoutMs: 100 }
      await expect(ask({ text: 'x' })).rejects.toThrow()
    },
  )
})

describe('a webhook', () => {
  it('can verify the sender, and recognize duplicate deliveries', async () => {
    webhook.hook.secret = newWebhookSecret()
    const hook = { url: `${webhook.url}/hook`, secret: webhook.hook.secret }
    expect(await postWebhook(call, hook, 'msg_1', '{"version":1}', new Date())).toBe('ok')
    expect(webhook.received).toMatchObject([{ id: 'msg_1', isSigned: true }])
    await expect(postWebhook(call, { ...hook, secret: newWebhookSecret() }, 'msg_2', '{}', new Date())).rejects.toThrow(
      '401',
    )
  })
  it('is retried for a day', () => {
    let [attempts, ms] = [1, 0]
    for (let next = retryDelayMs(attempts); next !== null; next = retryDelayMs(++attempts)) ms += next
    expect(ms / 3_600_000).toBeGreaterThan(23)
    expect(ms / 3_600_000).toBeLessThanOrEqual(24)
    expect(attempts).toBe(9)
  })
})
