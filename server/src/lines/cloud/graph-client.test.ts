import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeGraph, fakeGraph } from '../../../test/fake-graph.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { defaultGraphTimings, GraphNoAnswerError, GraphRefusedError, makeGraphClient } from './graph-client.ts'
import { makeThrottle } from './throttle.ts'

let fake: FakeGraph
const pace = { ...defaultGraphTimings, timeoutMs: waitTimeoutMs, retryMs: 5 }
/** A short timeout, for calls that are never answered. */
const shortTimings = { ...pace, timeoutMs: 1500 }
beforeAll(async () => {
  fake = await fakeGraph()
})
afterAll(() => fake.close())

describe('the Graph API client', () => {
  it('retries calls that are safe to repeat, after the delay that Meta requests', async () => {
    const { phoneNumberId, accessToken } = fake.createAccount()
    const graph = makeGraphClient(fake.base, accessToken, pace)
    fake.otherTroubles.push({ kind: 'refuse', status: 503, code: 2 }, { kind: 'cut' })
    expect(await graph.get(phoneNumberId)).toMatchObject({ id: phoneNumberId })
    fake.otherTroubles.push({ kind: 'refuse', status: 429, code: 4, retryAfter: '0' })
    expect(await graph.get(phoneNumberId)).toMatchObject({ id: phoneNumberId })
    fake.otherTroubles.push({ kind: 'hang' }, { kind: 'hang' }, { kind: 'hang' })
    await expect(makeGraphClient(fake.base, accessToken, shortTimings).get(phoneNumberId)).rejects.toBeInstanceOf(
      GraphNoAnswerError,
    )
    // A refusal is not retried.
    const calls = fake.calls.length
    await expect(graph.get('nobody')).rejects.toBeInstanceOf(GraphRefusedError)
    expect(fake.calls.length).toBe(calls + 1)
  })

  it('never retries a send, and reports whether the message may have arrived', async () => {
    const { phoneNumberId, accessToken } = fake.createAccount()
    for (const kind of ['hang', 'die', 'garbage', 'cut'] as const) {
      const graph = makeGraphClient(fake.base, accessToken, kind === 'hang' ? shortTimings : pace)
      fake.troubles.push({ kind })
      const before = fake.calls.length
      const post = graph.post(`${phoneNumberId}/messages`, { type: 'text', to: '1' })
      await expect(post).rejects.toMatchObject({ maybeReceived: true })
      expect(fake.calls.length).toBe(before + 1)
    }
    const closed = createServer()
    await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
    const { port } = closed.address() as AddressInfo
    await new Promise((done) => closed.close(done))
    const nobody = makeGraphClient(`http://127.0.0.1:${port}/v0`, accessToken, pace)
    await expect(nobody.post('1/messages', {})).rejects.toMatchObject({ maybeReceived: false })
  })

  it('sends the token to Meta only', async () => {
    const graph = makeGraphClient('https://graph.facebook.com/v25.0', 'token', pace)
    for (const url of ['https://evil.example/x', 'http://lookaside.fbsbx.com/x', 'https://fbsbx.com.evil.example/'])
      await expect(graph.download(url)).rejects.toBeInstanceOf(GraphRefusedError)
  })
})

describe('the sending pace of a number', () => {
  it('sends a few messages in a burst, and then no more than Meta allows', async () => {
    const throttle = makeThrottle(20)
    const began = performance.now()
    let gone = 0
    const five = Array.from({ length: 5 }, () => throttle.waitForSlot(began).then(() => gone++))
    // The clock has not moved, so the waiting messages are not sent yet.
    await Promise.resolve()
    await Promise.resolve()
    expect(gone).toBe(5)
    await Promise.all(five)
    for (let n = 0; n < 15; n++) await throttle.waitForSlot()
    expect(performance.now() - began).toBeGreaterThan(650)
  })

  it('pauses longer after each refusal, per customer by powers of four, until a message succeeds', () => {
    const throttle = makeThrottle()
    const near = (ms: number, given: number) => {
      expect(given).toBeGreaterThanOrEqual(ms)
      expect(given).toBeLessThanOrEqual(ms * 1.25)
    }
    let now = 0
    for (const s of [1, 2, 4]) {
      const ms = throttle.pauseLine(null, now)
      near(s * 1000, ms)
      // Messages that were already sent are refused as well, which does not lengthen the pause.
      expect(throttle.pauseLine(null, now + 500)).toBe(ms)
      now += ms
    }
    for (const s of [4, 16, 64]) near(s * 1000, throttle.pauseChat('a', null))
    near(4000, throttle.pauseChat('b', null))
    expect(throttle.pauseLine(7000)).toBe(7000)
    throttle.recordSuccess('a')
    near(1000, throttle.pauseLine(null, now))
    near(4000, throttle.pauseChat('a', null))
    near(16_000, throttle.pauseChat('b', null))
  })
})
