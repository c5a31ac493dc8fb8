import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CloudSession } from './cloud-link.ts'
import { parseMetaContent } from './content.ts'
import { toCloudFailure } from './failures.ts'
import { chooseMetaMediaKind } from './files.ts'
import { buildInteractive } from './interactive.ts'
import { parseNotification } from './parse-notification.ts'
import { buildPayload, parseRecipient } from './payload.ts'

const notice = (value: object, field = 'messages') => ({
  entry: [{ id: '2', changes: [{ field, value: { metadata: { phone_number_id: '1' }, ...value } }] }],
})
const from = { from: '5511980000000', id: 'wamid.A', timestamp: '1700000000' }
const contacts = [{ wa_id: '5511980000000', profile: { name: 'Rosa' } }]
const eventOf = (message: object) =>
  parseNotification(notice({ contacts, messages: [{ ...from, ...message }] }))[0]?.events[0]

describe('incoming events from Meta', () => {
  it.each([
    [
      { type: 'text', text: { body: 'hola' } },
      { kind: 'text', body: 'hola' },
    ],
    [
      { type: 'audio', audio: { id: '9', voice: true } },
      { kind: 'media', mediaType: 'audio', key: { mediaId: '9' }, name: 'audio.ogg' },
    ],
    [
      { type: 'document', document: { id: '9', filename: 'a.pdf', caption: 'c' } },
      { kind: 'media', mediaType: 'application', name: 'a.pdf', body: 'c' },
    ],
    [
      { type: 'sticker', sticker: { id: '9' } },
      { kind: 'media', mediaType: 'sticker' },
    ],
    [
      { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Sé', address: 'Praça' } },
      { kind: 'location', latitude: -23.5, longitude: -46.6, name: 'Sé, Praça' },
    ],
    [
      { type: 'button', button: { text: 'Sí', payload: 'YES' } },
      { kind: 'text', body: 'Sí' },
    ],
    [
      { type: 'interactive', interactive: { list_reply: { id: '3', title: 'Ventas' } } },
      { kind: 'text', body: 'Ventas', choice: '3' },
    ],
    [
      {
        type: 'interactive',
        interactive: { nfm_reply: { body: 'Sent', response_json: '{"talla":"M","flow_token":"x"}' } },
      },
      { kind: 'text', body: 'Sent\ntalla: M' },
    ],
    [
      {
        type: 'order',
        order: {
          text: 'para hoy',
          product_items: [{ product_retailer_id: 'SKU1', quantity: 2, item_price: 10, currency: 'BRL' }],
        },
      },
      { kind: 'text', body: '🛒\n2 × SKU1 (10 BRL)\npara hoy' },
    ],
    [
      { type: 'system', system: { body: 'Rosa changed numbers' } },
      { kind: 'unknown', what: 'Rosa changed numbers' },
    ],
    [
      { type: 'unsupported', errors: [{ code: 131051, title: 'Unsupported' }] },
      { kind: 'unknown', what: 'Unsupported' },
    ],
    [
      { type: 'hologram', hologram: {} },
      { kind: 'unknown', what: 'hologram' },
    ],
    [
      { type: 'image', image: {} },
      { kind: 'unknown', what: 'image' },
    ],
    [
      { type: 'text', text: {} },
      { kind: 'unknown', what: 'text' },
    ],
  ])('are shown by their kind: %j', (message, content) => {
    expect(eventOf(message)).toMatchObject({
      kind: 'message',
      id: 'wamid.A',
      chat: '5511980000000@s.whatsapp.net',
      at: '2023-11-14T22:13:20.999Z',
      pushName: 'Rosa',
      person: { phone: '5511980000000' },
      content,
    })
  })

  it('include cards with their numbers, and a name cannot add a row to the card', () => {
    const name = { formatted_name: 'Ana\nTEL:666' }
    const content = parseMetaContent({
      type: 'contacts',
      contacts: [{ name, phones: [{ phone: '+55 11 98', wa_id: '551198' }], org: { company: 'ACME' } }],
    })
    expect(content).toEqual({
      kind: 'contact',
      cards: [
        {
          name: 'Ana TEL:666',
          vcard: 'BEGIN:VCARD\nVERSION:3.0\nFN:Ana TEL:666\nORG:ACME\nTEL;type=CELL;waid=551198:+55 11 98\nEND:VCARD',
        },
      ],
    })
  })

  it('identify people by every id that Meta sends, with or without a number', () => {
    const hidden = { id: 'wamid.B', type: 'text', text: { body: 'x' }, from_user_id: 'BR.77' }
    const who = [{ user_id: 'BR.77', profile: { name: 'Rosa', username: 'rosa' } }]
    expect(parseNotification(notice({ contacts: who, messages: [hidden] }))[0]?.events[0]).toMatchObject({
      chat: 'BR.77@cloud',
      person: { cloud: 'BR.77', username: 'rosa' },
    })
    // Some notifications have the user id in the place of the number.
    const odd = { ...hidden, from: 'BR.77', from_user_id: undefined }
    expect(parseNotification(notice({ messages: [odd] }))[0]?.events[0]).toMatchObject({ person: { cloud: 'BR.77' } })
    expect(parseNotification(notice({ messages: [{ ...hidden, from_user_id: undefined }] }))[0]?.events).toEqual([])
  })

  it("translate a status to our message id if we sent it along; other statuses keep Meta's id", () => {
    const own = '3EB00123456789ABCDEF01'
    const status = { id: 'wamid.S', timestamp: '1700000000', recipient_id: '5511980000000' }
    const [heard] = parseNotification(
      notice({
        statuses: [
          { ...status, status: 'delivered', biz_opaque_callback_data: own },
          { ...status, status: 'read', biz_opaque_callback_data: 'of another app' },
          { ...status, status: 'failed', biz_opaque_callback_data: own, errors: [{ code: 131047, title: 'Late' }] },
          { ...status, status: 'warning' },
        ],
      }),
    )
    expect(heard?.events).toMatchObject([
      { kind: 'ack', id: 'wamid.S:delivered', targetId: own, ack: 3 },
      { kind: 'ack', targetId: 'wamid.S', ack: 4 },
      { kind: 'failed', targetId: own, reason: 'window-closed:131047', detail: 'Late' },
    ])
    expect(heard?.sent).toEqual([{ wid: own, wamid: 'wamid.S' }])
  })

  it('are parsed without errors, whatever they contain', () => {
    const wild = fc.jsonValue({ maxDepth: 6 })
    const keys = [
      'entry',
      'changes',
      'field',
      'value',
      'messages',
      'statuses',
      'contacts',
      'id',
      'from',
      'type',
      'text',
    ]
    const likely = fc.letrec((tie) => ({
      node: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom('messages', 'text', 'image', 'wamid.x', '55119', null, 7, true),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...keys), tie('node'), { maxKeys: 5 }),
      ),
    })).node
    fc.assert(fc.property(fc.oneof(wild, likely), (value) => void parseNotification({ entry: value, changes: value })))
    fc.assert(
      fc.property(
        likely,
        (value) => void parseNotification(notice({ messages: value, statuses: value, contacts: value })),
      ),
    )
  })
})

