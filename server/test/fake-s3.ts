import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
/** The encoding of AWS, which differs from `encodeURIComponent` in these characters. */
const awsEncode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** A small page size, so that there are several pages. */
const pageSize = 2

/**
 * A fake S3 server on loopback, written from the protocol's specification and not from our client: it verifies every
 * signature itself and refuses requests that are unsigned, altered, or for another bucket.
 */
export async function fakeS3({ key = 'AKIATEST', secret = 'a/secret+with=signs', bucket = 'recado' } = {}) {
  const objects = new Map<string, { bytes: Buffer; at: Date }>()
  const state = {
    /** Whether the server refuses connections. */
    isDown: false,
    /** How many of the next answers say that the server is overloaded. */
    busy: 0,
    /** How many more files the server accepts before it goes down. */
    putsLeft: Infinity,
    /** Whether the server accepts requests and never answers. */
    isSilent: false,
    /** A promise: PUT requests are answered when it resolves. */
    slow: Promise.resolve(),
  }
  const requests: string[] = []

  const refuse = (response: ServerResponse, status: number, code: string) =>
    void response.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)

  function isSigned(request: IncomingMessage, url: URL, body: Buffer): boolean {
    const said = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      request.headers.authorization ?? '',
    )
    if (!said) return false
    const [, credential = '', names = '', signature = ''] = said
    const [who, day = '', region = '', service = '', end] = credential.split('/')
    const date = String(request.headers['x-amz-date'])
    const payload = String(request.headers['x-amz-content-sha256'])
    if (who !== key || service !== 's3' || end !== 'aws4_request' || !date.startsWith(day)) return false
    if (!names.split(';').includes('host') || !names.split(';').includes('x-amz-date')) return false
    if (payload !== 'UNSIGNED-PAYLOAD' && payload !== sha256(body)) return false
    const query = [...url.searchParams]
      .map(([name, value]) => `${awsEncode(name)}=${awsEncode(value)}`)
      .sort()
      .join('&')
    const headers = names
      .split(';')
      .map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`)
      .join('')
    const path = decodeURIComponent(url.pathname).split('/').map(awsEncode).join('/')
    const canonical = [request.method, path, query, headers, names, payload].join('\n')
    const text = ['AWS4-HMAC-SHA256', date, `${day}/${region}/s3/aws4_request`, sha256(canonical)].join('\n')
    const signing = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
    return hmac(signing, text).toString('hex') === signature
  }

  function list(url: URL): string {
    const after = url.searchParams.get('continuation-token') ?? ''
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(url.searchParams.get('prefix') ?? '') && name > after)
      .sort()
    const page = names.slice(0, pageSize)
    const more = names.length > pageSize
    const contents = page.map(
      (name) =>
        `<Contents><Key>${name}</Key><LastModified>${objects.get(name)?.at.toISOString()}</LastModified></Contents>`,
    )
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`
  }

  function send(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = from ? bytes.subarray(Number(from), Number(to) + 1) : bytes
    response.writeHead(from ? 206 : 200, {
      'content-length': part.length,
      ...(from && { 'content-range': `bytes ${from}-${to}/${bytes.length}` }),
    })
    response.end(request.method === 'HEAD' ? undefined : part)
  }

  function put(request: IncomingMessage, response: ServerResponse, name: string, body: Buffer): void {
    const source = request.headers['x-amz-copy-source']
    const bytes = source ? objects.get(String(source).slice(`/${bucket}/`.length))?.bytes : body
    if (!bytes) return void refuse(response, 404, 'NoSuchKey')
    objects.set(name, { bytes, at: new Date() })
    if (!source && --state.putsLeft <= 0) state.isDown = true
    response.end(source ? '<CopyObjectResult/>' : '')
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state.isDown) return void request.socket.destroy()
    const url = new URL(request.url ?? '/', 'http://store')
    requests.push(`${request.method} ${url.pathname}`)
    if (state.isSilent) return
    const body = await buffer(request)
    if (state.busy > 0 && state.busy--) return refuse(response, 503, 'SlowDown')
    // Real servers refuse a body of unknown length.
    if (request.method === 'PUT' && request.headers['transfer-encoding']) return refuse(response, 411, 'MissingLength')
    if (!isSigned(request, url, body)) return refuse(response, 403, 'SignatureDoesNotMatch')
    const [, of, ...rest] = decodeURIComponent(url.pathname).split('/')
    if (of !== bucket) return refuse(response, 404, 'NoSuchBucket')
    const name = rest.join('/')
    if (!name) return void response.writeHead(200, { 'content-type': 'application/xml' }).end(list(url))
    if (request.method === 'PUT') {
      await state.slow
      return put(request, response, name, body)
    }
    if (request.method === 'DELETE') {
      objects.delete(name)
      return void response.writeHead(204).end()
    }
    const found = objects.get(name)
    if (!found) return refuse(response, 404, 'NoSuchKey')
    send(request, response, found.bytes)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    objects,
    state,
    asked: requests,
    /** The URL of the store as an operator configures it. */
    url: (given: { secret?: string; bucket?: string; prefix?: string } = {}) =>
      `s3://${key}:${encodeURIComponent(given.secret ?? secret)}@127.0.0.1:${port}/${given.bucket ?? bucket}${given.prefix ?? ''}?tls=false&region=eu-west-1`,
    close: () => {
      server.closeAllConnections()
      return new Promise((closed) => server.close(closed))
    },
  }
}
