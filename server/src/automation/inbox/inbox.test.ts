import { mkdir, writeFile } from 'node:fs/promises'
import { placeholderMapImage } from '@recado/contract/text/location-and-card'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { cutConnectionAfter } from '../../../test/database-failures.ts'
import { type Desk, makeTextEvent, nextPhoneNumber, openDesk } from '../../../test/desk.ts'
import { closeTestServers, type SocketClient, type TestServer, testServer } from '../../../test/test-server.ts'
import { tinyJpeg, tinyPdf, tinyPng } from '../../../test/upload.ts'
import { days } from '../../kernel/clock.ts'

let harness: TestServer
let desk: Desk
beforeAll(async () => {
  harness = await testServer()
  desk = await openDesk(harness)
})
afterAll(closeTestServers)

const file = (content: Uint8Array | string, name: string) => new File([content as Uint8Array<ArrayBuffer>], name)
/** A message as the API returns it to agents. */
const showMessage = async (wid: string) => {
  const { ticketId, id } = await desk.waitForMessage(wid)
  const message = (await desk.listMessages(desk.admin, ticketId)).find((m) => m.id === String(id))
  if (!message) throw new Error('not in the thread')
  return message
}
/** The events of one message that a socket client received. */
const publishedMessages = (socketClient: SocketClient, id: string) =>
  socketClient.received.flatMap((n) =>
    n.name.endsWith('appMessage') && (n.payload.message as { id: string }).id === id ? [n.payload] : [],
  )
const untilShown = (wid: string, like: object) =>
  vi.waitFor(async () => expect(await showMessage(wid)).toMatchObject(like), { timeout: 5000 })

