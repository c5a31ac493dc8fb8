import { proto, type WAMessage, type WAMessageKey } from 'baileys'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InboundMessage, MessageContent } from '../../line.ts'
import { ignoredKinds } from './message-content.ts'
import { jidToIdentity, parseWhatsAppMessage } from './parse-message.ts'

const parseContext = { me: { phone: '5491100000000', lid: '999' }, groupName: 'Vecinos' }
const alice = { remoteJid: '123456@lid', remoteJidAlt: '5491155556666@s.whatsapp.net', id: 'M1', fromMe: false }
const messageWith = (message: proto.IMessage, key: WAMessageKey = alice): WAMessage => ({
  key,
  message: proto.Message.fromObject(message),
  messageTimestamp: 1_760_000_000,
  pushName: 'Alicia',
})
const contentOf = (message: proto.IMessage): MessageContent | undefined =>
  (parseWhatsAppMessage(messageWith(message), parseContext)[0] as InboundMessage | undefined)?.content
const text = (body: string): MessageContent => ({ kind: 'text', body })
const unknownContentOf = (...lines: string[]): MessageContent => ({ kind: 'unknown', what: lines.join('\n') })

describe('chat and author of a message', () => {
  it('names a direct chat by its number, and the person by number and hidden id', () => {
    expect(parseWhatsAppMessage(messageWith({ conversation: 'hola' }), parseContext)).toEqual([
      {
        kind: 'message',
        id: 'M1',
        chat: '5491155556666@s.whatsapp.net',
        at: '2025-10-09T08:53:20.999Z',
        fromMe: false,
        person: { phone: '5491155556666', lid: '123456' },
        pushName: 'Alicia',
        content: text('hola'),
      },
    ])
  })

  it('uses the hidden id if there is no number, and ignores the device', () => {
    const key = { remoteJid: '123456:7@lid', id: 'M1', fromMe: false }
    expect(parseWhatsAppMessage(messageWith({ conversation: 'x' }, key), parseContext)).toMatchObject([
      { chat: '123456@lid', person: { lid: '123456' } },
    ])
  })

  it('assigns messages that the owner typed on the phone to the other person’s chat, without a name', () => {
    expect(
      parseWhatsAppMessage(messageWith({ conversation: 'x' }, { ...alice, fromMe: true }), parseContext),
    ).toMatchObject([
      { fromMe: true, chat: '5491155556666@s.whatsapp.net', person: { phone: '5491155556666' }, pushName: '' },
    ])
  })

  it('names the author of a group message', () => {
    const key = {
      remoteJid: '120363@g.us',
      id: 'G1',
      fromMe: false,
      participant: '77@lid',
      participantAlt: '5477@s.whatsapp.net',
    }
    expect(parseWhatsAppMessage(messageWith({ conversation: 'x' }, key), parseContext)).toMatchObject([
      {
        chat: '120363@g.us',
        group: { id: '120363', name: 'Vecinos', author: { phone: '5477', lid: '77' }, authorName: 'Alicia' },
      },
    ])
    expect(
      parseWhatsAppMessage(messageWith({ conversation: 'x' }, { ...key, fromMe: true }), parseContext),
    ).toMatchObject([{ group: { author: parseContext.me } }])
  })

  it('assigns a broadcast list message to its author; ignores status posts and channels', () => {
    const from = (remoteJid: string) =>
      parseWhatsAppMessage(
        messageWith({ conversation: 'x' }, { remoteJid, id: 'B', fromMe: false, participant: '5477@s.whatsapp.net' }),
        parseContext,
      )
    expect(from('1700000000@broadcast')).toMatchObject([{ chat: '5477@s.whatsapp.net', person: { phone: '5477' } }])
    expect(from('status@broadcast')).toEqual([])
    expect(from('1203@newsletter')).toEqual([])
  })

  it('returns identities as digits, in whichever format they came first', () => {
    const both = { phone: '5491155556666', lid: '123456' }
    expect(jidToIdentity('123456:4@lid', '5491155556666:4@s.whatsapp.net')).toEqual(both)
    expect(jidToIdentity('5491155556666@s.whatsapp.net', '123456@lid')).toEqual(both)
    expect(jidToIdentity(null, undefined)).toEqual({})
  })
})

