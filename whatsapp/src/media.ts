import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import selfsigned from 'selfsigned'

/**
 * WhatsApp's media server, on loopback. The client always requests `https://<host>`, so the server uses TLS; the host
 * may include a port.
 */
export class MediaServer {
  /** Encrypted files by path, exactly as uploaded. */
  readonly blobs = new Map<string, Buffer>()
  /** Files the media server deleted; a phone restores them on request. */
  readonly expired = new Map<string, Buffer>()
  /** Number of requests to answer with 500 before succeeding again. */
  failuresLeft = 0
  readonly caPem: string
  readonly #server: Server

  static async start(): Promise<MediaServer> {
    // The name is unique: of two certificate authorities with the same name, a process would only find the first.
    const name = `local-${randomBytes(8).toString('hex')}`
    const pems = await selfsigned.generate([{ name: 'commonName', value: name }], {
      keyType: 'ec',
      extensions: [
        { name: 'basicConstraints', cA: true },
        { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
      ],
    })
    const media = new MediaServer(pems.private, pems.cert)
    media.#server.listen(0, '127.0.0.1')
    await once(media.#server, 'listening')
    return media
  }

  private constructor(key: string, cert: string) {
    this.caPem = cert
    this.#server = createServer({ key, cert }, (request, response) => this.#answer(request, response))
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (this.failuresLeft > 0) {
      this.failuresLeft--
      response.statusCode = 500
      request.resume()
      return void response.end()
    }
    const { pathname } = new URL(request.url ?? '/', 'https://media')
    if (request.method === 'POST') {
      void buffer(request).then((body) => {
        const directPath = this.put(pathname.split('/').at(-1) ?? 'file', body)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ url: this.url(directPath), direct_path: directPath }))
      })
      return
    }
    const blob = this.blobs.get(pathname)
    response.statusCode = blob ? 200 : this.expired.has(pathname) ? 410 : 404
    response.end(blob)
  }

  /** host:port, in the form sent to the client. */
  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  url(directPath: string): string {
    return `https://${this.host}${directPath}`
  }

  put(token: string, blob: Buffer): string {
    const directPath = `/v/local/${token}`
    this.blobs.set(directPath, blob)
    return directPath
  }

  /** Deletes all files, as WhatsApp does after some weeks. */
  expireAll(): void {
    for (const [path, blob] of this.blobs) this.expired.set(path, blob)
    this.blobs.clear()
  }

  /** Simulates the phone uploading the file again, to a new path. */
  restore(directPath: string): string | undefined {
    const blob = this.expired.get(directPath) ?? this.blobs.get(directPath)
    return blob && this.put(randomBytes(16).toString('hex'), blob)
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
