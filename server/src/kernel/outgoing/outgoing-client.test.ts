import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { CircuitOpenError } from './circuit-breaker.ts'
import { ForbiddenAddressError, isPublicAddress, makeOutgoingClient } from './outgoing-client.ts'

const requestedPaths: string[] = []
/** Functions that send the rest of a partial response. */
const pieces: (() => void)[] = []
const server = createServer((request, response) => {
  requestedPaths.push(`${request.method} ${request.url} ${request.headers.host}`)
  if (request.url === '/elsewhere') return response.writeHead(302, { location: '/secret' }).end('moved')
  if (request.url === '/long') return response.end('x'.repeat(1_000_000))
  if (request.url === '/never') return
  if (request.url === '/broken') return response.writeHead(503, { 'retry-after': '7' }).end('not now')
  if (request.url === '/pieces') {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).write('one')
    return void pieces.push(() => response.end('two'))
  }
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => response.writeHead(201).end(`got ${body}`))
})
let port: number
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  port = (server.address() as AddressInfo).port
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const guarded = makeOutgoingClient({ privateTargets: false, callTimeoutMs: waitTimeoutMs })
const open = makeOutgoingClient({ privateTargets: true, callTimeoutMs: waitTimeoutMs })

describe('public addresses', () => {
  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('include %s', (address) => expect(isPublicAddress(address)).toBe(true))
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    'not an address',
    '',
  ])('exclude %s', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('a call to a URL that a company or browser chose', () => {
  it.each([
    (p: number) => `http://127.0.0.1:${p}/x`,
    (p: number) => `http://localhost:${p}/x`,
    (p: number) => `http://[::1]:${p}/x`,
    (p: number) => `http://[::ffff:127.0.0.1]:${p}/x`,
    (p: number) => `http://2130706433:${p}/x`,
    (p: number) => `http://0x7f.1:${p}/x`,
    (p: number) => `http://0:${p}/x`,
    () => 'file:///etc/passwd',
    () => 'ftp://example.com/',
    () => 'https://user:secret@example.com/',
  ])('to %s is never sent', async (address) => {
    requestedPaths.length = 0
    await expect(guarded.call(address(port), { companyId: 1 })).rejects.toBeInstanceOf(ForbiddenAddressError)
    expect(requestedPaths).toEqual([])
  })

  it('is sent to private networks if the operator allows it, with body and headers, and returns the response', async () => {
    const answer = await open.call(`http://localhost:${port}/hook`, {
      companyId: 1,
      body: 'hello',
      headers: { 'x-one': 1 },
    })
    expect(answer).toMatchObject({ status: 201, body: 'got hello', isTruncated: false })
    expect(requestedPaths.at(-1)).toBe(`POST /hook localhost:${port}`)
  })

  describe('a call by host name', () => {
    /** A host name that resolves to another address each time. */
    function changingHost(...answers: string[][]) {
      let asked = 0
      const resolve4 = async () => answers[Math.min(asked++, answers.length - 1)] as string[]
      return { resolve4, resolve6: async () => [] as string[], asked: () => asked }
    }
    const via = (names: ReturnType<typeof changingHost>, privateTargets: boolean) =>
      makeOutgoingClient({ privateTargets, callTimeoutMs: waitTimeoutMs }, undefined, names)

    it.each([
      ['that lies in our own network', [['127.0.0.1']]],
      ['that lies there beside somewhere public', [['8.8.8.8', '169.254.169.254']]],
      ['that lies there as the sixth version', [[]]],
    ])('that resolves to %s is never sent', async (_, answers) => {
      requestedPaths.length = 0
      const names = {
        ...changingHost(...answers),
        resolve6: async () => (answers[0]?.length ? [] : ['::ffff:127.0.0.1']),
      }
      const call = via(names, false).call(`http://harmless.example:${port}/x`, { companyId: 1 })
      await expect(call).rejects.toBeInstanceOf(ForbiddenAddressError)
      expect(requestedPaths).toEqual([])
    })

    it('is resolved once: a name that changes in between has no effect', async () => {
      requestedPaths.length = 0
      // A second lookup would lead to an address where no server listens.
      const names = changingHost(['127.0.0.1'], ['127.0.0.2'])
      await via(names, true).call(`http://harmless.example:${port}/pinned`, { companyId: 1 })
      expect(names.asked()).toBe(1)
      expect(requestedPaths).toEqual([`POST /pinned harmless.example:${port}`])
    })
  })

  it('does not follow redirects', async () => {
    requestedPaths.length = 0
    expect(await open.call(`http://127.0.0.1:${port}/elsewhere`, { companyId: 1 })).toMatchObject({ status: 302 })
    expect(requestedPaths).toHaveLength(1)
  })

  it('reads a limited part of a response, within a limited time', async () => {
    const { body } = await open.call(`http://127.0.0.1:${port}/long`, { companyId: 1 })
    expect(body.length).toBeLessThanOrEqual(64 * 1024)
    await expect(open.call(`http://127.0.0.1:${port}/never`, { companyId: 1, timeoutMs: 50 })).rejects.toThrow()
  })

  it('reads as many bytes as requested, and reports truncation', async () => {
    const most = { companyId: 1, mostBytes: 2_000_000 }
    const all = await open.call(`http://127.0.0.1:${port}/long`, most)
    expect([all.bytes.length, all.isTruncated]).toEqual([1_000_000, false])
    expect(await open.call(`http://127.0.0.1:${port}/long`, { ...most, mostBytes: 999_999 })).toMatchObject({
      isTruncated: true,
    })
  })

  it('streams a response as it arrives, with its content type', async () => {
    const got: string[] = []
    const onData = (piece: Buffer) => {
      got.push(String(piece))
      pieces.pop()?.()
    }
    const sent = await open.call(`http://127.0.0.1:${port}/pieces`, { companyId: 1, onData })
    expect(got.join(' ')).toBe('one two')
    expect(sent).toMatchObject({ type: 'text/event-stream', retryAfterMs: null, body: '' })
    const onBad = () => {
      throw new Error('not this')
    }
    await expect(open.call(`http://127.0.0.1:${port}/pieces`, { companyId: 1, onData: onBad })).rejects.toThrow(
      'not this',
    )
  })

  it('is aborted by the caller, which does not count as a failure of the target', async () => {
    const patient = makeOutgoingClient({ privateTargets: true, callTimeoutMs: waitTimeoutMs })
    for (let n = 0; n < 6; n++) {
      const over = new AbortController()
      const called = patient.call(`http://127.0.0.1:${port}/never`, { companyId: 1, signal: over.signal })
      over.abort(new Error('nobody waits'))
      await expect(called).rejects.toThrow()
    }
    expect(await patient.call(`http://127.0.0.1:${port}/hook`, { companyId: 1 })).toMatchObject({ status: 201 })
  })

  it('is paused after repeated bad responses, which it returns until then', async () => {
    const patient = makeOutgoingClient({ privateTargets: true, callTimeoutMs: waitTimeoutMs })
    const isBad = ({ status }: { status: number }) => status >= 500
    for (let n = 0; n < 5; n++) {
      const sent = await patient.call(`http://127.0.0.1:${port}/broken`, { companyId: 1, isBad })
      expect(sent).toMatchObject({ status: 503, body: 'not now', retryAfterMs: 7000 })
    }
    await expect(patient.call(`http://127.0.0.1:${port}/hook`, { companyId: 1 })).rejects.toBeInstanceOf(
      CircuitOpenError,
    )
    expect(await patient.call(`http://localhost:${port}/hook`, { companyId: 1 })).toMatchObject({ status: 201 })
  })

  it('is paused after repeated failures, for that company only, and then retried', async () => {
    let now = Date.now()
    const patient = makeOutgoingClient(
      { privateTargets: true, callTimeoutMs: waitTimeoutMs },
      { now: () => new Date(now) },
    )
    const never = (companyId: number) =>
      patient.call(`http://127.0.0.1:${port}/never`, { companyId, timeoutMs: 20 }).catch((error: Error) => error)
    const rested: boolean[] = []
    for (let n = 0; n < 8; n++) rested.push((await never(1)) instanceof CircuitOpenError)
    expect(rested).toEqual([false, false, false, false, false, true, true, true])
    expect(await never(1)).toBeInstanceOf(CircuitOpenError)
    expect(await never(2)).not.toBeInstanceOf(CircuitOpenError)
    now += 61_000
    // One call tries the target, the others wait; its failure causes a pause of twice the length.
    expect(
      (await Promise.all([never(1), never(1), never(1)])).filter((e) => e instanceof CircuitOpenError),
    ).toHaveLength(2)
    now += 61_000
    expect(await never(1)).toBeInstanceOf(CircuitOpenError)
    now += 61_000
    const there = `http://127.0.0.1:${port}/hook`
    expect(await patient.call(there, { companyId: 1 })).toMatchObject({ status: 201 })
    expect(await patient.call(there, { companyId: 1 })).toMatchObject({ status: 201 })
  })

  it('is paused for all targets of a company whose calls fail at one target after another', async () => {
    const patient = makeOutgoingClient({ privateTargets: true, callTimeoutMs: waitTimeoutMs })
    // No server listens on these addresses.
    for (let n = 2; n <= 6; n++)
      await expect(patient.call(`http://127.0.0.${n}:${port}/x`, { companyId: 1 })).rejects.toThrow()
    const there = `http://127.0.0.1:${port}/hook`
    await expect(patient.call(there, { companyId: 1 })).rejects.toBeInstanceOf(CircuitOpenError)
    expect(await patient.call(there, { companyId: 2 })).toMatchObject({ status: 201 })
  })
})
