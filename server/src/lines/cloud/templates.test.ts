import { templatesApi } from '@recado/contract/cloud'
import { type Message, messagesApi } from '@recado/contract/messages'
import { schedulesApi } from '@recado/contract/schedules/schedules'
import { ticketsApi } from '@recado/contract/tickets'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CloudDesk, openCloudDesk, unixSeconds } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { closeTestServers } from '../../../test/test-server.ts'
import { sendForm, tinyPdf, tinyPng } from '../../../test/upload.ts'
import { vendorTimestampToDate } from '../vendor-timestamp.ts'

const hours = (n: number) => n * 60 * 60 * 1000
let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
  desk.graph.templates.push(...templatesAtMeta)
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

/** A template body in Meta's format, which has two kinds of variables. */
const body = (text: string, example: object) => ({ type: 'BODY', text, example })
const base = { status: 'APPROVED', category: 'UTILITY', parameter_format: 'POSITIONAL' }
const templatesAtMeta = [
  {
    ...base,
    id: '1',
    name: 'pedido_listo',
    language: 'es',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Pedido {{1}}', example: { header_text: ['77'] } },
      body('Hola {{1}}, tu pedido llega el {{2}}.', { body_text: [['Ana', 'lunes']] }),
      { type: 'FOOTER', text: 'Tienda' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Gracias' },
          { type: 'URL', text: 'Seguir', url: 'https://t.example/{{1}}', example: ['https://t.example/9'] },
        ],
      },
    ],
  },
  {
    ...base,
    id: '2',
    name: 'saludo',
    language: 'pt_BR',
    parameter_format: 'NAMED',
    components: [body('Olá {{nome}}!', { body_text_named_params: [{ param_name: 'nome', example: 'Rosa' }] })],
  },
  {
    ...base,
    id: '3',
    name: 'foto',
    language: 'es',
    components: [{ type: 'HEADER', format: 'IMAGE' }, body('Mira {{1}}', { body_text: [['esto']] })],
  },
  {
    ...base,
    id: '6',
    name: 'factura',
    language: 'es',
    components: [{ type: 'HEADER', format: 'DOCUMENT' }, body('Tu factura', {})],
  },
  {
    ...base,
    id: '7',
    name: 'codigo',
    language: 'es',
    category: 'AUTHENTICATION',
    components: [
      body('*{{1}}* es tu código.', { body_text: [['123456']] }),
      { type: 'FOOTER', text: 'Vence en 5 minutos.' },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'Copiar',
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
            example: ['https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456'],
          },
        ],
      },
    ],
  },
  {
    ...base,
    id: '8',
    name: 'cupon',
    language: 'es',
    components: [
      body('Para ti', {}),
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'No' },
          { type: 'COPY_CODE', text: 'Copiar cupón', example: 'SOL25' },
        ],
      },
    ],
  },
  {
    ...base,
    id: '9',
    name: 'catalogo',
    language: 'es',
    components: [body('Mira', {}), { type: 'BUTTONS', buttons: [{ type: 'CATALOG', text: 'Ver' }] }],
  },
  { ...base, id: '4', name: 'rechazada', language: 'es', status: 'REJECTED', components: [body('x', {})] },
  { ...base, id: '5', name: 'simple', language: 'en', category: 'MARKETING', components: [body('Hello', {})] },
]
const list = (refresh = false) =>
  desk.admin.call(templatesApi.list, { query: { whatsappId: desk.line.id, refresh } as never })
const sendTemplate = (ticketId: number, given: object) =>
  desk.admin.request<{ id: string; error: string }>('POST', `/messages/${ticketId}/template`, given)
/** Backdates the messages of a ticket. */
async function age(ticketId: number, ms: number): Promise<void> {
  const at = new Date(Date.now() - ms)
  await desk.db.updateTable('messages').set({ createdAt: at }).where('ticketId', '=', ticketId).execute()
}

