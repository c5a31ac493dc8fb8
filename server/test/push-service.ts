import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type ReceivedPush = { path: string; headers: IncomingHttpHeaders; notification: Record<string, string> }
export type PushBrowser = ReturnType<Awaited<ReturnType<typeof openPushService>>['browser']>

/** A fake push service, and browsers that can decrypt its messages. */
export async function openPushService() {
  const pushed: ReceivedPush[] = []
  const browsers = new Map<string, { keys: ECDH; secret: Buffer }>()
  /** The status for each endpoint, if not 201 Created. */
  const answers = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const path = request.url ?? ''
    const browser = browsers.get(path)
    const status = answers.get(path) ?? 201
    if (browser && status === 201)
      pushed.push({
        path,
        headers: request.headers,
        notification: JSON.parse(decryptPush(Buffer.concat(parts), browser)),
      })
    else pushed.push({ path, headers: request.headers, notification: {} })
    response.writeHead(status).end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function browser() {
    const path = `/browser/${browsers.size + 1}`
    const keys = createECDH('prime256v1')
    keys.generateKeys()
    const secret = randomBytes(16)
    browsers.set(path, { keys, secret })
    const subscription = {
      endpoint: `${address}${path}`,
      keys: { p256dh: keys.getPublicKey().toString('base64url'), auth: secret.toString('base64url') },
    }
    return {
      subscription,
      received: () => pushed.filter((p) => p.path === path),
      answer: (status: number) => void answers.set(path, status),
    }
  }
  return {
    browser,
    pushes: pushed,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Decrypts by RFC 8291 and 8188: salt, record size, the sender's key, and one record. */
function decryptPush(body: Buffer, { keys, secret }: { keys: ECDH; secret: Buffer }): string {
  const salt = body.subarray(0, 16)
  const sender = body.subarray(21, 21 + (body[20] as number))
  const record = body.subarray(21 + (body[20] as number))
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const shared = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), secret, info, 32))
  const derived = (what: string, size: number) =>
    Buffer.from(hkdfSync('sha256', shared, salt, `Content-Encoding: ${what}\0`, size))
  const decipher = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12))
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8')
}
