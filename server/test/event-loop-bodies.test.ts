import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { brotliDecompressSync, constants, deflateRawSync, gzipSync } from 'node:zlib'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { measureEventLoopBlock } from './event-loop-block.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from './test-server.ts'
import { sendForm } from './upload.ts'

/**
 * Maximum blocking time in milliseconds of CPU time, doubled for slow machines: one caller must not block all others.
 */
const maxBlockMs = 250

let harness: TestServer
let admin: TestUser
beforeAll(async () => {
  harness = await testServer({ uploadLimit: 8 * 1024 * 1024 })
  admin = (await harness.createCompany()).admin
  // The first request warms up the server: compilation on first use is not measured.
  await send('/tags', '{}')
})
afterAll(closeTestServers)

const send = async (path: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  const answer = await fetch(harness.address + path, {
    method: 'POST',
    body: body as string,
    headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/json', ...headers },
  })
  return { status: answer.status, error: ((await answer.json()) as { error?: string }).error }
}

describe('a request body that keeps the parser busy', () => {
  const bodies = {
    'a million brackets': ['/tags', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
    'objects within objects': ['/tags', `${'{"a":'.repeat(250_000)}1${'}'.repeat(250_000)}`],
    'one row with 400,000 keys': [
      '/contacts/upload',
      `[{${Array.from({ length: 400_000 }, (_, n) => `"column ${n}":1`).join()}}]`,
    ],
    'half a million ids that are none': ['/users', JSON.stringify({ queueIds: Array(500_000).fill('a') })],
    'a million backslashes': ['/tags', JSON.stringify({ name: '\\'.repeat(500_000), color: '\\"'.repeat(100_000) })],
  } as const
  it.each(Object.entries(bodies))('is refused quickly: %s', async (_name, [path, body]) => {
    const { ms, answer } = await measureEventLoopBlock(() => send(path, body))
    expect([400, 413]).toContain(answer.status)
    expect(ms).toBeLessThan(maxBlockMs)
  })

  it('is refused, while large valid bodies pass: long texts, wide sheets, thousands of rows', async () => {
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`column "${n}" {[`, 'x'.repeat(200)]))
    expect((await send('/contacts/upload', JSON.stringify([wide]))).status).toBe(200)
    const many = Array.from({ length: 9000 }, (_, n) => ({ Nome: `"Ana" ${n} }]`, Telefone: '\\' }))
    expect((await send('/contacts/upload', JSON.stringify(many))).status).toBe(200)
  })

  it('is refused when it consists of fifty megabytes of form fields', async () => {
    const boundary = 'a-boundary-of-ours'
    const field = `--${boundary}\r\ncontent-disposition: form-data; name="body"\r\n\r\n${'y'.repeat(99_000)}\r\n`
    const form = Buffer.from(`${field.repeat(500)}--${boundary}--\r\n`)
    const type = { 'content-type': `multipart/form-data; boundary=${boundary}` }
    const { ms, answer } = await measureEventLoopBlock(() => send('/messages/1', form, type).catch(() => null))
    // The server may cut the connection before everything was sent.
    expect(answer === null || answer.error === 'ERR_BODY_TOO_LARGE').toBe(true)
    expect(ms).toBeLessThan(maxBlockMs)
  })
})

