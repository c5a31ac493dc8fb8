import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const page =
  '<!doctype html><title>The app</title><script type="module" nonce="%NONCE%" src="/assets/main-abc.js"></script><style nonce="%NONCE%"></style>'

let harness: TestServer
let webDir: string
beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'recado-web-'))
  await mkdir(join(webDir, 'assets'))
  await writeFile(join(webDir, 'index.html'), page)
  await writeFile(join(webDir, 'assets/main-abc.js'), 'export const n = 1\n')
  await writeFile(join(webDir, 'sw.js'), 'self\n')
  await writeFile(join(webDir, 'manifest.webmanifest'), '{}')
  await writeFile(join(webDir, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  harness = await testServer({ webDir })
})
afterAll(async () => {
  await closeTestServers()
  await rm(webDir, { recursive: true })
})

const open = (path: string, accept = browser, method = 'GET', headers: Record<string, string> = {}) =>
  harness.anonymous.request<string>(method, path, undefined, { accept, ...headers })
const isApp = (answer: { body: string; status: number; headers: Headers }) =>
  answer.status === 200 &&
  answer.headers.get('content-type') === 'text/html; charset=utf-8' &&
  answer.body.includes('<title>The app</title>')

describe('a single origin for app and API', () => {
  it.each(['/tickets', '/tags', '/contacts'])(
    'serves the app to a browser and the API to a program at %s',
    async (path) => {
      const [shown, told] = [await open(path), await open(path, 'application/json, text/plain, */*')]
      expect(isApp(shown)).toBe(true)
      expect(told.status).toBeGreaterThanOrEqual(400)
      expect(told.body).toEqual({ error: expect.stringMatching(/^ERR_/) })
      for (const { headers } of [shown, told]) expect(headers.get('vary')).toMatch(/\bAccept\b/)
      // A monitor accepts any content type and gets the app; a program with a token gets the API whatever it accepts.
      expect(isApp(await open(path, '*/*'))).toBe(true)
      expect(isApp(await open(path, '*/*', 'GET', { authorization: 'Bearer x' }))).toBe(false)
      expect(isApp(await open(`${path}/`))).toBe(true)
    },
  )

  it('answers an API client with data and a browser with the app at the same URL', async () => {
    const { admin } = await harness.createCompany()
    const told = await admin.request('GET', '/tags', undefined, { accept: 'application/json' })
    expect(told).toMatchObject({ status: 200, body: { tags: [], count: 0, hasMore: false } })
    expect(isApp(await admin.request('GET', '/tags', undefined, { accept: browser }))).toBe(true)
  })

  it('serves the app for every URL that a user may open, for GET and HEAD only', async () => {
    for (const path of [
      '/',
      '/login',
      '/tickets/4f1c0f5e-1111-4222-8333-444455556666',
      '/settings?tab=plans',
      '/nothing/here',
      '/auth/me',
      '/resetpasswords',
    ])
      expect(isApp(await open(path)), path).toBe(true)
    expect((await open('/login', browser, 'HEAD')).status).toBe(200)
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(isApp(await open('/tags/1', browser, method)), method).toBe(false)
  })

  it.each([
    '/public',
    '/public/',
    '/public/1/x/y',
    '/docs',
    '/docs/json',
    '/metrics',
    '/version',
    '/healthz',
    '/readyz',
    '/assets/gone.js',
    '/socket.io/?EIO=4',
  ])('never serves %s as the app', async (path) => {
    const answer = await open(path)
    expect(isApp(answer)).toBe(false)
    expect(answer.status).toBeLessThan(500)
  })

  it('serves the build: files with a fingerprint are cached forever, the page never', async () => {
    const script = await open('/assets/main-abc.js', '*/*')
    expect([script.status, script.headers.get('cache-control'), script.body]).toEqual([
      200,
      'public, max-age=31536000, immutable',
      'export const n = 1\n',
    ])
    expect(script.headers.get('content-type')).toMatch(/javascript/)
    expect((await open('/')).headers.get('cache-control')).toBe('no-store')
    const icon = await open('/favicon.svg', 'image/svg+xml')
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, expect.stringContaining('image/svg+xml')])
    expect(icon.headers.get('cache-control')).not.toContain('immutable')
  })

  it('serves the service worker uncached, and allows it to call the server', async () => {
    const worker = await open('/sw.js', '*/*')
    expect([worker.status, worker.headers.get('cache-control')]).toEqual([200, 'no-cache'])
    expect(worker.headers.get('content-type')).toMatch(/javascript/)
    expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'; connect-src 'self'")
    const manifest = await open('/manifest.webmanifest', '*/*')
    expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
  })

  it('serves no file from outside its folders', async () => {
    for (const path of [
      '/..%2f..%2fetc/passwd',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/assets/..%2f..%2fpackage.json',
      '/.env',
      '/%00',
      '/assets/%ff',
      '/index.html%00.js',
    ]) {
      const answer = await open(path, '*/*')
      expect([400, 403, 404], `${path} ${answer.status}`).toContain(answer.status)
    }
  })

  it('returns version and health', async () => {
    expect(await open('/version', '*/*')).toMatchObject({
      status: 200,
      body: { version: '6.0.0', uploadLimit: 1024 * 1024 },
    })
    expect(isApp(await open('/', '*/*'))).toBe(true)
    expect(await open('/', 'application/json, text/plain, */*')).toMatchObject({
      status: 200,
      body: { version: '6.0.0' },
    })
    expect(await open('/plans/list', '*/*')).toMatchObject({ status: 200, body: expect.any(Array) })
    expect(await open('/healthz', '*/*')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await open('/readyz', '*/*')).toMatchObject({ status: 200, body: { status: 'ready' } })
    expect(await open('/no/such/path', '*/*')).toMatchObject({ status: 404, body: { error: 'ERR_NOT_FOUND' } })
  })
})