const file = { mediaKey: Buffer.from('key'), directPath: '/v/x', url: 'https://mmg.whatsapp.net/v/x', fileLength: 9 }
const media = (mediaType: string, name: string, body = '') => ({ kind: 'media', mediaType, name, body })
const poll = { name: '¿Cuándo?', options: [{ optionName: 'lunes' }, { optionName: 'martes' }] }
const sampleLocation = { degreesLatitude: -34.6, degreesLongitude: -58.4 }
const contents: [string, proto.IMessage, object][] = [
  ['text', { conversation: 'hola' }, text('hola')],
  ['an address in a text', { extendedTextMessage: { text: 'https://x.y' } }, text('https://x.y')],
  [
    'an image',
    { imageMessage: { ...file, mimetype: 'image/jpeg', caption: 'roto' } },
    media('image', 'image.jpg', 'roto'),
  ],
  ['a film', { videoMessage: { ...file, mimetype: 'video/mp4' } }, media('video', 'video.mp4')],
  [
    'a moving picture',
    { videoMessage: { ...file, mimetype: 'video/mp4', gifPlayback: true } },
    media('video', 'gif.mp4'),
  ],
  ['a video note', { ptvMessage: { ...file, mimetype: 'video/mp4' } }, media('video', 'video.mp4')],
  ['a recording', { audioMessage: { ...file, mimetype: 'audio/mpeg' } }, media('audio', 'audio.mp3')],
  [
    'a voice note',
    { audioMessage: { ...file, mimetype: 'audio/ogg; codecs=opus', ptt: true } },
    media('audio', 'voice.ogg'),
  ],
  [
    'a document',
    { documentMessage: { ...file, mimetype: 'application/pdf', fileName: 'a.pdf' } },
    media('application', 'a.pdf'),
  ],
  [
    'a document with its caption',
    { documentWithCaptionMessage: { message: { documentMessage: { ...file, fileName: 'a.pdf', caption: 'leer' } } } },
    media('application', 'a.pdf', 'leer'),
  ],
  ['a sticker', { stickerMessage: { ...file, mimetype: 'image/webp' } }, media('sticker', 'sticker.webp')],
  ['a moving sticker', { lottieStickerMessage: { message: { stickerMessage: file } } }, media('sticker', 'sticker')],
  [
    'a place',
    { locationMessage: { ...sampleLocation, name: 'Obelisco', address: 'Centro', jpegThumbnail: Buffer.from('j') } },
    {
      kind: 'location',
      latitude: -34.6,
      longitude: -58.4,
      name: 'Obelisco, Centro',
      thumbnail: 'data:image/jpeg;base64,ag==',
    },
  ],
  [
    'where somebody is',
    { liveLocationMessage: sampleLocation },
    { kind: 'location', latitude: -34.6, longitude: -58.4, name: '' },
  ],
  [
    'a card',
    { contactMessage: { displayName: 'Beto', vcard: 'BEGIN:VCARD' } },
    { kind: 'contact', cards: [{ name: 'Beto', vcard: 'BEGIN:VCARD' }] },
  ],
  [
    'several cards',
    {
      contactsArrayMessage: {
        contacts: [
          { displayName: 'A', vcard: '1' },
          { displayName: 'B', vcard: '2' },
        ],
      },
    },
    {
      kind: 'contact',
      cards: [
        { name: 'A', vcard: '1' },
        { name: 'B', vcard: '2' },
      ],
    },
  ],
  ['a poll', { pollCreationMessageV3: poll }, unknownContentOf('poll', '¿Cuándo?', 'lunes', 'martes')],
  [
    'a wrapped poll',
    { pollCreationMessageV4: { message: { pollCreationMessage: poll } } },
    unknownContentOf('poll', '¿Cuándo?', 'lunes', 'martes'),
  ],
  ['a vote, which is sealed', { pollUpdateMessage: {} }, unknownContentOf('poll-vote')],
  ['to be seen once', { viewOnceMessage: { message: { imageMessage: file } } }, media('image', 'image')],
  ['to be seen once (2)', { viewOnceMessageV2: { message: { imageMessage: file } } }, media('image', 'image')],
  ['to be heard once', { viewOnceMessageV2Extension: { message: { audioMessage: file } } }, media('audio', 'audio')],
  [
    'disappearing, to be seen once',
    { ephemeralMessage: { message: { viewOnceMessageV2: { message: { videoMessage: file } } } } },
    media('video', 'video'),
  ],
  ['a button that was pressed', { buttonsResponseMessage: { selectedDisplayText: 'Sí' } }, text('Sí')],
  ['a row that was chosen', { listResponseMessage: { title: 'Ventas' } }, text('Ventas')],
  ['a template’s button', { templateButtonReplyMessage: { selectedDisplayText: 'Quiero' } }, text('Quiero')],
  ['a form that was filled', { interactiveResponseMessage: { body: { text: 'Enviado' } } }, text('Enviado')],
  [
    'buttons',
    {
      buttonsMessage: {
        contentText: '¿Seguimos?',
        buttons: [{ buttonText: { displayText: 'Sí' } }, { buttonText: { displayText: 'No' } }],
      },
    },
    text('¿Seguimos?\n• Sí\n• No'),
  ],
  [
    'a list',
    {
      listMessage: {
        title: 'Menú',
        description: 'Elija',
        sections: [{ rows: [{ title: 'Ventas' }, { title: 'Soporte' }] }],
      },
    },
    text('Menú\nElija\n• Ventas\n• Soporte'),
  ],
  [
    'a template with a picture',
    {
      templateMessage: {
        hydratedTemplate: { hydratedContentText: 'Oferta', imageMessage: { ...file, mimetype: 'image/png' } },
      },
    },
    media('image', 'image.png', 'Oferta'),
  ],
  [
    'an interactive message',
    {
      interactiveMessage: {
        header: { title: 'Tienda' },
        body: { text: 'Compre' },
        nativeFlowMessage: {
          buttons: [{ buttonParamsJson: '{"display_text":"Ver"}' }, { buttonParamsJson: 'no json' }],
        },
      },
    },
    text('Tienda\nCompre\n• Ver'),
  ],
  ['an invitation', { groupInviteMessage: { groupName: 'Club' } }, unknownContentOf('group-invite', 'Club')],
  [
    'an event',
    { eventMessage: { name: 'Asado', description: 'el domingo' } },
    unknownContentOf('event', 'Asado', 'el domingo'),
  ],
  ['a product', { productMessage: { product: { title: 'Mesa' } } }, unknownContentOf('product', 'Mesa')],
  ['what nobody here knows, by its name', { requestPhoneNumberMessage: {} }, unknownContentOf('request-phone-number')],
]

