import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Resting } from './breaker.ts'
import { Forbidden, isPublic, makeOutgoing } from './outgoing.ts'

const seen: string[] = []
const server = createServer((request, response) => {
  seen.push(`${request.method} ${request.url} ${request.headers.host}`)
  if (request.url === '/elsewhere') return response.writeHead(302, { location: '/secret' }).end('moved')
  if (request.url === '/long') return response.end('x'.repeat(1_000_000))
  if (request.url === '/never') return
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

const guarded = makeOutgoing({ privateTargets: false, callTimeout: 5000 })
const open = makeOutgoing({ privateTargets: true, callTimeout: 5000 })

describe('which addresses are public', () => {
  it.each([
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '100.128.0.1',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is', (address) => expect(isPublic(address)).toBe(true))
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
  ])('%s is not', (address) => expect(isPublic(address)).toBe(false))
})

describe('a call to an address that somebody else chose', () => {
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
  ])('%s never leaves', async (address) => {
    seen.length = 0
    await expect(guarded.call(address(port), { companyId: 1 })).rejects.toBeInstanceOf(Forbidden)
    expect(seen).toEqual([])
  })

  it('goes where the operator allows it, with body and headers, and brings the answer', async () => {
    const answer = await open.call(`http://localhost:${port}/hook`, {
      companyId: 1,
      body: 'hello',
      headers: { 'x-one': 1 },
    })
    expect(answer).toEqual({ status: 201, body: 'got hello' })
    expect(seen.at(-1)).toBe(`POST /hook localhost:${port}`)
  })

  it('does not follow an answer to where it points', async () => {
    seen.length = 0
    expect(await open.call(`http://127.0.0.1:${port}/elsewhere`, { companyId: 1 })).toMatchObject({ status: 302 })
    expect(seen).toHaveLength(1)
  })

  it('reads a bounded part of an answer, and waits a bounded time for it', async () => {
    const { body } = await open.call(`http://127.0.0.1:${port}/long`, { companyId: 1 })
    expect(body.length).toBeLessThanOrEqual(64 * 1024)
    await expect(open.call(`http://127.0.0.1:${port}/never`, { companyId: 1, timeoutMs: 50 })).rejects.toThrow()
  })

  it('rests where calls keep coming to nothing, for that company alone, and is tried again', async () => {
    let now = Date.now()
    const patient = makeOutgoing({ privateTargets: true, callTimeout: 5000 }, { now: () => new Date(now) })
    const never = (companyId: number) =>
      patient.call(`http://127.0.0.1:${port}/never`, { companyId, timeoutMs: 20 }).catch((error: Error) => error)
    seen.length = 0
    for (let n = 0; n < 8; n++) await never(1)
    expect(seen).toHaveLength(5)
    expect(await never(1)).toBeInstanceOf(Resting)
    // Wherever else it calls: names cost nothing, and each could hang.
    const elsewhere = `http://localhost:${port}/hook`
    await expect(patient.call(elsewhere, { companyId: 1 })).rejects.toBeInstanceOf(Resting)
    expect(await patient.call(elsewhere, { companyId: 2 })).toMatchObject({ status: 201 })
    expect(await never(2)).not.toBeInstanceOf(Resting)
    now += 61_000
    // One tries, the others wait; what it finds holds for twice as long.
    expect((await Promise.all([never(1), never(1), never(1)])).filter((e) => e instanceof Resting)).toHaveLength(2)
    now += 61_000
    expect(await never(1)).toBeInstanceOf(Resting)
    now += 61_000
    expect(await patient.call(elsewhere, { companyId: 1 })).toMatchObject({ status: 201 })
    expect(await patient.call(elsewhere, { companyId: 1 })).toMatchObject({ status: 201 })
  })
})
