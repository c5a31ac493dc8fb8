import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { apiKeysApi } from '@recado/contract/api-access/api-keys'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { client } from '../../client/make.ts'
import { connect, RecadoError, verifyWebhook } from '../../client/recado.js'
import { newWebhookSecret, signWebhookHeaders } from '../src/directory/integrations/bot-webhook.ts'
import type { SandboxPhone } from './sandbox-phone.ts'
import { closeTestServers, type TestServer, testServer } from './test-server.ts'

const run = promisify(execFile)
const folder = new URL('../../client/', import.meta.url)
const fileOf = (name: string) => readFileSync(new URL(name, folder), 'utf8')

let harness: TestServer
let line: SandboxPhone
let key: string
beforeAll(async () => {
  harness = await testServer()
  const company = await harness.createCompany()
  line = await harness.openLine(company, { isDefault: true })
  const body = { name: 'Client', scopes: ['send', 'messages', 'contacts'] as never, whatsappIds: [], expiresAt: null }
  key = (await company.admin.call(apiKeysApi.create, { body })).key
})
afterAll(closeTestServers)
const environment = (more = {}) => ({ ...process.env, RECADO_URL: harness.address, RECADO_KEY: key, ...more })
const waitForReceived = async (number: string) =>
  vi.waitFor(
    async () => {
      const ours = (await line.customer(number).listMessages()).filter((m) => !m.fromCustomer).map((m) => m.body)
      expect(ours).not.toEqual([])
      return ours
    },
    { interval: 20, timeout: 20_000 },
  )

it('equals the output of `npm run client` for the current contract', () => {
  // Differences in Biome's line breaks are ignored.
  const said = (text: string) => text.replace(/[\s'",;()|]/g, '')
  for (const [name, text] of Object.entries(client())) expect(said(fileOf(name)) === said(text), name).toBe(true)
})

it('runs the examples of its README', async () => {
  const number = '5491155580001'
  const example = /```js\n([\s\S]*?)```/.exec(fileOf('README.md'))?.[1] as string
  const code = example.replace("'@recado/client'", JSON.stringify(new URL('recado.js', folder).href))
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: environment({ NUMBER: number }),
  })
  expect(stdout).toMatch(/^\d+ (queued|sent|delivered)\n400 ERR_VALIDATION \{ number: 'Invalid' \}\n$/)
  expect(await waitForReceived(number)).toEqual([`Hola ${number}, tu reserva está lista`])
})

describe('the generated API client', () => {
  it('sends files, reads pages and returns error codes', async () => {
    const recado = connect({ url: `${harness.address}/`, key })
    const number = '5491155580002'
    const sent = await recado.sending.send({ number, body: 'La nota' }, { files: [{ name: 'a.txt', content: 'hola' }] })
    expect((await recado.sending.show({ id: sent.id })).mediaName).toBe('a.txt')
    harness.clock.advance(5000)
    const page = await recado.sending.list({ number, limit: 1 })
    expect(page.messages[0]?.id).toBe(sent.id)
    const { contacts } = await recado.contacts.list({ searchParam: number })
    expect(contacts).toHaveLength(1)
    await recado.contacts.update({ id: contacts[0]?.id as number, name: 'Sol', number: '', email: '', extraInfo: [] })
    expect((await recado.contacts.show({ id: contacts[0]?.id as number })).name).toBe('Sol')
    await expect(recado.tickets.list()).rejects.toMatchObject({ status: 403, code: 'ERR_API_KEY_SCOPE' })
    await expect(recado.tickets.list()).rejects.toBeInstanceOf(RecadoError)
  })

  it('retries lost requests without creating a duplicate message', async () => {
    let calls = 0
    const flaky: typeof fetch = async (...asked) => {
      const answer = await fetch(...asked)
      if (++calls < 3) throw new TypeError('the answer got lost')
      return answer
    }
    const number = '5491155580003'
    await connect({ url: harness.address, key, fetch: flaky }).sending.send({ number, body: 'Una' })
    expect(calls).toBe(3)
    expect(await waitForReceived(number)).toEqual(['Una'])
  })

  it('accepts a webhook only if it is signed, recent and unchanged', async () => {
    const secret = newWebhookSecret()
    const now = new Date()
    const body = JSON.stringify({ type: 'message.created', data: { text: 'ñandú' } })
    const headers = signWebhookHeaders(secret, 'msg_1', now, body)
    expect(await verifyWebhook(secret, headers, body)).toEqual(JSON.parse(body))
    const two = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
    expect(await verifyWebhook(secret, new Headers(two), body)).toEqual(JSON.parse(body))
    const old = { now: new Date(now.getTime() + 400_000) }
    await expect(verifyWebhook(newWebhookSecret(), headers, body)).rejects.toThrow('signed')
    await expect(verifyWebhook(secret, headers, `${body} `)).rejects.toThrow('signed')
    await expect(verifyWebhook(secret, {}, body)).rejects.toThrow('signed')
    await expect(verifyWebhook(secret, headers, body, old)).rejects.toThrow('old')
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0
it.runIf(hasPython)('lets a Python program send messages with the OpenAPI document', async () => {
  const number = '5491155580004'
  const script = new URL('recado.py', folder).pathname
  const { stdout } = await run('python3', [script, 'sending.send', `number=${number}`, 'body=Desde Python'], {
    env: environment(),
  })
  const { id } = JSON.parse(stdout)
  expect(await waitForReceived(number)).toEqual(['Desde Python'])
  const state = await run('python3', [script, 'sending.show', `id=${id}`], { env: environment() })
  expect(JSON.parse(state.stdout)).toMatchObject({ id, number, fromMe: true })
})