describe('message content', () => {
  it.each(contents)('reads %s', (_what, message, content) => {
    expect(contentOf(message)).toMatchObject(content)
  })

  it('keeps everything that is needed to download a file, but never the host', () => {
    const content = contentOf({
      audioMessage: { ...file, url: 'https://127.0.0.1/v/x', directPath: '', mimetype: 'audio/ogg' },
    })
    expect(content).toMatchObject({
      key: { type: 'audio', path: '/v/x', mediaKey: Buffer.from('key').toString('base64'), size: 9, of: { id: 'M1' } },
    })
    expect(JSON.stringify(content)).not.toContain('127.0.0.1')
  })

  it('reads the quoted message and the ad that brought the customer', () => {
    const ad = {
      title: 'Sillas',
      body: 'De roble',
      sourceId: '77',
      ctwaClid: 'clid',
      thumbnailUrl: 'https://fb.me/1.jpg',
    }
    const externalAdReply = { ...ad, sourceUrl: 'https://fb.me/1', sourceType: 'ad' }
    const contextInfo = { stanzaId: 'Q1', externalAdReply }
    expect(
      parseWhatsAppMessage(messageWith({ extendedTextMessage: { text: 'sí', contextInfo } }), parseContext),
    ).toMatchObject([
      {
        quotedId: 'Q1',
        referral: { title: 'Sillas', url: 'https://fb.me/1', body: 'De roble', sourceId: '77', clickId: 'clid' },
      },
    ])
    expect(
      parseWhatsAppMessage(messageWith({ imageMessage: { ...file, contextInfo: { stanzaId: 'Q2' } } }), parseContext),
    ).toMatchObject([{ quotedId: 'Q2' }])
  })
})

