import { connectionsApi } from '@recado/contract/connections'
import { queueOptionsApi } from '@recado/contract/queue-options'
import { queuesApi } from '@recado/contract/queues'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CloudDesk, generateWamid, openCloudDesk, openCloudLine, unixSeconds } from '../../../test/cloud-phone.ts'
import { nextPhoneNumber } from '../../../test/desk.ts'
import { readRecording } from '../../../test/recordings.ts'
import { closeTestServers } from '../../../test/test-server.ts'
import { tinyPng } from '../../../test/upload.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'

let desk: CloudDesk
beforeAll(async () => {
  desk = await openCloudDesk()
})
afterAll(async () => {
  await closeTestServers()
  await desk.graph.close()
})

describe('a line on the official API', () => {
  it('is connected when Meta confirms its number, and reports which features it does not support', async () => {
    const row = await desk.line.showLine()
    expect(row).toMatchObject({ status: 'CONNECTED', number: '15550102030', reason: '' })
    expect(row.cannot).toEqual(['edit', 'revoke', 'groups', 'profilePicture', 'contacts'])
    expect(desk.graph.subscribed).toContain(desk.line.account.businessAccountId)
  })

  it('receives a text and sends the answer, with its acknowledgements', async () => {
    const { customer, ticketId, wid } = await desk.startConversation('¿tienen stock?')
    expect(await desk.waitForMessage(wid)).toMatchObject({ body: '¿tienen stock?', fromMe: false, state: 'received' })
    const answer = await desk.send(ticketId, 'Sí, hay tres')
    const taken = await desk.waitForSend(answer)
    expect(taken.body).toMatchObject({ to: customer.phone, type: 'text', text: { body: 'Sí, hay tres' } })
    await desk.waitForMessage(answer, { state: 'sent', ack: 2 })
    // Out-of-order and duplicate statuses are normal.
    await desk.line.deliverChanges(desk.line.status(taken, 'read'), desk.line.status(taken, 'read'))
    await desk.line.deliverChanges(desk.line.status(taken, 'delivered'), desk.line.status(taken, 'sent'))
    await desk.waitForMessage(answer, { state: 'sent', ack: 4 })
    await desk.line.deliverChanges(desk.line.status(taken, 'played'))
    await desk.waitForMessage(answer, { ack: 5 })
  })

  it('marks all opened messages as read by marking the newest, and shows typing', async () => {
    const { customer, ticketId, wid } = await desk.startConversation()
    await desk.admin.request('GET', `/messages/${ticketId}`)
    await vi.waitFor(() => expect(desk.graph.readReceipts).toContainEqual(expect.objectContaining({ message_id: wid })))
    const last = await customer.says('¿siguen ahí?')
    await desk.waitForMessage(last)
    const socketClient = await desk.admin.listen()
    await socketClient.socket.timeout(waitTimeoutMs).emitWithAck('joinChatBox', String(ticketId))
    await socketClient.socket.timeout(waitTimeoutMs).emitWithAck('agentTyping', ticketId, true)
    await vi.waitFor(() =>
      expect(desk.graph.readReceipts).toContainEqual(
        expect.objectContaining({ message_id: last, status: 'read', typing_indicator: { type: 'text' } }),
      ),
    )
    socketClient.close()
  })

  it('translates the message ids in quotes and reactions between Meta and the server', async () => {
    const { customer, ticketId, wid } = await desk.startConversation('pregunta')
    const asked = await desk.waitForMessage(wid)
    const answer = await desk.send(ticketId, 'respuesta', { quotedMsg: { id: String(asked.id) } })
    const taken = await desk.waitForSend(answer)
    expect(taken.body).toMatchObject({ context: { message_id: wid } })
    // The customer quotes the message after reading it, when Meta's id is already stored.
    await desk.waitForMessage(answer, { state: 'sent' })
    const quoting = await customer.says('gracias', { context: { id: taken.wamid, from: '15550102030' } })
    await desk.waitForMessage(quoting, { quotedWid: answer })
    await customer.sends({ type: 'reaction', reaction: { message_id: taken.wamid, emoji: '👍' } })
    await desk.waitForMessage(answer, { reactions: [{ emoji: '👍', fromMe: false, from: customer.phone }] })
    await customer.sends({ type: 'reaction', reaction: { message_id: taken.wamid } })
    await desk.waitForMessage(answer, { reactions: [] })
  })

  it('refuses to revoke a message, which Meta does not support', async () => {
    const { ticketId } = await desk.startConversation()
    const wid = await desk.send(ticketId, 'queda')
    const { id } = await desk.waitForMessage(wid, { state: 'sent' })
    expect(await desk.admin.request('DELETE', `/messages/${id}`)).toMatchObject({
      status: 400,
      body: { error: 'ERR_DELETE_WAPP_MSG' },
    })
    await desk.waitForMessage(wid, { isDeleted: false })
  })
})

