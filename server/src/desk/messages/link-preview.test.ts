import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { messagesApi } from '@recado/contract/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { parsePagePreview } from './parse-page-preview.ts'

const requestedPaths: string[] = []
const page = `<html><head><title>Otra cosa</title>
  <meta content="Envíos &amp; retiros" property="og:title"><meta name='description' content='A todo\u202E el país'>
  </head><body>${'x'.repeat(600_000)}</body></html>`
const server = createServer((request, response) => {
  requestedPaths.push(request.url ?? '')
  if (request.url === '/moved') return response.writeHead(302, { location: '/page' }).end()
  if (request.url === '/round') return response.writeHead(302, { location: '/round' }).end()
  if (request.url === '/file') return response.writeHead(200, { 'content-type': 'application/zip' }).end('PK')
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
})
let site: string
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await closeTestServers()
  server.closeAllConnections()
  server.close()
})

/** A customer who sends links, and the previews that an agent gets. */
async function openCase(h: TestServer) {
  const d = await openDesk(h)
  const preview = async (text: string, by = d.admin) => {
    const { customer } = await d.newTicket('hola')
    const { id } = await d.waitForMessage(await customer.says(text))
    return by.call(messagesApi.preview, { params: { id: String(id) } })
  }
  return { d, preview }
}

describe('the preview of a link', () => {
  it('has the title of the page, also after a redirect, and is fetched once', async () => {
    const { d, preview } = await openCase(await testServer({ privateTargets: true }))
    const shown = { preview: { title: 'Envíos & retiros', description: 'A todo el país', host: new URL(site).host } }
    expect(await preview(`Mira ${site}/page.`)).toEqual(shown)
    expect(await preview(`De nuevo: ${site}/page`)).toEqual(shown)
    expect(requestedPaths.filter((path) => path === '/page')).toHaveLength(1)
    expect(await preview(`${site}/moved`)).toEqual(shown)
    const none = { preview: null }
    for (const text of [`${site}/round`, `${site}/file`, 'http://127.0.0.1:1/x', 'sin enlace'])
      expect(await preview(text), text).toEqual(none)
    await d.setSetting('linkPreviews', 'disabled')
    requestedPaths.length = 0
    expect(await preview(`${site}/off`)).toEqual(none)
    expect(requestedPaths).toEqual([])
  })

  it('never reaches a private address, and is only for users who see the message', async () => {
    const { d, preview } = await openCase(await testServer())
    requestedPaths.length = 0
    for (const text of [`${site}/page`, site.replace('127.0.0.1', 'localhost'), 'http://169.254.169.254/latest'])
      expect(await preview(text)).toEqual({ preview: null })
    expect(requestedPaths).toEqual([])
    const stranger = await d.createUser('user', [await d.createQueue()])
    const { customer, id } = await d.newTicket('hola')
    await d.putTicket(d.admin, id, { status: 'open', userId: d.admin.id })
    const message = await d.waitForMessage(await customer.says('https://a.example'))
    const ask = () => stranger.request('GET', `/messages/${message.id}/preview`)
    expect(await ask()).toMatchObject({ status: 404 })
    // A user mentioned in a note reads the thread with its previews.
    await d.admin.request('POST', '/ticket-notes', { note: 'Mira esto', ticketId: id, mentions: [stranger.id] })
    expect(await ask()).toMatchObject({ status: 200, body: { preview: null } })
  })
})

it('reads a title and nothing else from a hostile or old page', () => {
  const read = (html: string, encoding: 'utf8' | 'latin1' = 'utf8') => parsePagePreview(Buffer.from(html, encoding))
  expect(read('<title>\n  Hola\n mundo &#128512; &#0;</title>').title).toBe('Hola mundo 😀')
  expect(read('<meta charset="iso-8859-1"><title>Año</title>', 'latin1').title).toBe('Año')
  expect(read('<meta property="og:title" content="<script>">').title).toBe('')
  expect(read(`<title>${'a'.repeat(900)}</title>`).title).toHaveLength(150)
  const start = performance.now()
  read(`<meta ${'content="'.repeat(30_000)}`)
  read('<meta '.repeat(40_000))
  expect(performance.now() - start).toBeLessThan(1000)
})
