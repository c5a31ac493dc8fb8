import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import selfsigned from 'selfsigned'

const page = '<!doctype html><html lang="en"><title>WhatsApp Web</title><h1>WhatsApp Web</h1></html>'

/** The page of WhatsApp Web, on loopback: empty, and as strict as the real one about scripts, styles and connections. */
export async function serveWebPage(): Promise<{ port: number; close(): Promise<void> }> {
  const pems = await selfsigned.generate([{ name: 'commonName', value: 'web.whatsapp.com' }], { keyType: 'ec' })
  const server = createServer({ key: pems.private, cert: pems.cert }, (_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.setHeader('content-security-policy', "default-src 'self'; connect-src 'self'; style-src 'self'")
    response.end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