describe('the sender of a message', () => {
  it("is one person by number and by Meta's user id, also when the number is hidden", async () => {
    const [phone, userId] = [nextPhoneNumber(), `BR.${Date.now()}`]
    const open = desk.line.customer(phone, 'Rosa', { userId, username: 'rosa.tienda' })
    const first = await desk.waitForMessage(await open.says('hola'))
    const hidden = desk.line.customer(phone, 'Rosa', { userId, hidden: true })
    const second = await desk.waitForMessage(await hidden.says('soy yo'))
    expect(second.contactId).toBe(first.contactId)
    const known = await desk.db
      .selectFrom('contactIdentities')
      .select(['kind', 'value'])
      .where('contactId', '=', first.contactId)
      .orderBy('kind')
      .execute()
    expect(known.map((k) => k.kind)).toEqual(['cloud', 'phone', 'username'])
  })

  it('is answered by the user id while the number is unknown', async () => {
    const userId = `BR.${Date.now()}9`
    const hidden = desk.line.customer('', 'Sin número', { userId, hidden: true, username: 'nadie' })
    const { ticketId } = await desk.waitForMessage(await hidden.says('¿me ven?'))
    await desk.accept(ticketId)
    const { body } = await desk.waitForSend(await desk.send(ticketId, 'sí'))
    expect(body).toMatchObject({ recipient: userId, recipient_type: 'individual' })
    expect(body).not.toHaveProperty('to')
  })
})

describe('files on the official API', () => {
  const upload = (ticketId: number, bytes: Buffer, name: string, type: string, caption = '') => {
    const form = new FormData()
    form.append('body', caption)
    form.append('medias', new File([new Uint8Array(bytes)], name, { type }))
    return desk.admin.request<{ id: string }>('POST', `/messages/${ticketId}`, form)
  }

  it('are downloaded by id in two steps, with their captions', async () => {
    const { customer } = await desk.startConversation()
    const id = desk.graph.storeFile(tinyPng, 'image/png')
    const wid = await customer.sends({ type: 'image', image: { id, mime_type: 'image/png', caption: 'mira' } })
    const row = await desk.waitForMessage(wid, { mediaType: 'image', body: 'mira', mediaState: 'ready' })
    const kept = desk.server.server.deps.files.read(desk.company.id, row.mediaPath as string)
    expect(Buffer.concat(await kept.toArray())).toEqual(tinyPng)
    const gone = await customer.sends({ type: 'document', document: { id: 'nothere', filename: 'lista.pdf' } })
    await desk.waitForMessage(gone, { mediaState: 'failed', error: 'media-missing', mediaName: 'lista.pdf' })
  })

  it('are uploaded first and sent by the returned id', async () => {
    const { ticketId } = await desk.startConversation()
    const { body } = await upload(ticketId, tinyPng, 'foto.png', 'image/png', 'la foto')
    const { body: sent } = await desk.waitForSend(await desk.widOf(body.id))
    expect(sent).toMatchObject({ type: 'image', image: { caption: 'la foto' } })
    const file = desk.graph.files.get((sent.image as { id: string }).id)
    expect(file).toMatchObject({ mime: 'image/png', bytes: tinyPng })
    // A file that Meta accepts as no other kind is sent as a document, with its name.
    const text = await upload(ticketId, Buffer.from('a;b\n1;2\n'), 'precios.csv', 'text/csv')
    const { body: document } = await desk.waitForSend(await desk.widOf(text.body.id))
    expect(document).toMatchObject({ type: 'document', document: { filename: 'precios.csv' } })
  })

  it('are sent as a voice note if recorded, without re-encoding', async () => {
    const { ticketId } = await desk.startConversation()
    const form = new FormData()
    form.append('medias', new File([new Uint8Array(readRecording('two-seconds.mp3'))], 'audio-record-site-1.mp3'))
    form.append('voice', new File([new Uint8Array(readRecording('two-seconds.mp4'))], 'voice'))
    const { body } = await desk.admin.request<{ id: string }>('POST', `/messages/${ticketId}`, form)
    const { body: sent } = await desk.waitForSend(await desk.widOf(body.id))
    expect(sent).toMatchObject({ type: 'audio', audio: { voice: true } })
    const file = desk.graph.files.get((sent.audio as { id: string }).id)
    expect(file).toMatchObject({ mime: 'audio/ogg' })
    expect(file?.bytes.subarray(0, 4).toString()).toBe('OggS')
  })

  it('are refused with a reason if Meta does not accept them', async () => {
    const { ticketId } = await desk.startConversation()
    desk.graph.otherTroubles.push({ kind: 'refuse', code: 131053 })
    const { body } = await upload(ticketId, tinyPng, 'foto.png', 'image/png')
    await desk.waitForMessage(await desk.widOf(body.id), { state: 'failed', error: 'media-refused:131053' })
  })
})

