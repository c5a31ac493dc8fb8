import { networkInterfaces } from 'node:os'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

afterAll(closeTestServers)

const read = (h: TestServer, headers: Record<string, string> = {}) =>
  h.anonymous.request<string>('GET', '/metrics', undefined, headers)
const hidden = { status: 404, body: { error: 'ERR_NOT_FOUND' } }
const externalAddress = Object.values(networkInterfaces())
  .flat()
  .find((i) => i && !i.internal && i.family === 'IPv4')?.address

describe('metrics', () => {
  it('are readable only from the same machine if no token is set', async () => {
    const h = await testServer({ host: '0.0.0.0' })
    onTestFinished(h.close)
    const { admin } = await h.createCompany()
    await admin.request('GET', '/tags/987654')
    await h.anonymous.request('GET', '/a/path/nobody/made')
    await h.anonymous.request('GET', '/tags?searchParam=secret-words', undefined, { accept: 'text/html' })
    const socketClient = await admin.listen()
    const { status, body, headers } = await read(h)
    expect([status, headers.get('content-type')]).toEqual([200, expect.stringMatching(/^text\/plain; version=0\.0\.4/)])
    expect(body).toMatch(/^http_request_seconds_count\{method="GET",route="\/tags\/:id",status="404"\} 1$/m)
    expect(body).toMatch(/^live_connections 1$/m)
    expect(body).toMatch(/^process_resident_memory_bytes \d+/m)
    // The queue lengths are those of the whole installation, and the counters those of this process.
    expect(body).toMatch(/^recado_waiting\{kind="outbox"\} 0$/m)
    expect(body).toMatch(/^recado_oldest_seconds\{kind="events"\} 0$/m)
    expect(body).toMatch(/^recado_jobs_failed 0$/m)
    expect(body).toMatch(/^recado_events_total\{way="plain"\} 0$/m)
    expect((await read(h)).body).toMatch(/^recado_lines_here 0$/m)
    // One series per route, never per URL: URLs would give endless series and reveal what users search for.
    expect(body).not.toMatch(/987654|nobody|secret-words/)
    socketClient.close()
    // A proxy on this machine forwards calls from other machines.
    expect(await read(h, { 'x-forwarded-for': '203.0.113.9' })).toMatchObject(hidden)
    expect(await read(h, { forwarded: 'for=203.0.113.9' })).toMatchObject(hidden)
    if (externalAddress) {
      const port = new URL(h.address).port
      expect((await fetch(`http://${externalAddress}:${port}/metrics`)).status).toBe(404)
      expect((await fetch(`http://${externalAddress}:${port}/version`)).status).toBe(200)
    }
  })

  it('are readable with the token if one is set', async () => {
    const token = 'a-token-for-prometheus'
    const h = await testServer({ metricsToken: token })
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: token },
      { authorization: `Bearer ${token}x` },
    ])
      expect(await read(h, headers as Record<string, string>)).toMatchObject(hidden)
    expect((await read(h, { authorization: `Bearer ${token}` })).status).toBe(200)
    expect((await read(h, { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' })).status).toBe(200)
  })
})