describe('templates', () => {
  it('are read from all pages of Meta’s list if approved, with their variables', async () => {
    const { templates, problem, fetchedAt } = await list()
    expect(problem).toBe('')
    expect(fetchedAt).toEqual(expect.any(String))
    expect(templates.map((t) => [t.name, t.language, t.category, t.media, t.unsendable])).toEqual([
      ['catalogo', 'es', 'utility', null, 'button'],
      ['codigo', 'es', 'authentication', null, ''],
      ['cupon', 'es', 'utility', null, ''],
      ['factura', 'es', 'utility', 'document', ''],
      ['foto', 'es', 'utility', 'image', ''],
      ['pedido_listo', 'es', 'utility', null, ''],
      ['saludo', 'pt_BR', 'utility', null, ''],
      ['simple', 'en', 'marketing', null, ''],
    ])
    const gaps = (name: string) => templates.find((t) => t.name === name)?.variables
    expect(gaps('codigo')).toEqual([{ key: 'code', in: 'code', name: 'code', example: '123456' }])
    expect(gaps('cupon')).toEqual([{ key: 'button.1', in: 'button', name: 'Copiar cupón', example: 'SOL25' }])
    expect(gaps('pedido_listo')).toEqual([
      { key: 'header.1', in: 'header', name: '1', example: '77' },
      { key: 'body.1', in: 'body', name: '1', example: 'Ana' },
      { key: 'body.2', in: 'body', name: '2', example: 'lunes' },
      { key: 'button.1', in: 'button', name: 'Seguir', example: 'https://t.example/9' },
    ])
    expect(gaps('saludo')).toEqual([{ key: 'body.nome', in: 'body', name: 'nome', example: 'Rosa' }])
  })

  it('are cached until they are requested again, Meta reports a change, or they expire', async () => {
    const later = () => desk.server.clock.advance(11_000)
    await list()
    const asked = () => desk.graph.calls.filter((c) => c.path.endsWith('message_templates')).length
    const before = asked()
    await list()
    await list(true)
    expect(asked()).toBe(before)
    later()
    await list()
    expect(asked()).toBe(before)
    await list(true)
    expect(asked()).toBeGreaterThan(before)
    const again = asked()
    await desk.line.deliverChanges(
      desk.line.change({ event: 'PAUSED', message_template_name: 'x' }, 'message_template_status_update'),
    )
    await list()
    expect(asked()).toBeGreaterThan(again)
    later()
    desk.graph.otherTroubles.push({ kind: 'refuse', status: 403, code: 200 })
    const kept = await list(true)
    expect([kept.problem, kept.templates.length]).toEqual(['no-permission', 8])
  })

  it('are sent with their variables filled, and shown in the thread as the customer reads them', async () => {
    const { ticketId } = await desk.startConversation()
    const variables = { 'header.1': '77', 'body.1': 'Rosa', 'body.2': 'martes', 'button.1': '9' }
    const message = await desk.admin.call(templatesApi.send, {
      params: { ticketId },
      body: { name: 'pedido_listo', language: 'es', variables } as never,
    })
    expect(message.body).toBe('Pedido 77\n\nHola Rosa, tu pedido llega el martes.\n\nTienda')
    const taken = await desk.waitForSend(await desk.widOf(message.id))
    expect(taken.body).toMatchObject({
      type: 'template',
      template: {
        name: 'pedido_listo',
        language: { code: 'es' },
        components: [
          { type: 'header', parameters: [{ type: 'text', text: '77' }] },
          { type: 'body', parameters: [{ text: 'Rosa' }, { text: 'martes' }] },
          { type: 'button', sub_type: 'url', index: '1', parameters: [{ text: '9' }] },
        ],
      },
    })
    const named = await desk.admin.call(templatesApi.send, {
      params: { ticketId },
      body: { name: 'saludo', language: 'pt_BR', variables: { 'body.nome': 'Rosa' } } as never,
    })
    expect((await desk.waitForSend(await desk.widOf(named.id))).body.template).toMatchObject({
      components: [{ parameters: [{ type: 'text', parameter_name: 'nome', text: 'Rosa' }] }],
    })
  })

  it('can be scheduled, also for a time after the 24-hour window', async () => {
    const { ticketId } = await desk.startConversation()
    const { contactId, whatsappId } = await desk.admin.call(ticketsApi.show, { params: { id: ticketId } })
    const place = await desk.admin.call(schedulesApi.place, { query: { contactId, whatsappId: null } })
    expect(place).toMatchObject({ whatsappId, windowEndsAt: expect.any(String) })
    const variables = { 'header.1': '77', 'body.1': 'Rosa', 'body.2': 'martes', 'button.1': '9' }
    const template = { name: 'pedido_listo', language: 'es', variables }
    const sendAt = new Date(desk.server.clock.now().getTime() + hours(30)).toISOString()
    const write = { body: 'como diga la plantilla', contactId, sendAt, whatsappId }
    const plan = (more: object) => desk.admin.call(schedulesApi.create, { body: { ...write, ...more } as never })
    const made = await plan({ template })
    expect(made).toMatchObject({ body: expect.stringContaining('Hola Rosa'), template: { name: 'pedido_listo' } })
    // Older clients send the whole schedule back: it keeps its template values.
    const back = { params: { id: made.id }, body: { ...made, sendAt } as never }
    expect(await desk.admin.call(schedulesApi.update, back)).toMatchObject({ body: made.body, template: made.template })
    for (const bad of [
      { ...template, variables: {} },
      { ...template, name: 'ninguna' },
    ])
      await expect(plan({ template: bad })).rejects.toThrow(/ERR_VALIDATION|ERR_NO_TEMPLATE_FOUND/)
    const plain = await plan({})
    desk.server.clock.advance(hours(30) + 1000)
    await desk.server.server.switchboard.timers.poll()
    desk.server.clock.advance(-hours(30) - 1000)
    const show = (id: number) => desk.admin.call(schedulesApi.show, { params: { id } })
    expect(await show(plain.id)).toMatchObject({ status: 'ERRO', error: 'window-closed' })
    const { messageId } = await desk.db
      .selectFrom('schedules')
      .select('messageId')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow()
    const taken = await desk.waitForSend(await desk.widOf(String(messageId)))
    expect(taken.body).toMatchObject({ type: 'template', template: { name: 'pedido_listo' } })
  })

  it('support a header file, a one-time code in the text and the button, and a coupon', async () => {
    const { ticketId } = await desk.startConversation()
    const path = `/messages/${ticketId}/template`
    const photo = await sendForm<Message>(desk.admin, path, {
      name: ['foto'],
      language: ['es'],
      variables: [JSON.stringify({ 'body.1': 'esto' })],
      media: [[tinyPng, 'verano']],
    })
    expect(photo).toMatchObject({ status: 200, body: { body: 'Mira esto', mediaType: 'image', mediaState: 'ready' } })
    const bill = { name: ['factura'], language: ['es'], media: [[tinyPdf, 'factura.pdf']] as [Buffer, string][] }
    const sent = {
      foto: await partsOf(photo.body.id),
      factura: await partsOf((await sendForm<Message>(desk.admin, path, bill)).body.id),
      codigo: await partsOf((await fill(ticketId, 'codigo', { code: '778899' })).id),
      cupon: await partsOf((await fill(ticketId, 'cupon', { 'button.1': 'SOL30' })).id),
    }
    const [image, document] = [...desk.graph.files].slice(-2)
    expect(image?.[1]).toMatchObject({ mime: 'image/png', name: 'verano.png', bytes: tinyPng })
    const text = (words: string) => [{ type: 'text', text: words }]
    expect(sent).toEqual({
      foto: [
        { type: 'header', parameters: [{ type: 'image', image: { id: image?.[0] } }] },
        { type: 'body', parameters: text('esto') },
      ],
      factura: [
        {
          type: 'header',
          parameters: [{ type: 'document', document: { id: document?.[0], filename: 'factura.pdf' } }],
        },
      ],
      codigo: [
        { type: 'body', parameters: text('778899') },
        { type: 'button', sub_type: 'url', index: '0', parameters: text('778899') },
      ],
      cupon: [
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '1',
          parameters: [{ type: 'coupon_code', coupon_code: 'SOL30' }],
        },
      ],
    })
  })
  const fill = async (ticketId: number, name: string, variables: object) =>
    (await sendTemplate(ticketId, { name, language: 'es', variables })).body
  const partsOf = async (id: string) =>
    ((await desk.waitForSend(await desk.widOf(id))).body.template as { components: object[] }).components

  it('report an invalid file: missing, of another kind, too large, or not allowed', async () => {
    const { ticketId } = await desk.startConversation()
    const give = (name: string, media: [Buffer, string][], language = 'es') =>
      sendForm(desk.admin, `/messages/${ticketId}/template`, {
        name: [name],
        language: [language],
        variables: ['{"body.1":"x"}'],
        media,
      })
    expect((await give('foto', [])).body).toMatchObject({ error: 'ERR_VALIDATION', fields: { media: 'Required' } })
    expect((await give('foto', [[tinyPdf, 'foto.png']])).body).toMatchObject({ error: 'ERR_FILE_TYPE' })
    const large = Buffer.concat([tinyPng, Buffer.alloc(5 * 1024 * 1024)])
    expect((await give('foto', [[large, 'foto.png']])).body).toMatchObject({ error: 'ERR_FILESIZE_OVER_LIMIT' })
    expect((await give('simple', [[tinyPng, 'foto.png']], 'en')).body).toMatchObject({ fields: { media: 'Invalid' } })
  })

  it('are refused with empty variables, without approval, or of a kind that the server cannot send', async () => {
    const { ticketId } = await desk.startConversation()
    const wrong = [
      [{ name: 'saludo', language: 'pt_BR', variables: {} }, 'ERR_VALIDATION'],
      [{ name: 'saludo', language: 'pt_BR', variables: { 'body.nome': ' ' } }, 'ERR_VALIDATION'],
      [{ name: 'rechazada', language: 'es', variables: {} }, 'ERR_NO_TEMPLATE_FOUND'],
      [{ name: 'simple', language: 'es', variables: {} }, 'ERR_NO_TEMPLATE_FOUND'],
      [{ name: 'catalogo', language: 'es', variables: {} }, 'ERR_TEMPLATE_UNSENDABLE'],
      [{ name: 'codigo', language: 'es', variables: { code: '1234567890123456' } }, 'ERR_VALIDATION'],
    ] as const
    for (const [given, error] of wrong) expect((await sendTemplate(ticketId, given)).body).toMatchObject({ error })
    expect((await sendTemplate(ticketId, wrong[0][0])).body).toMatchObject({
      fields: { 'variables.body.nome': 'Required' },
    })
    const stranger = await desk.company.user('user')
    const answer = await stranger.request('POST', `/messages/${ticketId}/template`, { name: 'simple', language: 'en' })
    expect(answer.body).toMatchObject({ error: 'ERR_NO_TICKET_FOUND' })
  })

  it('are not called unknown while Meta does not answer', async () => {
    const { ticketId } = await desk.startConversation()
    const forget = { templates: null, templatesAt: null }
    await desk.server.wide().db.updateTable('cloudLines').set(forget).where('whatsappId', '=', desk.line.id).execute()
    desk.graph.otherTroubles.push(...Array.from({ length: 3 }, () => ({ kind: 'cut' as const })))
    const given = { name: 'simple', language: 'en' }
    const { status, body: reply } = await sendTemplate(ticketId, given)
    expect([status, reply.error]).toEqual([503, 'ERR_TEMPLATES_UNREACHABLE'])
    desk.graph.otherTroubles.length = 0
    expect((await sendTemplate(ticketId, given)).status).toBe(200)
  })

  it('are sent once when a request is repeated', async () => {
    const { ticketId } = await desk.startConversation()
    const given = { name: 'simple', language: 'en', clientId: `once-${Date.now()}` }
    const [a, b] = await Promise.all([sendTemplate(ticketId, given), sendTemplate(ticketId, given)])
    expect([a.status, a.body.id]).toEqual([200, b.body.id])
  })
})