describe('outgoing messages to Meta', () => {
  it('are addressed to a number or a user id, and to no other kind of id', () => {
    expect(parseRecipient('5511980000000@s.whatsapp.net')).toEqual({ to: '5511980000000' })
    expect(parseRecipient('BR.77@cloud')).toEqual({ recipient: 'BR.77' })
    for (const chat of ['123@g.us', '9@lid', '@cloud', '@s.whatsapp.net', 'x@s.whatsapp.net', ''])
      expect(() => parseRecipient(chat)).toThrow('unsupported')
  })

  it("refer to locations, cards, reactions and quotes by Meta's ids", async () => {
    const known = async (wid: string) => (wid === 'known' ? 'wamid.K' : null)
    const said = (more: object) =>
      buildPayload(
        { id: 'own', chat: '5511980000000@s.whatsapp.net', body: 'x', ...more },
        { session: {} as CloudSession, signal: new AbortController().signal, wamidOf: known },
      )
    const location = { latitude: -23.5, longitude: -46.6, name: 'Sé' }
    expect(await said({ location })).toMatchObject({ type: 'location', location, biz_opaque_callback_data: 'own' })
    const vcard = 'BEGIN:VCARD\nFN:Ana\nitem1.TEL;type=CELL;waid=551198:+55 11 98\nEND:VCARD'
    expect(await said({ contact: { name: 'Ana', vcard } })).toMatchObject({
      contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+55 11 98', wa_id: '551198' }] }],
    })
    expect(await said({ reaction: { targetId: 'known', emoji: '' } })).toMatchObject({
      reaction: { message_id: 'wamid.K', emoji: '' },
    })
    await expect(said({ reaction: { targetId: 'lost', emoji: '👍' } })).rejects.toThrow('unsupported')
    const quoted = (id: string) => ({ quoted: { id, fromMe: true, body: '' } })
    expect(await said(quoted('known'))).toMatchObject({ context: { message_id: 'wamid.K' } })
    expect(await said(quoted('lost'))).not.toHaveProperty('context')
    await expect(said({ body: 'x'.repeat(4097) })).rejects.toThrow('text-too-long')
  })

  it('send files as the kind that Meta accepts', () => {
    const as = (type: 'image' | 'audio' | 'video' | 'application', mime: string, size = 1000, words = false) =>
      chooseMetaMediaKind({ type, mime }, size, words)
    expect(as('image', 'image/jpeg')).toBe('image')
    expect(as('image', 'image/jpeg', 6 * 1024 * 1024)).toBe('document')
    expect(as('image', 'image/gif')).toBe('document')
    expect(as('audio', 'audio/ogg; codecs=opus')).toBe('audio')
    expect(as('audio', 'audio/webm')).toBe('document')
    expect(as('audio', 'audio/mpeg', 1000, true)).toBe('document')
    expect(as('video', 'video/mp4')).toBe('video')
    expect(as('application', 'application/pdf')).toBe('document')
  })

  it("send menus within Meta's limits, or as text", () => {
    const options = (n: number, title = (i: number) => `Opción ${i}`) =>
      Array.from({ length: n }, (_, i) => ({ key: String(i + 1), title: title(i + 1) }))
    const made = (n: number, text = 'Elige', title?: (i: number) => string) =>
      buildInteractive({ text, button: 'Elige una de las opciones', options: options(n, title) }) as {
        type?: string
      } | null
    expect(made(3)?.type).toBe('button')
    expect(made(4)?.type).toBe('list')
    expect(made(3, 'Elige', (i) => `${i} es un título de más de veinte`)?.type).toBe('list')
    expect(made(10)?.type).toBe('list')
    expect(made(11)).toBeNull()
    expect(made(0)).toBeNull()
    expect(made(2, '')).toBeNull()
    expect(made(2, 'x'.repeat(1025))?.type).toBe('list')
    expect(made(2, 'x'.repeat(4097))).toBeNull()
    expect(made(3, 'Elige', () => 'la misma')).toBeNull()
    expect(made(2, 'Elige', (i) => `${i}${'x'.repeat(80)}`)).toBeNull()
    // Titles with the same beginning would look the same.
    expect(made(4, 'Elige', (i) => `Un comienzo muy largo que es igual ${i}`)).toBeNull()
    expect(JSON.stringify(made(4))).toContain('"button":"Elige una de las opc"')
  })

  it('map every error code of Meta, also unknown codes, to a failure name', () => {
    expect([131047, 132015, 190, 204, 7].map(toCloudFailure)).toEqual([
      'window-closed',
      'template-paused',
      'token-expired',
      'no-permission',
      'meta-error',
    ])
  })
})
