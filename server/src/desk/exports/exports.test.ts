import type { Queue } from '@recado/contract/queues'
import { sql } from 'kysely'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Desk, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

const get = (who: TestUser, id: number, format: string) =>
  fetch(`${harness.address}/tickets/${id}/export?format=${format}`, {
    headers: { authorization: `Bearer ${who.token}` },
  })

it('exports a conversation as text, as one HTML page and as PDF, with its images and without active content', async () => {
  const { customer, id } = await desk.newTicket('¿Están? 👋 <script>alert(1)</script>', 'Sol "Ñandú" <b>')
  await desk.accept(desk.admin, id)
  await desk.waitForMessage(await customer.sends(new File([tinyPng], 'casa & sol.png', { type: 'image/png' })))
  const gone = await customer.says('esto lo borro')
  await desk.waitForMessage(gone)
  await desk.waitForHandled(await customer.deletes(gone))

  const text = await get(desk.admin, id, 'text')
  expect(text.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const said = await text.text()
  expect(said).toContain('¿Están? 👋 <script>alert(1)</script>')
  expect(said).toContain('[Foto] casa_&_sol.png')
  expect(said).toContain('[Mensaje eliminado]')
  expect(said).not.toContain('esto lo borro')
  expect(said).toMatch(/Conversación con Sol "Ñandú" <b>/)

  const page = await get(desk.admin, id, 'html')
  expect(page.headers.get('content-disposition')).toMatch(/^attachment; filename="Sol .and. b \d+\.html"/)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  const html = await page.text()
  expect(html).toContain('¿Están? 👋 &lt;script&gt;alert(1)&lt;/script&gt;')
  expect(html).toContain('Sol &quot;Ñandú&quot; &lt;b&gt;')
  expect(html).toContain(`src="data:image/png;base64,${tinyPng.toString('base64')}"`)
  expect(html).not.toContain('<script')
  expect(html).not.toMatch(/(src|href)="(?!data:image\/png)/)

  const paper = await get(desk.admin, id, 'pdf')
  expect(paper.headers.get('content-type')).toBe('application/pdf')
  const read = await extractText(await getDocumentProxy(new Uint8Array(await paper.arrayBuffer())), {
    mergePages: true,
  })
  expect(read.text).toContain('¿Están? 👋')
  expect(read.text).toContain('Ñandú')
  expect((await get(desk.admin, id, 'docx')).status).toBe(400)
})

it('says why the ticket was closed', async () => {
  const { body: queue } = await desk.admin.request<Queue>('POST', '/queue', {
    ...{ name: 'Excursiones', color: '#0a0b0c' },
    closing: { reasons: [{ name: 'Viaje confirmado' }], fields: [{ name: 'Pagó', kind: 'yesNo' }] },
  })
  const { id } = await desk.newTicket('hola')
  await desk.putTicket(desk.admin, id, {
    ...{ status: 'closed', queueId: queue.id, closingReasonId: queue.closing.reasons[0]?.id },
    ...{ closingFields: [{ id: queue.closing.fields[0]?.id, value: true }], closingNote: 'Cuatro personas' },
  })
  const text = await (await get(desk.admin, id, 'text')).text()
  expect(text).toMatch(/Cerrado el .+: Viaje confirmado · Pagó: sí · Cuatro personas/)
})

it('exports only messages that the user may see', async () => {
  const [sales, stock] = [await desk.createQueue(), await desk.createQueue()]
  const { id } = await desk.newTicket('de ventas')
  await desk.putTicket(desk.admin, id, { queueId: sales.id })
  const [seller, storekeeper] = [await desk.createUser('user', [sales]), await desk.createUser('user', [stock])]
  expect((await get(seller, id, 'text')).status).toBe(200)
  const refused = await storekeeper.request('GET', `/tickets/${id}`)
  expect(refused.status).toBeGreaterThanOrEqual(403)
  for (const format of ['text', 'html', 'pdf']) expect((await get(storekeeper, id, format)).status).toBe(refused.status)
})

it('exports every message of a long conversation once, in order', async () => {
  const { id } = await desk.newTicket('la primera')
  // Many messages have the same time, so that page boundaries fall between them.
  await sql`insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
    select m."companyId", m."ticketId", m."contactId", m."whatsappId", 'long-' || n, false, 'n' || n || '.', m."createdAt" + interval '1 second' * (n / 150)
    from messages m, generate_series(1, 420) n where m."ticketId" = ${id}`.execute(harness.wide().db)
  const numbers = [...(await (await get(desk.admin, id, 'text')).text()).matchAll(/^n(\d+)\.$/gm)].map(([, n]) =>
    Number(n),
  )
  expect(numbers).toEqual(Array.from({ length: 420 }, (_, i) => i + 1))
})

it('creates two exports at a time per company, however many are requested, without blocking other companies', async () => {
  const { id } = await desk.newTicket('mucho')
  // The export is larger than the connection buffers, and nobody reads it, so it does not end.
  await sql`insert into messages ("companyId", "ticketId", "contactId", "whatsappId", wid, "fromMe", body, "createdAt")
    select m."companyId", m."ticketId", m."contactId", m."whatsappId", 'much-' || n, false, repeat('palabra ', 2000), m."createdAt"
    from messages m, generate_series(1, 800) n where m."ticketId" = ${id}`.execute(harness.wide().db)
  const open = (who: TestUser, ticketId: number, format: string) =>
    fetch(`${harness.address}/tickets/${ticketId}/export?format=${format}`, {
      headers: { authorization: `Bearer ${who.token}`, 'accept-encoding': 'identity' },
    })
  const held = [await open(desk.admin, id, 'text'), await open(desk.admin, id, 'html')]
  expect(held.map(({ status }) => status)).toEqual([200, 200])
  const eleven = Array.from({ length: 11 }, () => open(desk.admin, id, 'pdf'))
  // Ten exports wait; the eleventh is refused at once.
  const refused = await Promise.race(eleven)
  expect([refused.status, await refused.json()]).toEqual([429, { error: 'ERR_TOO_MANY_TRIES' }])
  const other = await openDesk(harness)
  const { id: theirs } = await other.newTicket('hola')
  expect((await get(other.admin, theirs, 'pdf')).status).toBe(200)
  for (const one of held) await one.body?.cancel()
  const rest = await Promise.all(
    eleven.map(async (asked) => {
      const { status, body, bodyUsed } = await asked
      if (!bodyUsed) await body?.cancel()
      return status
    }),
  )
  expect(rest.toSorted()).toEqual([...Array.from({ length: 10 }, () => 200), 429])
})