describe('changes of a message', () => {
  const key = { id: 'OLD', remoteJid: alice.remoteJid, fromMe: false }
  const { Type } = proto.Message.ProtocolMessage
  const base = { id: 'M1', chat: '5491155556666@s.whatsapp.net', targetId: 'OLD' }
  const events = (message: proto.IMessage, of?: WAMessageKey) =>
    parseWhatsAppMessage(messageWith(message, of), parseContext)

  it('include a reaction and the removal of a reaction', () => {
    const by = { ...base, kind: 'reaction', from: '5491155556666', name: 'Alicia' }
    expect(events({ reactionMessage: { key, text: '👍' } })).toMatchObject([{ ...by, emoji: '👍', fromMe: false }])
    expect(events({ reactionMessage: { key, text: '' } })).toMatchObject([{ ...by, emoji: '' }])
    expect(events({ reactionMessage: { key, text: '👍' } }, { ...alice, fromMe: true })).toMatchObject([
      { fromMe: true, from: parseContext.me.phone },
    ])
  })

  it('include the edit of a text, also inside its wrapper, and of a caption', () => {
    const edit = (editedMessage: proto.IMessage) => ({
      protocolMessage: { key, type: Type.MESSAGE_EDIT, editedMessage },
    })
    const bis = { ...base, kind: 'edit', body: 'bis' }
    expect(events(edit({ conversation: 'bis' }))).toMatchObject([bis])
    expect(events({ editedMessage: { message: edit({ extendedTextMessage: { text: 'bis' } }) } })).toMatchObject([bis])
    expect(events(edit({ imageMessage: { caption: 'bis' } }))).toMatchObject([bis])
  })

  it('include revoking the message', () => {
    expect(events({ protocolMessage: { key, type: Type.REVOKE } })).toMatchObject([{ ...base, kind: 'revoke' }])
  })

  it('do not include any other protocol message', () => {
    for (const type of Object.values(Type).filter((one) => typeof one === 'number'))
      if (type !== Type.REVOKE && type !== Type.MESSAGE_EDIT)
        expect(events({ protocolMessage: { key, type } }), Type[type]).toEqual([])
  })
})

describe('coverage of all message kinds', () => {
  const silent = [...ignoredKinds, 'protocolMessage', 'reactionMessage']
  const carried = ['messageContextInfo', 'senderKeyDistributionMessage', 'fastRatchetKeySenderKeyDistributionMessage']
  const kinds = Object.keys(proto.Message.prototype).filter((kind) => kind !== 'toJSON' && kind !== 'conversation')
  const wrappers = [
    'ephemeralMessage',
    'viewOnceMessageV2',
    'editedMessage',
    'associatedChildMessage',
    'deviceSentMessage',
  ]
  const wrapped = (message: object, around: string[]) =>
    around.reduce((inner, wrapper) => ({ [wrapper]: { message: inner } }), message)

  it('yields one message for any kind in any wrapper, unless the kind is on the list of ignored kinds', () => {
    expect(kinds.length).toBeGreaterThan(80)
    const someKind = fc.constantFrom(...kinds)
    const someWrapping = fc.array(fc.constantFrom(...wrappers), { maxLength: 3 })
    const someCompany = fc.subarray(carried)
    fc.assert(
      fc.property(someKind, someWrapping, someCompany, (kind, wrapping, company) => {
        const inner = { [kind]: {}, ...Object.fromEntries(company.map((one) => [one, {}])) }
        const events = parseWhatsAppMessage(messageWith(wrapped(inner, wrapping)), parseContext)
        const isSilent = silent.includes(kind) || carried.includes(kind)
        expect(events.map((event) => event.kind)).toEqual(isSilent ? [] : ['message'])
      }),
      { numRuns: 600 },
    )
  })

  it('never throws, whatever the content', () => {
    const someText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(someText, someText, fc.double(), (one, two, number) => {
        parseWhatsAppMessage(
          messageWith({ extendedTextMessage: { text: one, contextInfo: { stanzaId: two } } }),
          parseContext,
        )
        parseWhatsAppMessage(messageWith({ locationMessage: { degreesLatitude: number, name: one } }), parseContext)
        parseWhatsAppMessage(
          { key: { remoteJid: one, participant: two, id: one }, message: { conversation: two } },
          parseContext,
        )
        const interactiveMessage = { nativeFlowMessage: { buttons: [{ buttonParamsJson: one }] } }
        parseWhatsAppMessage(messageWith({ interactiveMessage }), parseContext)
      }),
      { numRuns: 50 },
    )
  })
})