describe('a status for a message whose id is not stored yet', () => {
  it('is applied to that message', async () => {
    const { customer, ticketId } = await desk.startConversation()
    let answered = () => {}
    desk.graph.troubles.push({ kind: 'late', after: new Promise<void>((done) => (answered = done)) })
    const answer = await desk.send(ticketId, 'listo')
    const taken = await desk.waitForSend(answer)
    const reaction = customer.sends({ type: 'reaction', reaction: { message_id: taken.wamid, emoji: '👍' } })
    setTimeout(answered, 150)
    await reaction
    await desk.waitForMessage(answer, { reactions: [{ emoji: '👍', fromMe: false, from: customer.phone }] })
  })
})

describe('menus on the official API', () => {
  it('are sent as buttons, and a pressed button counts as the number a customer would have typed', async () => {
    // The queues are created one after another, so that their order is defined.
    const sales = await desk.admin.call(queuesApi.create, { body: { name: 'Ventas', color: '#00a0b0' } as never })
    const help = await desk.admin.call(queuesApi.create, { body: { name: 'Ayuda', color: '#01a0b0' } as never })
    for (const [n, title] of ['Garantía', 'Una devolución con un nombre muy largo'].entries())
      await desk.admin.call(queueOptionsApi.create, {
        body: { queueId: help.id, parentId: null, option: n + 1, title, message: `Sobre ${title}` } as never,
      })
    const line = await openCloudLine(desk.admin, desk.graph, {
      greetingMessage: 'Hola {{name}}',
      queueIds: [sales.id, help.id],
    })
    await line.waitForStatus('CONNECTED')
    const customer = line.customer(nextPhoneNumber(), 'Rosa')
    const { ticketId } = await desk.waitForMessage(await customer.says('hola'))
    const said = () =>
      desk.graph.acceptedSends
        .filter((t) => t.body.to === customer.phone)
        .map((t) => t.body.interactive as Menu | undefined)
    await vi.waitFor(() => expect(said()).toHaveLength(1))
    expect(said()[0]).toMatchObject({
      type: 'button',
      body: { text: 'Hola Rosa' },
      action: {
        buttons: [
          { type: 'reply', reply: { id: '1', title: 'Ventas' } },
          { type: 'reply', reply: { id: '2', title: 'Ayuda' } },
        ],
      },
    })
    const pick = await customer.sends({
      type: 'interactive',
      interactive: { type: 'button_reply', button_reply: { id: '2', title: 'Ayuda' } },
    })
    await desk.waitForMessage(pick, { body: 'Ayuda' })
    await vi.waitFor(() => expect(said()).toHaveLength(2))
    // The titles are too long for buttons: a list is sent, with the long text in full below each title.
    expect(said()[1]).toMatchObject({ type: 'list' })
    expect(said()[1]?.action.sections?.[0]?.rows).toEqual([
      { id: '1', title: 'Garantía' },
      { id: '2', title: 'Una devolución con un n…', description: 'Una devolución con un nombre muy largo' },
      { id: '#', title: expect.any(String) },
    ])
    await customer.sends({
      type: 'interactive',
      interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Garantía' } },
    })
    await vi.waitFor(async () => expect(await desk.show(ticketId)).toMatchObject({ queueId: help.id, chatbot: false }))
    const { messages } = (await desk.admin.request<{ messages: { body: string }[] }>('GET', `/messages/${ticketId}`))
      .body
    expect(messages.map((m) => m.body)).toContainEqual(expect.stringContaining('*1* Ventas'))
    await desk.admin.call(connectionsApi.remove, { params: { id: line.id } })
  })
  type Menu = { type: string; action: { sections?: { rows: object[] }[] } }
})