describe('a request body that is not read', () => {
  /** How many bytes of the body were sent before the answer came, and the answer. */
  const push = (path: string, token: string, bytes: number) =>
    new Promise<{ said: string; sent: number }>((done) => {
      const { port, hostname } = new URL(harness.address)
      const block = Buffer.alloc(64 * 1024, '{},')
      let [said, sent] = ['', 0]
      const socket = connect(Number(port), hostname, () => {
        socket.write(
          `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n${token && `authorization: Bearer ${token}\r\n`}\r\n`,
        )
        const more = () =>
          socket.write(block, (error) => {
            if (error) return
            sent += block.length
            if (sent < bytes) more()
          })
        more()
      })
      socket.on('data', (part) => {
        said += part
      })
      socket.on('error', () => undefined)
      socket.on('close', () => done({ said, sent }))
    })
  const size = 200 * 1024 * 1024

  it.each([
    ['of somebody unknown, larger than a login', '/auth/login', false],
    ['of somebody unknown, to refresh a session', '/auth/refresh_token', false],
    ['of somebody known, larger than the form', '/tags', true],
    ['of somebody known, larger than any import', '/contacts/upload', true],
  ])('is refused before it is read: %s', async (_name, path, isKnown) => {
    const { said, sent } = await push(path, isKnown ? admin.token : '', size)
    expect(said.slice(0, 12)).toBe('HTTP/1.1 413')
    expect(said).toContain('ERR_BODY_TOO_LARGE')
    // Only data that was already in transit was sent; the rest is never read.
    expect(sent).toBeLessThan(size / 4)
  })

  it('is refused from an address that calls too often without a session, whatever it contains', async () => {
    const hurried = await testServer()
    const ask = () =>
      fetch(`${hurried.address}/auth/refresh_token`, {
        method: 'POST',
        body: 'no JSON at all',
        headers: { 'content-type': 'application/json' },
      })
    const answers = await Promise.all(Array.from({ length: 400 }, ask))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(50)
    expect(await refused[0]?.json()).toMatchObject({ error: 'ERR_RATE_LIMIT' })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a request body that does not end', () => {
  // A separate server with short timeouts, because on a busy machine a normal body may take as long.
  let hasty: TestServer
  let token: string
  beforeAll(async () => {
    hasty = await testServer({ bodyTimeoutMs: 500 })
    token = (await hasty.createCompany()).admin.token
  })

  /** The answer to a request of which only the beginning is sent; `more` is sent from time to time. */
  const begun = (head: string, more = '') =>
    new Promise<string>((done) => {
      let said = ''
      const { port, hostname } = new URL(hasty.address)
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${head}\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 1000000\r\n\r\n{"name":`),
      )
      const drops = setInterval(() => socket.write(more), 50)
      socket.on('data', (part) => {
        said += part
      })
      socket.on('error', () => undefined)
      socket.on('close', () => {
        clearInterval(drops)
        done(said)
      })
    })

  it.each([
    ['a form that stops', 'POST /tags HTTP/1.1\r\ncontent-type: application/json', ''],
    ['a form that drips', 'POST /tags HTTP/1.1\r\ncontent-type: application/json', ' '],
    ['a file that stops', 'POST /messages/1 HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=b', ''],
    ['a file that drips', 'POST /messages/1 HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=b', 'x'],
    ['a call to nowhere', 'POST /nothing/here HTTP/1.1\r\ncontent-type: application/json', ' '],
  ])('is cut off: %s', async (_name, head, more) => {
    const said = await begun(head, more)
    expect(said.slice(0, 12)).toMatch(/^HTTP\/1\.1 4\d\d/)
  })

  it('is not decompressed if it is compressed', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
    const { ms, answer } = await measureEventLoopBlock(() => send('/tags', bomb, { 'content-encoding': 'gzip' }))
    expect(answer).toEqual({ status: 415, error: 'ERR_SYNTAX' })
    expect(ms).toBeLessThan(maxBlockMs)
  })
})

describe('a spreadsheet that unpacks to more than it declares', () => {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, '<c><v>1</v></c>'), { finishFlush: constants.Z_FULL_FLUSH })
  /** More than a gigabyte, compressed to less than two megabytes. */
  const bomb = Buffer.concat([...Array<Buffer>(1200).fill(block), deflateRawSync('')])
  const honest: Buffer = write(
    { SheetNames: ['a'], Sheets: { a: utils.aoa_to_sheet([['Nome'], ['Ana']]) } },
    {
      type: 'buffer',
      bookType: 'xlsx',
      compression: true,
    },
  )

  /** The valid workbook with the zip bomb as its sheet; `lie` changes the sheet's entry in the zip directory. */
  function lyingWorkbook(lie: (row: Buffer) => void): Buffer {
    const name = 'xl/worksheets/sheet1.xml'
    const tail = honest.lastIndexOf('PK\x05\x06', undefined, 'latin1')
    const rows = honest.subarray(honest.readUInt32LE(tail + 16), tail)
    const row = Buffer.from(rows)
    const at = rows.indexOf(name) - 46
    row.writeUInt32LE(honest.readUInt32LE(tail + 16), at + 42)
    row.writeUInt32LE(bomb.length, at + 20)
    lie(row.subarray(at))
    const head = Buffer.alloc(30)
    head.write('PK\x03\x04', 'latin1')
    head.writeUInt16LE(8, 8)
    head.writeUInt32LE(bomb.length, 18)
    head.writeUInt16LE(name.length, 26)
    const piece = Buffer.concat([head, Buffer.from(name), bomb])
    const end = Buffer.from(honest.subarray(tail))
    end.writeUInt32LE(end.readUInt32LE(16) + piece.length, 16)
    return Buffer.concat([honest.subarray(0, honest.readUInt32LE(tail + 16)), piece, row, end])
  }

  it.each([
    ['with a true directory', () => undefined],
    ['whose directory is none from there on', (row: Buffer) => row.write('XX', 'latin1')],
    ['that claims to be short', (row: Buffer) => row.writeUInt32LE(20, 20)],
    ['that claims to unpack to little', (row: Buffer) => row.writeUInt32LE(20, 24)],
  ] as const)('is refused quickly, without using much memory: %s', async (_name, lie) => {
    const book = lyingWorkbook(lie)
    expect(book.length).toBeLessThan(3 * 1024 * 1024)
    const before = process.memoryUsage.rss()
    let most = before
    const looks = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 10)
    const { ms, answer } = await measureEventLoopBlock(() =>
      sendForm(admin, '/contacts/upload-file', { file: [[book, 'a.xlsx']] }),
    )
    clearInterval(looks)
    expect([413, 415]).toContain(answer.status)
    expect((most - before) / 1024 / 1024).toBeLessThan(400)
    expect(ms).toBeLessThan(maxBlockMs)
  })

  it('is refused, while a valid spreadsheet is read', async () => {
    const answer = await sendForm<{ rows: object[] }>(admin, '/contacts/upload-file', { file: [[honest, 'a.xlsx']] })
    expect(answer.body.rows).toEqual([{ Nome: 'Ana' }])
  })
})

describe('repeated requests', () => {
  it('for the API page serve forty readers the same bytes, rendered and compressed once', async () => {
    // The readers share this process with the server: they compare what was sent, and do not decompress it.
    const ask = async (path: string) => {
      const [answer] = await once(get(harness.address + path, { headers: { 'accept-encoding': 'br' } }), 'response')
      return Buffer.concat(await (answer as IncomingMessage).toArray())
    }
    const first = { page: await ask('/docs'), json: await ask('/docs/json') }
    expect(String(brotliDecompressSync(first.page))).toContain('/auth/login')
    const { ms, answer: all } = await measureEventLoopBlock(() =>
      Promise.all(Array.from({ length: 40 }, () => ask('/docs'))),
    )
    expect(all.filter((page) => page.equals(first.page))).toHaveLength(40)
    expect(ms).toBeLessThan(maxBlockMs)
    expect((await ask('/docs/json')).equals(first.json)).toBe(true)
  })

  it('to join rooms are limited to a budget per user, whatever the number of sockets', async () => {
    let done = 0
    harness.server.deps.live.onJoin('joinTickets', async () => {
      done++
      return []
    })
    const socketClients = [await admin.listen(), await admin.listen()]
    const began = performance.now()
    for (let n = 0; n < 10_000; n++) socketClients[n % 2]?.socket.emit('joinTickets', String(n))
    for (const socketClient of socketClients) await socketClient.whenCaughtUp()
    const seconds = (performance.now() - began) / 1000
    // About five hundred requests are answered at once, and fifty more for each second that the sending took.
    expect(done).toBeGreaterThan(400)
    expect(done).toBeLessThan(600 + 60 * seconds)
    for (const socketClient of socketClients) socketClient.close()
  })
})
