import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join, relative } from 'node:path'
import { endpointsBySection } from '@recado/contract/api'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { parseXmlStream } from '../src/kernel/files/xml-stream.ts'
import { buildOpenApiDocument } from '../src/kernel/http/api-docs.ts'
import { makeLog } from '../src/kernel/log.ts'
import { openOwnerPool } from './fixtures.ts'
import { closeTestServers, type TestServer, testServer } from './test-server.ts'

/** Claims of docs/asvs.md about the whole code, which no feature test covers. */

const root = join(import.meta.dirname, '../..')
const sources = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.tsx?$/.test(file.name) && !/\.test\.tsx?$/.test(file.name))
    .map((file) => relative(root, join(file.parentPath, file.name)))
const programs = ['server/src', 'server/import-export', 'server/backup', 'server/demo', 'contract/src', 'web/src']
const filesMatching = (pattern: RegExp, folders = programs) =>
  folders.flatMap(sources).filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

describe('1.2.5: child processes', () => {
  it('get their arguments as a list, never through a shell', () => {
    const starting = filesMatching(/\bchild_process\b/)
    expect(starting.length).toBeGreaterThan(2)
    for (const file of starting) {
      const text = readFileSync(join(root, file), 'utf8')
      const names = /import \{([^}]*)\} from 'node:child_process'/.exec(text)?.[1] ?? 'none'
      for (const name of names.split(',').map((one) => one.trim().replace(/^type /, '')))
        expect(['spawn', 'spawnSync', 'execFile', 'fork', 'ChildProcess'], `${file}: ${name}`).toContain(name)
      expect(text, file).not.toMatch(/\bshell\s*:/)
    }
  })
})

describe('1.3.2, 3.2.2: input', () => {
  it('is never run as code or set as HTML', () => {
    expect(filesMatching(/\beval\(|new Function\(|node:vm/)).toEqual([])
    expect(
      filesMatching(/dangerouslySetInnerHTML|\.innerHTML\b|\.outerHTML\s*=|insertAdjacentHTML|document\.write/),
    ).toEqual([])
  })
})

describe('1.5.1: XML', () => {
  it('does not expand entities defined in the document', async () => {
    async function* document() {
      yield Buffer.from('<?xml version="1.0"?><!DOCTYPE t [<!ENTITY a "boom"><!ENTITY f SYSTEM "file:///etc/passwd">]>')
      yield Buffer.from('<t>&a;&f;</t>')
    }
    const pieces = []
    for await (const some of parseXmlStream(document())) pieces.push(...some)
    const texts = pieces.flatMap((piece) => (piece.kind === 'text' ? [piece.text] : [])).join('')
    expect(texts).toContain('&a;&f;')
    expect(texts).not.toMatch(/root:|^boom/)
  })
})

describe('2.1.1: the documentation', () => {
  it('states the limits of every text and list input', () => {
    const document = JSON.stringify(buildOpenApiDocument(endpointsBySection, '1', '/'))
    const body = /"\/users":\{.*?"post":(\{.*?"responses")/s.exec(document)?.[1] ?? ''
    expect(body).toContain('"maxLength":50')
    expect(body).toContain('"maxItems":500')
  })
})

describe('3.7.2: redirects', () => {
  it('are never sent', () => {
    expect(
      filesMatching(/\.redirect\(|header\(['"]location['"]|\.code\(30\d\)|writeHead\(30\d/i, ['server/src']),
    ).toEqual([])
  })
})

describe('4.2.1: request boundaries', () => {
  it.each([
    ['a length and chunks', 'content-length: 4\r\ntransfer-encoding: chunked', '0\r\n\r\n'],
    ['two lengths', 'content-length: 2\r\ncontent-length: 30', '{}'],
    ['an encoding that is none', 'transfer-encoding: xchunked', '0\r\n\r\n'],
  ])('refuses a request with %s, and does not answer anything that follows it', async (_, lengths, body) => {
    const { port, hostname } = new URL(harness.address)
    const said = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect(Number(port), hostname, () =>
        socket.write(
          `POST /auth/refresh_token HTTP/1.1\r\nhost: x\r\n${lengths}\r\n\r\n${body}GET /version HTTP/1.1\r\nhost: x\r\n\r\n`,
        ),
      )
      socket.on('data', (piece) => {
        text += piece
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
    })
    expect(said).toMatch(/^HTTP\/1\.1 400/)
    expect(said.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    expect(said).not.toContain('uploadLimit')
  })
})

describe('11.4.1: MD5 and SHA-1', () => {
  it('are used only where strength does not matter (one-time codes, as in RFC 6238, are made by a library)', () => {
    expect(filesMatching(/createH(ash|mac)\(['"](?!sha(256|384|512)['"])|\bmd5\(/).sort()).toEqual([
      'server/backup/tables.ts', // MD5 compares the rows of a backup with those of its source.
      'server/src/accounts/push-subscriptions.ts', // A hash shortens long URLs for an index.
      'server/src/desk/bot-message.ts', // A hash recognizes the last text that a bot sent.
      'server/src/kernel/data/database.ts', // A hash gives prepared statements their names.
    ])
  })
})

describe('12.3.2: TLS certificate checks', () => {
  it('are not disabled in any source', () => {
    expect(
      filesMatching(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity|insecureHTTPParser/),
    ).toEqual([])
  })
})

describe('13.4.4: TRACE', () => {
  it('does not echo the request', async () => {
    const { status, body } = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const call = request(
        `${harness.address}/version`,
        { method: 'TRACE', headers: { 'x-secret': 'mirror-me' } },
        (reply) => {
          let text = ''
          reply.on('data', (piece) => {
            text += piece
          })
          reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: text }))
        },
      )
      call.on('error', reject)
      call.end()
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('mirror-me')
  })
})

describe('16.3.4: an unexpected error', () => {
  it('is logged with its cause and request id, and the answer contains neither', async () => {
    const lines: { level: number; msg: string; trace?: string; err?: { text: string } }[] = []
    const log = makeLog('info', { write: (text: string) => void lines.push(JSON.parse(text)) })
    const broken = await testServer({}, log)
    onTestFinished(broken.close)
    const { admin } = await broken.createCompany()
    const owner = openOwnerPool(broken)
    await owner.query('alter table tags rename to "tagsMoved"')
    await owner.end()
    const answer = await admin.request('GET', '/tags')
    expect([answer.status, answer.body]).toEqual([500, { error: 'ERR_INTERNAL_SERVER_ERROR' }])
    const id = answer.headers.get('x-request-id')
    expect(lines.find((line) => line.msg === 'unexpected' && line.trace === id)).toMatchObject({
      level: 50,
      err: { text: 'relation "tags" does not exist' },
    })
  })
})