describe("a change of a customer's identity at Meta", () => {
  /** A customer without a number, with a ticket; `writeAs` sends under another id. */
  async function hiddenCustomer(userId: string) {
    const customer = desk.line.customer('', 'Rosa', { userId, hidden: true })
    const { ticketId } = await desk.waitForMessage(await customer.says('hola'))
    await desk.accept(ticketId)
    return { ticketId, contactId: (await desk.show(ticketId)).contactId }
  }
  const isIdle = () => desk.server.server.switchboard.inbox.idle()
  const lastRecipient = () => desk.graph.acceptedSends.at(-1)?.body.recipient

  it.each([
    [
      'user_id_update',
      (before: string, now: string) =>
        desk.line.change(
          { user_id_update: [{ user_id: { previous: before, current: now }, timestamp: unixSeconds() }] },
          'user_id_update',
        ),
    ],
    [
      'user_changed_user_id',
      (before: string, now: string) => {
        const system = { type: 'user_changed_user_id', user_id: now, previous_user_id: before }
        const message = { id: generateWamid(), timestamp: unixSeconds(), type: 'system', system }
        return desk.line.change({ messages: [message] })
      },
    ],
  ])('keeps the contact and its ticket when %s replaces the id, and writes to the new id', async (name, change) => {
    const [before, now] = [`AR.${name.length}111`, `AR.${name.length}222`]
    const { ticketId, contactId } = await hiddenCustomer(before)
    await desk.line.deliverChanges(change(before, now))
    await isIdle()
    const writer = desk.line.customer('', 'Rosa', { userId: now, hidden: true })
    expect(await desk.waitForMessage(await writer.says('sigo aquí'))).toMatchObject({ ticketId, contactId })
    await desk.waitForSend(await desk.send(ticketId, 'te leo'))
    expect(lastRecipient()).toBe(now)
  })

  it('moves a contact to a new number, and takes a stranger with the old number for another person', async () => {
    const { customer, ticketId } = await desk.startConversation()
    const next = nextPhoneNumber()
    const system = { type: 'user_changed_number', wa_id: next, user_id: 'AR.9002', previous_user_id: 'AR.9001' }
    await desk.line.deliverChanges(
      desk.line.change({
        messages: [{ id: generateWamid(), from: customer.phone, timestamp: unixSeconds(), type: 'system', system }],
      }),
    )
    await isIdle()
    const moved = await desk.waitForMessage(await desk.line.customer(next).says('cambié de número'))
    expect(moved.ticketId).toBe(ticketId)
    expect((await desk.show(ticketId)).contact.number).toBe(next)
    const stranger = await desk.waitForMessage(await desk.line.customer(customer.phone, 'Otra').says('hola'))
    expect(stranger.ticketId).not.toBe(ticketId)
  })

  it('joins the contact that was made for the new id before the change was reported', async () => {
    const { contactId } = await hiddenCustomer('AR.7001')
    const early = await desk.waitForMessage(
      await desk.line.customer('', 'Rosa', { userId: 'AR.7002', hidden: true }).says('soy yo'),
    )
    expect(early.contactId).not.toBe(contactId)
    await desk.line.deliverChanges(
      desk.line.change(
        { user_id_update: [{ user_id: { previous: 'AR.7001', current: 'AR.7002' }, timestamp: unixSeconds() }] },
        'user_id_update',
      ),
    )
    await isIdle()
    await desk.waitForMessage(early.wid, { contactId })
  })
})

describe('other events on the official API', () => {
  it('store a message typed in the phone app as ours, and a call as a missed call', async () => {
    const { customer, ticketId } = await desk.startConversation()
    const id = generateWamid()
    const echo = { id, from: '15550102030', to: customer.phone, timestamp: unixSeconds(), type: 'text' }
    await desk.line.deliverChanges(
      desk.line.change({ message_echoes: [{ ...echo, text: { body: 'desde el celular' } }] }, 'smb_message_echoes'),
    )
    expect(await desk.waitForMessage(id)).toMatchObject({ ticketId, fromMe: true, body: 'desde el celular' })
    const call = { id: 'wacid.1', from: customer.phone, direction: 'USER_INITIATED', timestamp: unixSeconds() }
    await desk.line.deliverChanges(desk.line.change({ calls: [{ ...call, event: 'connect' }] }, 'calls'))
    await desk.line.deliverChanges(desk.line.change({ calls: [{ ...call, event: 'terminate' }] }, 'calls'))
    await desk.waitForMessage('call:wacid.1', { mediaType: 'call_log', ticketId })
  })

  it('show the ad that made a customer write in the ticket history', async () => {
    const customer = desk.line.customer(nextPhoneNumber())
    const referral = { headline: 'Zapatos 2x1', source_url: 'https://fb.me/x', source_type: 'ad' }
    const { ticketId } = await desk.waitForMessage(await customer.says('quiero', { referral }))
    await desk.server.server.switchboard.inbox.idle()
    const { events } = (
      await desk.admin.request<{ events: { steps: object[] }[] }>('GET', `/tickets/${ticketId}/events`)
    ).body
    expect(events.flatMap((e) => e.steps)).toContainEqual({
      step: 'referral',
      why: 'came-from-an-ad',
      with: { title: 'Zapatos 2x1', url: 'https://fb.me/x' },
    })
  })
})