describe('an incoming customer message', () => {
  it('becomes one contact, one ticket and one message, and is published only to users who may see it', async () => {
    const socketClient = await desk.admin.listen()
    const lucia = line('5511987654321', 'Lucía')
    const { ticketId } = await desk.waitForMessage(await lucia.says('hola'))
    const news = await socketClient.waitFor(`company-${desk.company.id}-appMessage`, { action: 'create' })
    expect(news).toMatchObject({
      message: { body: 'hola', fromMe: false, ticketId, contact: { name: 'Lucía' } },
      ticket: {
        id: ticketId,
        status: 'pending',
        userId: null,
        user: null,
        unreadMessages: 1,
        lastMessage: 'hola',
        contact: { number: '5511987654321' },
      },
      contact: { name: 'Lucía' },
    })
    expect(socketClient.received.map((n) => n.name)).toContain(`company-${desk.company.id}-ticket`)
    await desk.waitForMessage(await lucia.says('otra'))
    expect(await desk.showTicket(ticketId)).toMatchObject({ unreadMessages: 2, lastMessage: 'otra' })
    expect((await desk.listMessages(desk.admin, ticketId)).map((m) => m.body)).toEqual(['hola', 'otra'])
    socketClient.close()
  })

  it('reaches open browsers although the database connection broke before the commit was confirmed', async () => {
    const { customer, id } = await desk.newTicket()
    await desk.putTicket(desk.admin, id, { status: 'open', userId: desk.admin.id })
    const socketClient = await desk.admin.listen()
    const left = new Promise((resolve) => socketClient.socket.once('disconnect', resolve))
    const event = makeTextEvent(customer.number, 'a media frase')
    const row = await desk.loadLineRow()
    const { inbox } = harness.server.switchboard
    const isPlain = (text: string) => text.includes('insert into journal')
    await expect(cutConnectionAfter('', isPlain, () => inbox.receive(row, [event]))).rejects.toThrow('terminated')
    // The line must deliver the message again, and by then it is already stored.
    await vi.waitFor(() => inbox.receive(row, [event]))
    expect((await desk.listMessages(desk.admin, id)).map((m) => m.body)).toContain('a media frase')
    // A browser that is disconnected this way reconnects by itself.
    expect(await left).toBe('transport close')
    socketClient.close()
  })

  it('is handled in order when it is delivered again after the connection broke before the confirmation', async () => {
    const number = nextPhoneNumber()
    const [first, second] = [makeTextEvent(number, 'primero'), makeTextEvent(number, 'segundo')]
    const row = await desk.loadLineRow()
    const { inbox } = harness.server.switchboard
    const isJournalled = (text: string) => text.includes('insert into journal')
    await expect(cutConnectionAfter('', isJournalled, () => inbox.receive(row, [first]))).rejects.toThrow('terminated')
    await vi.waitFor(() => inbox.receive(row, [first, second]))
    await inbox.idle()
    const { ticketId } = await desk.waitForMessage(first.id)
    expect((await desk.listMessages(desk.admin, ticketId)).map((m) => m.body)).toEqual(['primero', 'segundo'])
    expect(await desk.showTicket(ticketId)).toMatchObject({ lastMessage: 'segundo', unreadMessages: 2 })
  })

  it('is stored once when the same event arrives twice at once', async () => {
    const number = nextPhoneNumber()
    const event = makeTextEvent(number, 'una vez')
    const row = await desk.loadLineRow()
    const { inbox } = harness.server.switchboard
    await Promise.all([inbox.receive(row, [event, event]), inbox.receive(row, [event]), inbox.receive(row, [event])])
    await inbox.idle()
    const { ticketId } = await desk.waitForMessage(event.id)
    expect(await desk.showTicket(ticketId)).toMatchObject({ unreadMessages: 1 })
    expect(await desk.listMessages(desk.admin, ticketId)).toHaveLength(1)
    expect(await desk.listTicketIds(desk.admin, { searchParam: number })).toEqual([ticketId])
  })

  it('is stored once when the same event arrives again a day later', async () => {
    const event = makeTextEvent(nextPhoneNumber(), 'ayer')
    await desk.receive(event)
    const { ticketId } = await desk.waitForMessage(event.id)
    const before = await desk.showTicket(ticketId)
    harness.clock.advance(days(1))
    await desk.receive(event)
    // Sets the clock back, because otherwise every session would have expired.
    harness.clock.advance(-days(1))
    expect(await desk.showTicket(ticketId)).toEqual(before)
    expect(await desk.listMessages(desk.admin, ticketId)).toHaveLength(1)
  })

  it('belongs to the same person with and without the ninth digit', async () => {
    const first = await desk.waitForMessage(await line('551187654322').says('ocho'))
    const second = await desk.waitForMessage(await line('5511987654322').says('nueve'))
    expect(second.ticketId).toBe(first.ticketId)
    expect(await desk.showTicket(first.ticketId)).toMatchObject({ contact: { number: '5511987654322' } })
  })

  it('keeps the order of several messages in a burst and counts them correctly', async () => {
    const burst = line(nextPhoneNumber(), 'Ráfaga')
    const words = Array.from({ length: 30 }, (_, i) => `palabra ${i}`)
    let last = ''
    for (const text of words) last = await burst.says(text)
    const { ticketId } = await desk.waitForMessage(last)
    const rows = await desk.db
      .selectFrom('messages')
      .select('body')
      .where('ticketId', '=', ticketId)
      .orderBy('id')
      .execute()
    expect(rows.map((r) => r.body)).toEqual(words)
    expect(await desk.showTicket(ticketId)).toMatchObject({ unreadMessages: 30, lastMessage: 'palabra 29' })
  })

  it('keeps the sender’s time, also when it arrives late, and is sorted by that time', async () => {
    const number = nextPhoneNumber()
    const at = (minutesAgo: number) => new Date(harness.clock.now().getTime() - minutesAgo * 60_000).toISOString()
    await desk.receive(
      makeTextEvent(number, 'segunda', { at: at(10) }),
      makeTextEvent(number, 'primera', { at: at(180) }),
    )
    const [ticket] = await desk.listTickets(desk.admin, { searchParam: number })
    const messages = await desk.listMessages(desk.admin, ticket?.id as number)
    expect(messages.map((m) => m.body)).toEqual(['primera', 'segunda'])
    expect(Date.parse(messages[0]?.createdAt as string)).toBeLessThan(harness.clock.now().getTime() - 170 * 60_000)
  })

  it('is stripped of characters that PostgreSQL cannot store, and keeps the rest', async () => {
    const number = nextPhoneNumber()
    const wild = makeTextEvent(number, 'antes\u0000después \ud83d y "\\u0000" tal cual')
    const next = makeTextEvent(number, 'sigue')
    await desk.receive(wild, next)
    expect(await desk.waitForMessage(wild.id)).toMatchObject({ body: 'antesdespués \ufffd y "\\u0000" tal cual' })
    expect(await desk.waitForMessage(next.id)).toMatchObject({ body: 'sigue' })
  })

  it('is cut at whole characters in list previews', async () => {
    const long = '😀'.repeat(300)
    const first = await desk.waitForMessage(await line(nextPhoneNumber()).says(long))
    expect((await desk.showTicket(first.ticketId)).lastMessage).toBe('😀'.repeat(255))
    expect(first.body).toBe(long)
  })
})