describe('the 24-hour window', () => {
  it("begins with the customer's message, and is published", async () => {
    const { customer, ticketId } = await desk.startConversation()
    await age(ticketId, hours(1))
    const socketClient = await desk.admin.listen()
    const timestamp = unixSeconds(Date.now() - 60_000)
    const wid = await customer.says('otra cosa', { timestamp })
    await desk.waitForMessage(wid)
    const ends = new Date(vendorTimestampToDate(Number(timestamp)).getTime() + hours(24)).toISOString()
    expect((await desk.show(ticketId)).windowEndsAt).toBe(ends)
    const heard = await vi.waitFor(() => {
      const news = socketClient.received.find(
        (e) => (e.payload?.message as { body?: string } | undefined)?.body === 'otra cosa',
      )
      expect(news).toBeDefined()
      return news?.payload.ticket
    })
    expect(heard).toEqual({ ...(await listed(ticketId)) })
    socketClient.close()
    const sandbox = await desk.server.openLine({ admin: desk.admin })
    await sandbox.customer(nextPhoneNumber()).says('sin límite')
    await vi.waitFor(async () => {
      const { tickets } = await desk.admin.call(ticketsApi.list, {
        query: { status: 'pending', showAll: true } as never,
      })
      expect(tickets.find((t) => t.whatsappId === sandbox.id)).toMatchObject({ windowEndsAt: null })
    })
  })
  const listed = async (id: number) => {
    const { tickets } = await desk.admin.call(ticketsApi.list, { query: { status: 'open', showAll: true } as never })
    return tickets.find((t) => t.id === id)
  }

  it('refuses free text once it is over, and accepts a template', async () => {
    const { customer, ticketId } = await desk.startConversation()
    const failed = await desk.send(ticketId, 'a tiempo')
    await desk.waitForMessage(failed, { state: 'sent' })
    await age(ticketId, hours(24) + 1000)
    const post = (more = {}) => desk.admin.request('POST', `/messages/${ticketId}`, { body: 'tarde', ...more })
    expect(await post()).toMatchObject({ status: 409, body: { error: 'ERR_WINDOW_CLOSED' } })
    await desk.db.updateTable('messages').set({ state: 'failed' }).where('wid', '=', failed).execute()
    const { id } = await desk.waitForMessage(failed)
    await expect(desk.admin.call(messagesApi.retry, { params: { id: String(id) } })).rejects.toMatchObject({
      code: 'ERR_WINDOW_CLOSED',
    })
    const { body } = await sendTemplate(ticketId, { name: 'simple', language: 'en' })
    await desk.waitForSend(await desk.widOf(body.id))
    await customer.says('ahora sí')
    await vi.waitFor(async () => expect((await post()).status).toBe(200))
  })

  it('fails an automatic message after the window once, with a reason', async () => {
    const { ticketId } = await desk.startConversation()
    await age(ticketId, hours(25))
    const ticket = await desk.show(ticketId)
    const sends = desk.graph.calls.length
    await desk.db
      .updateTable('whatsapps')
      .set({ complationMessage: 'Gracias' })
      .where('id', '=', desk.line.id)
      .execute()
    await desk.admin.call(ticketsApi.update, { params: { id: ticket.id }, body: { status: 'closed' } as never })
    const said = desk.db.selectFrom('messages').selectAll().where('ticketId', '=', ticketId).where('fromMe', '=', true)
    await vi.waitFor(async () => {
      const rows = await said.execute()
      expect(rows.map((r) => [r.state, r.error])).toEqual([['failed', 'window-closed']])
    })
    expect(desk.graph.calls.length).toBe(sends)
  })

  it('allows a template as the first message to a contact who never wrote', async () => {
    const contact = (
      await desk.admin.request<{ id: number }>('POST', '/contacts', { name: 'Nueva', number: nextPhoneNumber() })
    ).body
    const ticket = await desk.admin.call(ticketsApi.create, {
      body: { contactId: contact.id, whatsappId: desk.line.id, queueId: null, userId: desk.admin.id } as never,
    })
    expect(ticket.windowEndsAt).toBe('1970-01-01T00:00:00.000Z')
    expect((await desk.admin.request('POST', `/messages/${ticket.id}`, { body: 'hola' })).body).toMatchObject({
      error: 'ERR_WINDOW_CLOSED',
    })
    expect(await sendTemplate(ticket.id, { name: 'simple', language: 'en' })).toMatchObject({ status: 200 })
  })
})