describe('the page', () => {
  it('runs only scripts with the nonce of this response', async () => {
    const seen = new Set<string>()
    for (let n = 0; n < 3; n++) {
      const { body, headers } = await open('/')
      const policy = headers.get('content-security-policy') ?? ''
      const nonce = /script-src 'self' 'nonce-([A-Za-z0-9+/=]{20,})'/.exec(policy)?.[1] ?? 'none'
      expect(body.match(/nonce="([^"]+)"/g)).toEqual([`nonce="${nonce}"`, `nonce="${nonce}"`])
      expect(policy).toContain(`style-src 'self' 'nonce-${nonce}'`)
      seen.add(nonce)
      const rules = Object.fromEntries(
        policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
      )
      expect(rules).toMatchObject({
        'default-src': "'self'",
        'object-src': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'form-action': "'self'",
        'connect-src': "'self'",
      })
      expect(policy).not.toMatch(/unsafe|\*|data:.*script/)
    }
    expect(seen.size).toBe(3)
  })

  it('has the security headers, as has every other response', async () => {
    for (const answer of [
      await open('/'),
      await open('/version', '*/*'),
      await open('/tags', '*/*'),
      await open('/nowhere', '*/*'),
    ]) {
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('referrer-policy')).toBe('same-origin')
      expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
      expect(answer.headers.get('x-frame-options')).toMatch(/SAMEORIGIN|DENY/)
      expect(answer.headers.get('x-powered-by')).toBeNull()
      expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
    expect((await open('/version', '*/*')).headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('is compressed if the browser supports it', async () => {
    const answer = await fetch(`${harness.address}/docs/json`, { headers: { 'accept-encoding': 'gzip' } })
    expect(answer.headers.get('content-encoding')).toBe('gzip')
    expect(answer.headers.get('vary')).toMatch(/accept-encoding/i)
    expect(await answer.json()).toHaveProperty('openapi')
  })
})

describe('a server without a built app', () => {
  it('serves the API, and answers a browser with "not found"', async () => {
    const bare = await testServer({ webDir: join(webDir, 'not-built') })
    expect(await bare.anonymous.request('GET', '/', undefined, { accept: browser })).toMatchObject({
      status: 404,
      body: { error: 'ERR_NOT_FOUND' },
    })
    expect((await bare.anonymous.request('GET', '/version')).status).toBe(200)
  })
})

describe('a request body', () => {
  const send = (type: string | undefined, body: string) =>
    fetch(`${harness.address}/companies/cadastro`, {
      method: 'POST',
      headers: type ? { 'content-type': type } : {},
      body: Buffer.from(body),
    }).then(async (answer) => [answer.status, ((await answer.json()) as { error: string }).error])

  it('that is not JSON, or has another content type, is refused with an error code and never a 5xx', async () => {
    for (const type of [
      'text/plain',
      'text/html',
      'application/x-www-form-urlencoded',
      'application/xml',
      'nonsense',
      undefined,
    ]) {
      expect(await send(type, '{"name":"x"}'), String(type)).toEqual([415, 'ERR_SYNTAX'])
    }
    for (const broken of [
      '{',
      '{"name":',
      'name=x',
      '"',
      '\u0000',
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{}}}',
    ]) {
      expect(await send('application/json', broken), broken).toEqual([400, 'ERR_SYNTAX'])
    }
    for (const odd of ['null', '[]', '"text"', '7', '{}', '{"name":"a\\u0000b"}'])
      expect(await send('application/json', odd), odd).toEqual([400, 'ERR_VALIDATION'])
    expect(await send('application/json', JSON.stringify({ name: 'x'.repeat(3_000_000) }))).toEqual([
      413,
      'ERR_BODY_TOO_LARGE',
    ])
  })

  it('that is missing counts as empty, with any content type', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', 'x/y', undefined]) {
      expect(await send(type, ''), String(type)).toEqual([400, 'ERR_VALIDATION'])
    }
  })
})

describe('a URL', () => {
  it('leads to the same page with a trailing slash or a double slash', async () => {
    const { admin } = await harness.createCompany()
    for (const path of [
      '/users',
      '/tags',
      '/files',
      '/announcements',
      '/settings',
      '/plans/all',
      '/auth/me',
      '/version',
    ]) {
      const [plain, slash, double] = [
        await admin.request('GET', path),
        await admin.request('GET', `${path}/`),
        await admin.request('GET', path.replace(/^/, '/')),
      ]
      expect([plain.status, slash.status, double.status], path).toEqual([200, 200, 200])
      expect(slash.body, path).toEqual(plain.body)
    }
    expect((await admin.request('POST', '/tags/', { name: 'with a slash' })).status).toBe(200)
    expect((await harness.anonymous.request('GET', '/tags/%E0%A4%A')).status).toBe(400)
    expect((await admin.request('GET', `/tags/${'9'.repeat(400)}`)).status).toBe(400)
  })
})