describe('message kinds', () => {
  it('shows a picture message at once, and its file as soon as it has arrived', async () => {
    const socketClient = await desk.admin.listen()
    const wid = await line(nextPhoneNumber()).sends(file(tinyPng, 'playa.png'), { body: 'mira' })
    await untilShown(wid, { mediaState: 'ready', mediaSize: tinyPng.length, mediaPages: null, error: null })
    const { mediaUrl, id } = await showMessage(wid)
    const address = (mediaUrl as string).replace(/^https?:\/\/[^/]+/, harness.address)
    expect(Buffer.from(await (await fetch(address)).arrayBuffer())).toEqual(tinyPng)
    await vi.waitFor(() => expect(publishedMessages(socketClient, id)).toHaveLength(2))
    expect(publishedMessages(socketClient, id)).toMatchObject([
      {
        action: 'create',
        message: { mediaType: 'image', body: 'mira', mediaName: 'playa.png', mediaState: 'pending', mediaUrl: null },
      },
      { action: 'update', message: { mediaState: 'ready', mediaUrl: expect.stringContaining('playa.png') } },
    ])
    socketClient.close()
  })

  it.each([
    ['audio', file(Buffer.concat([Buffer.from('RIFF\x40\0\0\0WAVEfmt '), Buffer.alloc(64)]), 'nota.wav'), 'audio'],
    [
      'video',
      file(Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'), Buffer.alloc(64)]), 'clip.mp4'),
      'video',
    ],
    ['document', file(tinyPdf, 'factura.pdf'), 'application'],
    ['photo', file(tinyJpeg, 'foto.jpg'), 'image'],
  ])('stores and shows a %s', async (_, given, mediaType) => {
    const wid = await line(nextPhoneNumber()).sends(given)
    await untilShown(wid, { mediaType, mediaState: 'ready', mediaName: given.name })
    const { ticketId } = await desk.waitForMessage(wid)
    expect((await desk.showTicket(ticketId)).lastMessage).toBe(given.name)
  })

  it('stores and shows a sticker', async () => {
    const wid = await line(nextPhoneNumber()).sends(file(tinyPng, 'pegatina.webp'), { kind: 'sticker' })
    await untilShown(wid, { mediaType: 'sticker', mediaState: 'ready' })
  })

  it('shows why a file is missing, after several attempts', async () => {
    const content = (key: Record<string, unknown>) => ({
      kind: 'media' as const,
      mediaType: 'image' as const,
      body: '',
      name: 'x.png',
      key,
    })
    const refused = makeTextEvent(nextPhoneNumber(), '', { content: content({}), fromMe: true })
    const lost = makeTextEvent(nextPhoneNumber(), '', { content: content({ mediaPath: `${'a'.repeat(32)}.png` }) })
    await desk.receive(refused, lost)
    await untilShown(refused.id, { mediaState: 'failed', error: 'media-missing', mediaUrl: null })
    // A message sent from the phone gets its acks, although its file is missing.
    const { id: targetId, chat, at } = refused
    await desk.receive({ kind: 'ack', id: `${targetId}:4`, chat, at, targetId, ack: 4 })
    expect(await showMessage(targetId)).toMatchObject({ ack: 4, mediaState: 'failed', error: 'media-missing' })
    const attempts = async () =>
      (
        await desk.db
          .selectFrom('lineErrands')
          .select('attempts')
          .where('companyId', '=', desk.company.id)
          .executeTakeFirst()
      )?.attempts
    for (const tried of [1, 2, 3, 4]) {
      await vi.waitFor(async () => expect(await attempts()).toBe(tried))
      expect(await showMessage(lost.id)).toMatchObject({ mediaState: 'pending', error: null })
      harness.clock.advance(4 ** tried * 1000)
      harness.server.switchboard.outbox.wake(desk.line.id)
    }
    await untilShown(lost.id, { mediaState: 'failed', error: 'unreachable' })
    expect(await attempts()).toBeUndefined()
    harness.clock.advance(-(4 + 16 + 64 + 256) * 1000)
  })

  it('refuses a file larger than the upload limit', async () => {
    const { dataDir, config } = harness
    const name = `${'b'.repeat(32)}.png`
    await mkdir(`${dataDir}/files/${desk.company.id}`, { recursive: true })
    await writeFile(`${dataDir}/files/${desk.company.id}/${name}`, Buffer.alloc(config.uploadLimit + 1))
    const huge = makeTextEvent(nextPhoneNumber(), '', {
      content: { kind: 'media', mediaType: 'image', body: '', name: 'x.png', key: { mediaPath: name } },
    })
    await desk.receive(huge)
    await untilShown(huge.id, { mediaState: 'failed', error: 'ERR_FILESIZE_OVER_LIMIT' })
  })

  it('stores a location as picture, link and text, which older clients render as HTML', async () => {
    const customer = line(nextPhoneNumber())
    const socketClient = await desk.admin.listen()
    const link = 'https://maps.google.com/maps?q=-34.6%2C-58.38&z=17'
    const body = 'El | <img src=x onerror=alert(1)>'
    const { ticketId } = await desk.waitForMessage(
      await customer.sendEvent('location', { latitude: -34.6, longitude: -58.38, body }),
    )
    const sent = {
      mediaType: 'locationMessage',
      body: `${placeholderMapImage}|${link}|El   &lt;img src=x onerror=alert(1)&gt;`,
    }
    const [place] = await desk.listMessages(desk.admin, ticketId)
    expect(place).toMatchObject(sent)
    expect(await socketClient.waitFor(`company-${desk.company.id}-appMessage`, { action: 'create' })).toMatchObject({
      message: sent,
    })
    socketClient.close()
    await desk.accept(desk.admin, ticketId)
    await desk.send(desk.admin, ticketId, { body: 'ahí voy', quotedMsg: { id: place?.id } })
    expect((await desk.listMessages(desk.admin, ticketId)).at(-1)).toMatchObject({ quotedMsg: sent })
    // Lists show a location as text.
    const bare = await desk.waitForMessage(
      await line(nextPhoneNumber()).sendEvent('location', { latitude: 1.5, longitude: 2.25 }),
    )
    expect((await desk.showTicket(bare.ticketId)).lastMessage).toBe('1.5, 2.25')
  })

  it('stores a contact card unchanged and shows its name', async () => {
    const card = await desk.waitForMessage(
      await line(nextPhoneNumber()).sendEvent('contact', {
        contactName: 'Plomero',
        contactNumber: '+54 9 11 5555-1234',
      }),
    )
    expect(card.mediaType).toBe('contactMessage')
    expect(card.body).toContain('BEGIN:VCARD')
    expect(card.body).toContain('waid=5491155551234')
    expect((await desk.showTicket(card.ticketId)).lastMessage).toBe('Plomero')
  })

  it('stores a placeholder for unknown kinds', async () => {
    const wid = await line(nextPhoneNumber()).sendEvent('unknown', { body: 'pollCreationMessage' })
    expect(await showMessage(wid)).toMatchObject({ mediaType: 'unknown', body: 'pollCreationMessage' })
    const [event] = await desk.listEvents((await desk.waitForMessage(wid)).ticketId)
    expect(event?.steps.map((s) => s.step)).toContain('unknown')
  })

  it('strips invisible characters from the name a customer chose, and keeps the message as it is', async () => {
    const number = nextPhoneNumber()
    const fraud = line(number, '\u202EAna\u200B T\u2066orres\u2069')
    const words = 'hola \u200Fשלום\u200B'
    const wid = await fraud.says(words)
    const { ticketId, body } = await desk.waitForMessage(wid)
    expect(body).toBe(words)
    expect((await desk.showTicket(ticketId)).contact?.name).toBe('Ana Torres')
    await desk.waitForHandled(await fraud.reacts(wid, '👍'))
    expect((await showMessage(wid)).reactions).toMatchObject([{ emoji: '👍', name: 'Ana Torres' }])
    // A name of only invisible characters is replaced by the number.
    const nobody = line(nextPhoneNumber(), '\u200B\u2800\u3164')
    const said = await desk.waitForMessage(await nobody.says('hola'))
    expect((await desk.showTicket(said.ticketId)).contact?.name).toMatch(/^\+?\d{8,}$/)
  })

  it('keeps the last reaction of each person, and no reaction after it is removed', async () => {
    const ana = line(nextPhoneNumber(), 'Ana')
    const wid = await ana.says('¿vienen?')
    const { ticketId } = await desk.waitForMessage(wid)
    await desk.waitForHandled(await ana.reacts(wid, '👍'))
    expect((await showMessage(wid)).reactions).toEqual([{ emoji: '👍', fromMe: false, name: 'Ana' }])
    await desk.waitForHandled(await ana.reacts(wid, '❤️'))
    expect((await showMessage(wid)).reactions).toEqual([{ emoji: '❤️', fromMe: false, name: 'Ana' }])
    await desk.waitForHandled(await ana.reacts(wid, ''))
    expect((await showMessage(wid)).reactions).toEqual([])
    expect(await desk.showTicket(ticketId)).toMatchObject({ unreadMessages: 1 })
    await desk.waitForHandled(await ana.reacts('never-was', '👍'))
  })

  it('shows the quoted message, also when it is a file', async () => {
    const eva = line(nextPhoneNumber(), 'Eva')
    const words = await eva.says('el precio')
    const picture = await eva.sends(file(tinyPng, 'precio.png'), { body: 'este' })
    await untilShown(picture, { mediaState: 'ready' })
    const socketClient = await desk.admin.listen()
    const first = await eva.says('¿cuál?', { quotedId: words })
    const second = await eva.says('¿y ese?', { quotedId: picture })
    expect((await showMessage(first)).quotedMsg).toMatchObject({
      body: 'el precio',
      fromMe: false,
      contact: { name: 'Eva' },
    })
    const quoted = (await showMessage(second)).quotedMsg
    expect(quoted).toMatchObject({ body: 'este', mediaType: 'image' })
    expect(quoted?.mediaUrl).toMatch(/precio\.png/)
    // The fast path publishes the message in the same form as the API returns it.
    const read = await showMessage(second)
    await vi.waitFor(() =>
      expect(publishedMessages(socketClient, read.id)).toMatchObject([{ action: 'create', message: read }]),
    )
    const lost = await eva.says('¿y esto?', { quotedId: 'never-was' })
    expect((await showMessage(lost)).quotedMsg).toBeNull()
    socketClient.close()
  })

  it('shows an edited text marked as edited, also in the list', async () => {
    const ana = line(nextPhoneNumber(), 'Ana')
    const wid = await ana.says('a las 5')
    const { ticketId } = await desk.waitForMessage(wid)
    const socketClient = await desk.admin.listen()
    await desk.waitForHandled(await ana.edits(wid, 'a las 6'))
    expect(await showMessage(wid)).toMatchObject({ body: 'a las 6', isEdited: true })
    expect((await desk.showTicket(ticketId)).lastMessage).toBe('a las 6')
    expect(await socketClient.waitFor(`company-${desk.company.id}-appMessage`, { action: 'update' })).toMatchObject({
      message: { body: 'a las 6', isEdited: true },
    })
    await ana.says('dije 6')
    await desk.waitForHandled(await ana.edits(wid, 'a las 7'))
    expect((await desk.showTicket(ticketId)).lastMessage).toBe('dije 6')
    socketClient.close()
  })

  it('keeps a deleted message in place without its text, also in the list', async () => {
    const ana = line(nextPhoneNumber(), 'Ana')
    const wid = await ana.says('mi clave es 1234')
    const { ticketId } = await desk.waitForMessage(wid)
    const answer = await ana.says('perdón', { quotedId: wid })
    await desk.waitForHandled(await ana.deletes(wid))
    expect(await showMessage(wid)).toMatchObject({ isDeleted: true, body: '' })
    expect((await showMessage(answer)).quotedMsg).toMatchObject({ isDeleted: true, body: '' })
    expect((await desk.showTicket(ticketId)).lastMessage).toBe('perdón')
    const paper = await ana.sends(file(tinyPng, 'despido.png'))
    const about = await ana.says('era para otro', { quotedId: paper })
    await desk.waitForHandled(await ana.deletes(paper))
    expect(await showMessage(paper)).toMatchObject({ isDeleted: true, mediaUrl: null, mediaName: null })
    expect((await showMessage(about)).quotedMsg).toMatchObject({ isDeleted: true, mediaUrl: null })
    await desk.waitForHandled(await ana.deletes(about))
    await desk.waitForHandled(await ana.deletes(answer))
    expect((await desk.showTicket(ticketId)).lastMessage).toBe('Mensaje eliminado')
  })

  it('shows a call as missed, and asks the caller to write where calls are off', async () => {
    const caller = line(nextPhoneNumber(), 'Apurado')
    const wid = await caller.calls()
    await desk.waitForHandled(wid)
    const { ticketId } = await desk.waitForMessage(`call:${wid}`)
    const messages = await desk.listMessages(desk.admin, ticketId)
    expect(messages.map((m) => [m.mediaType, m.fromMe, m.bot])).toEqual([
      ['call_log', false, null],
      ['conversation', true, 'call'],
    ])
    expect(await desk.showTicket(ticketId)).toMatchObject({ status: 'pending', unreadMessages: 1 })
    await vi.waitFor(async () => expect((await caller.listMessages()).at(-1)?.body).toMatch(/no atendemos llamadas/))
    await desk.setSetting('call', 'enabled')
    const again = await caller.calls()
    await desk.waitForHandled(again)
    expect((await desk.listMessages(desk.admin, ticketId)).map((m) => m.mediaType)).toEqual([
      'call_log',
      'conversation',
      'call_log',
    ])
    expect(await desk.showTicket(ticketId)).toMatchObject({ unreadMessages: 2, lastMessage: 'Llamada perdida' })
    await desk.setSetting('call', 'disabled')
  })

  it('takes a name from the phone’s address book for a contact without a name, and creates no contacts from it', async () => {
    const number = nextPhoneNumber()
    const { ticketId } = await desk.waitForMessage(await line(number).says('soy yo'))
    expect((await desk.showTicket(ticketId)).contact.name).toBe(number)
    const about = (phone: string, name: string) => ({
      kind: 'contact' as const,
      id: `c${phone}`,
      chat: `${phone}@s.whatsapp.net`,
      at: new Date().toISOString(),
      person: { phone },
      name,
      picture: 'https://pic.test/1.jpg',
    })
    const stranger = nextPhoneNumber()
    await desk.receive(about(number, 'Doña Rosa'), about(stranger, 'Nadie'))
    expect((await desk.showTicket(ticketId)).contact).toMatchObject({
      name: 'Doña Rosa',
      profilePicUrl: 'https://pic.test/1.jpg',
    })
    expect(await desk.db.selectFrom('contacts').select('id').where('number', '=', stranger).execute()).toEqual([])
  })
})

describe('groups', () => {
  it('are ignored where the company turned them off, and the reason is recorded', async () => {
    const { number: group } = await desk.line.group('Familia', ['5511900000001'])
    const wid = await line('5511900000001', 'Tío').says('hola a todos', { group })
    expect(await desk.waitForHandled(wid)).toMatchObject({ ticketId: null, error: null })
    expect((await desk.line.customer(group).inside()).at(-1)?.steps.map((s) => s.why)).toContain('groups-are-off')
    expect(await desk.listTicketIds(desk.admin, { searchParam: 'hola a todos' })).toEqual([])
  })

  it('are stored as one contact and one ticket, with the author’s name on each message', async () => {
    await desk.setSetting('CheckMsgIsGroup', 'disabled')
    const { number: group } = await desk.line.group('Obra', ['5511900000002', '5511900000003'])
    const one = await desk.waitForMessage(await line('5511900000002', 'Beto').says('llegó el cemento', { group }))
    const two = await desk.waitForMessage(await line('5511900000003', 'Caro').says('voy', { group }))
    expect(two.ticketId).toBe(one.ticketId)
    expect(await desk.showTicket(one.ticketId)).toMatchObject({
      isGroup: true,
      contact: { name: 'Obra', number: group },
      unreadMessages: 2,
    })
    const messages = await desk.listMessages(desk.admin, one.ticketId)
    expect(messages.map((m) => [m.contact?.name, m.body])).toEqual([
      ['Beto', 'llegó el cemento'],
      ['Caro', 'voy'],
    ])
    // The vendor does not name the author of this message.
    const nameless = makeTextEvent('x', 'anónimo', {
      chat: `${group}@g.us`,
      person: {},
      group: { id: group, name: 'Obra', author: {}, authorName: '' },
    })
    await desk.receive(nameless)
    expect((await desk.waitForMessage(nameless.id)).ticketId).toBe(one.ticketId)
    await desk.setSetting('CheckMsgIsGroup', 'enabled')
  })
})

describe('outgoing messages from the phone', () => {
  it('appear once, and clear the unread counter', async () => {
    const { customer, id } = await desk.newTicket('¿están?')
    const socketClient = await desk.admin.listen()
    await desk.waitForMessage(await customer.says('sí, acá', { fromMe: true }))
    const messages = await desk.listMessages(desk.admin, id)
    expect(messages.map((m) => [m.body, m.fromMe, m.read, m.ack])).toEqual([
      ['¿están?', false, true, 0],
      ['sí, acá', true, true, 2],
    ])
    expect(await desk.showTicket(id)).toMatchObject({ unreadMessages: 0, lastMessage: 'sí, acá', status: 'pending' })
    await socketClient.waitFor(`company-${desk.company.id}-ticket`, { action: 'updateUnread', ticketId: id })
    socketClient.close()
  })

  it('open a ticket for a new contact', async () => {
    const { ticketId } = await desk.waitForMessage(
      await line(nextPhoneNumber()).says('le escribo por su pedido', { fromMe: true }),
    )
    expect(await desk.showTicket(ticketId)).toMatchObject({ status: 'pending', unreadMessages: 0 })
  })

  it('are not duplicated when the phone echoes them', async () => {
    const { customer, id } = await desk.openTicket(desk.admin)
    const sent = await desk.send(desk.admin, id, 'ya voy')
    const { wid } = await desk.db
      .selectFrom('messages')
      .select('wid')
      .where('id', '=', Number(sent.id))
      .executeTakeFirstOrThrow()
    await desk.receive(makeTextEvent(customer.number, 'ya voy', { id: wid, fromMe: true }))
    expect((await desk.listMessages(desk.admin, id)).map((m) => m.body)).toEqual(['hola', 'ya voy'])
    const [last] = await desk.listEvents(id)
    expect(last?.steps.at(-1)).toMatchObject({ step: 'duplicate', why: 'our-own-echo' })
  })

  it('get their acks also when acks and messages arrive together', async () => {
    const number = nextPhoneNumber()
    const own = makeTextEvent(number, 'desde el teléfono', { fromMe: true })
    const tick = (ack: 2 | 3 | 4) => ({
      kind: 'ack' as const,
      id: `${own.id}:${ack}`,
      chat: own.chat,
      at: own.at,
      targetId: own.id,
      ack,
    })
    await desk.receive(own, tick(3), tick(4), tick(2))
    expect((await desk.waitForMessage(own.id)).ack).toBe(4)
  })
})

describe('several identities of one person', () => {
  it('are one contact and one ticket when the LID comes first and the number later', async () => {
    const eva = line(nextPhoneNumber(), 'Eva')
    const first = await desk.waitForMessage(await eva.says('sin número', { lid: '998001', onlyLid: true }))
    const second = await desk.waitForMessage(await eva.says('con número', { lid: '998001' }))
    const third = await desk.waitForMessage(await eva.says('solo número'))
    expect([second.ticketId, third.ticketId]).toEqual([first.ticketId, first.ticketId])
    expect(await desk.showTicket(first.ticketId)).toMatchObject({
      contact: { number: eva.number, name: 'Eva' },
      unreadMessages: 3,
    })
  })

  it('keep the order of their messages, also when a later one could take the fast path', async () => {
    const eva = line(nextPhoneNumber(), 'Eva')
    const { ticketId } = await desk.waitForMessage(await eva.says('hola', { lid: '998003' }))
    const byLid = { person: { lid: '998003' }, chat: '998003@lid', pushName: 'Eva' }
    const place = { kind: 'location', latitude: 1, longitude: 2, name: 'primero' } as const
    await desk.receive(
      makeTextEvent(eva.number, 'primero', { ...byLid, content: place }),
      makeTextEvent(eva.number, 'segundo', { pushName: 'Eva' }),
    )
    await harness.server.switchboard.inbox.idle()
    const stored = desk.db.selectFrom('messages').select('mediaType').where('ticketId', '=', ticketId).orderBy('id')
    expect((await stored.execute()).map((m) => m.mediaType)).toEqual([
      'conversation',
      'locationMessage',
      'conversation',
    ])
  })

  it('are merged when two active tickets turn out to be of one person, and the merge is published', async () => {
    const eva = line(nextPhoneNumber(), 'Eva')
    const hidden = await desk.waitForMessage(await eva.says('hola', { lid: '998002', onlyLid: true }))
    const numbered = await desk.waitForMessage(await eva.says('¿hay alguien?'))
    expect(numbered.ticketId).not.toBe(hidden.ticketId)
    await desk.accept(desk.admin, numbered.ticketId)
    const socketClient = await desk.admin.listen()
    const proof = await desk.waitForMessage(await eva.says('soy la misma', { lid: '998002' }))
    // The attended ticket stays active, and takes over the unread count.
    expect(proof.ticketId).toBe(numbered.ticketId)
    expect(await desk.showTicket(hidden.ticketId)).toMatchObject({ status: 'closed', contact: { number: eva.number } })
    expect(await desk.showTicket(numbered.ticketId)).toMatchObject({ status: 'open', unreadMessages: 3 })
    expect(
      (await desk.listMessages(desk.admin, numbered.ticketId, { markAsRead: 'false' })).map((m) => m.body),
    ).toEqual(['hola', '¿hay alguien?', 'soy la misma'])
    const name = `company-${desk.company.id}-ticket`
    await socketClient.waitFor(name, { action: 'delete', ticketId: hidden.ticketId })
    await vi.waitFor(() => {
      const last = socketClient.received.findLast((n) => (n.payload.ticket as { id: number })?.id === hidden.ticketId)
      expect(last).toMatchObject({ name, payload: { action: 'update', ticket: { status: 'closed' } } })
    })
    // The agent who has the active ticket open has not read the messages of the merged ticket.
    const { contactId } = await desk.showTicket(numbered.ticketId)
    for (const one of [numbered.contactId, contactId])
      await socketClient.waitFor(`company-${desk.company.id}-thread`, { contactId: one, whatsappId: desk.line.id })
    // Lists get the number from the contact event.
    expect(
      socketClient.received.findLast((n) => n.name === `company-${desk.company.id}-contact`)?.payload,
    ).toMatchObject({
      action: 'update',
      contact: { number: eva.number, name: 'Eva' },
    })
    const [tracked] = await desk.listSegments(hidden.ticketId)
    expect(tracked?.finishedAt).not.toBeNull()
    const events = await desk.listEvents(hidden.ticketId)
    expect(events.flatMap((e) => e.steps)).toContainEqual(
      expect.objectContaining({ step: 'resolved', why: 'same-person' }),
    )
    socketClient.close()
  })
})

describe('typing indicators', () => {
  it('are published to users who see the ticket, and not stored', async () => {
    const { customer, id } = await desk.newTicket()
    const [socketClient, other] = [await desk.admin.listen(), await (await desk.createUser('user')).listen()]
    await customer.setTyping()
    await socketClient.waitFor(`company-${desk.company.id}-typing`, { ticketId: id, typing: true })
    await customer.setTyping(false)
    await socketClient.waitFor(`company-${desk.company.id}-typing`, { ticketId: id, typing: false })
    await line(nextPhoneNumber()).setTyping()
    await other.whenCaughtUp()
    expect(other.received.filter((n) => n.name.endsWith('typing'))).toEqual([])
    socketClient.close()
    other.close()
  })
})

function line(number: string, name?: string) {
  return desk.line.customer(number, name)
}
