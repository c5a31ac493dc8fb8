import { describe, expect, it } from 'vitest'
import { choiceInput, textBlock } from '../../../test/fake-typebot.ts'
import { replyLimits } from './bot-reply.ts'
import { parseWebhookReply } from './bot-webhook.ts'
import { matchChoices } from './choices.ts'
import { parseDialogflowTurn } from './dialogflow-reply.ts'
import { parseHandOver, parseTypebotTurn, toWhatsAppText } from './typebot-reply.ts'

const paragraph = (...children: object[]) => ({ type: 'p', children })

describe('Typebot answers', () => {
  it('place WhatsApp formatting characters directly beside the words', () => {
    expect(
      toWhatsAppText([
        paragraph(
          { text: 'Hola ' },
          { text: ' Sol ', bold: true },
          { text: ', ' },
          { text: 'ya', italic: true, bold: true },
        ),
        paragraph({ text: 'uno\ndos', underline: true }),
        paragraph({ text: 'ver ' }, { type: 'a', url: 'https://a.example/x', children: [{ text: 'la página' }] }),
        paragraph({ type: 'a', url: 'https://a.example', children: [{ text: 'https://a.example' }] }),
        paragraph({ type: 'inline-variable', children: [paragraph({ text: 'Sol' })] }),
        { type: 'ol', children: [{ type: 'li', children: [{ type: 'lic', children: [{ text: 'primero' }] }] }] },
        {
          type: 'ul',
          children: [
            {
              type: 'li',
              children: [
                { type: 'lic', children: [{ text: 'fuera' }] },
                { type: 'ul', children: [{ type: 'li', children: [{ type: 'lic', children: [{ text: 'dentro' }] }] }] },
              ],
            },
          ],
        },
      ]),
    ).toBe(
      [
        'Hola  *Sol* , *_ya_*',
        '~uno~',
        '~dos~',
        'ver la página: https://a.example/x',
        'https://a.example',
        'Sol',
        '1. primero',
        '• fuera',
        '  • dentro',
      ].join('\n'),
    )
  })

  it('become texts and files, and links for content that a phone cannot show', () => {
    const url = 'https://a.example/f'
    const { pieces, waitsForAnswer: asks } = parseTypebotTurn({
      messages: [
        { type: 'image', content: { url } },
        { type: 'audio', content: { url } },
        { type: 'video', content: { type: 'url', url } },
        { type: 'video', content: { type: 'youtube', id: 'x', url: 'https://youtu.be/x' } },
        { type: 'embed', content: { url, height: 400 } },
        { type: 'image', content: { url: 'javascript:alert(1)' } },
        { type: 'something new', content: null },
      ],
    })
    const file = { kind: 'file', url, text: '' }
    expect(pieces).toEqual([
      ...[file, file, file],
      { kind: 'text', text: 'https://youtu.be/x' },
      { kind: 'text', text: url },
    ])
    expect(asks).toBe(false)
  })

  it('have their choices below the question', () => {
    const input = choiceInput('Ventas', 'Soporte')
    expect(parseTypebotTurn({ messages: [textBlock('¿Con quién?')], input })).toMatchObject({
      pieces: [{ kind: 'text', text: '¿Con quién?', choices: ['Ventas', 'Soporte'] }],
      choices: ['Ventas', 'Soporte'],
      waitsForAnswer: true,
      notUnderstood: false,
    })
    const pictures = {
      type: 'picture choice input',
      items: [
        { id: 'a', title: 'Rojo' },
        { id: 'b', title: 'Azul' },
      ],
    }
    expect(parseTypebotTurn({ messages: [], input: pictures })).toMatchObject({ choices: ['Rojo', 'Azul'] })
    expect(parseTypebotTurn({ messages: [], input: { type: 'rating input', options: { length: 3 } } }).choices).toEqual(
      ['1', '2', '3'],
    )
  })

  it('are not passed on when the engine did not understand the customer', () => {
    const turn = parseTypebotTurn({
      messages: [textBlock('Invalid message. Please, try again.')],
      input: { type: 'email input' },
    })
    expect(turn).toMatchObject({ pieces: [], notUnderstood: true, waitsForAnswer: true })
  })

  it('may contain a handover to an agent or a queue', () => {
    expect(parseHandOver('#{"stopBot": true}')).toEqual({})
    expect(parseHandOver('#{“queueId”: "7", "userId": 3}')).toEqual({ queueId: 7, userId: 3 })
    for (const text of ['# hola', '#1 en ventas', '#{"queueId": "x"}', '#{}', '{"stopBot":true}', '#null'])
      expect(parseHandOver(text)).toBeNull()
    const turn = parseTypebotTurn({ messages: [textBlock('Te paso'), textBlock('#{"queueId": 7}')] })
    expect(turn).toMatchObject({ pieces: [{ text: 'Te paso' }], handOver: { queueId: 7 } })
  })

  it('are limited in size', () => {
    let deep: object = { text: 'x' }
    for (let n = 0; n < 5000; n++) deep = { type: 'p', children: [deep] }
    const { pieces } = parseTypebotTurn({
      messages: [
        { type: 'text', content: { richText: [deep] } },
        ...Array.from({ length: 100 }, () => textBlock('x'.repeat(9000))),
      ],
      input: choiceInput(...Array.from({ length: 200 }, (_, n) => `c${n}`)),
    })
    expect(pieces).toHaveLength(replyLimits.pieces)
    expect(pieces[0]?.text).toHaveLength(replyLimits.signs)
  })
})

describe('parsing the customer’s choice', () => {
  const titles = ['Ventas', '2', 'Otra cosa']
  it.each([
    ['1', ['Ventas']],
    ['ventas ', ['Ventas']],
    ['*1*', ['Ventas']],
    ['3.', ['Otra cosa']],
    ['2', ['2']],
    ['4', null],
    ['nada', null],
    ['1, 3', null],
  ])('accepts the number or the title of a choice: %s', (said, found) => {
    expect(matchChoices(said, titles, false)).toEqual(found)
  })
  it('accepts several choices at once', () => {
    expect(matchChoices('1, 3', titles, true)).toEqual(['Ventas', 'Otra cosa'])
    expect(matchChoices('1 y 3', titles, true)).toBeNull()
  })
})

describe('DialogFlow answers', () => {
  const of = (queryResult: object) => parseDialogflowTurn({ queryResult })
  it('become texts, quick replies, cards and pictures of one platform', () => {
    const url = 'https://a.example/i.png'
    const buttons = [
      { text: 'Ver', postback: 'https://a.example' },
      { text: 'Comprar', postback: 'buy' },
    ]
    const { pieces } = of({
      fulfillmentText: 'not this',
      fulfillmentMessages: [
        { text: { text: ['Hola', ''] } },
        { platform: 'FACEBOOK', text: { text: ['other'] } },
        { quickReplies: { title: '¿Cuál?', quickReplies: ['A', 'B'] } },
        { card: { title: 'Zapato', subtitle: 'rojo', imageUri: url, buttons } },
        { card: { title: 'Bolso', imageUri: url } },
        { image: { imageUri: url, accessibilityText: 'foto' } },
      ],
    })
    expect(pieces).toEqual([
      { kind: 'text', text: 'Hola' },
      { kind: 'text', text: '¿Cuál?', choices: ['A', 'B'] },
      { kind: 'file', url, text: '' },
      { kind: 'text', text: '*Zapato*\nrojo\nVer: https://a.example', choices: ['Comprar'] },
      { kind: 'file', url, text: '*Bolso*' },
      { kind: 'file', url, text: 'foto' },
    ])
  })
  it('can end the conversation, report that DialogFlow did not understand, or request an action', () => {
    expect(of({ fulfillmentText: 'Chau', diagnosticInfo: { end_conversation: true } })).toMatchObject({
      isOver: true,
      notUnderstood: false,
    })
    expect(of({ fulfillmentText: 'Chau', intent: { endInteraction: true } }).isOver).toBe(true)
    expect(of({ fulfillmentText: '¿?', intent: { isFallback: true } }).notUnderstood).toBe(true)
    expect(of({}).notUnderstood).toBe(true)
    const payload = { transfer: { queueId: 4 }, tag: 9 }
    expect(of({ fulfillmentMessages: [{ payload }] })).toMatchObject({
      transfer: { queueId: 4 },
      tagIds: [9],
      notUnderstood: false,
    })
    expect(of({ fulfillmentMessages: [{ payload: { richContent: [] } }] }).notUnderstood).toBe(true)
  })
})

describe('a webhook answer', () => {
  const of = (answer: unknown) => parseWebhookReply(JSON.stringify(answer))
  it('requests no action when it contains no known key', () => {
    expect(parseWebhookReply('ok')).toBeNull()
    expect(of({ message: 'Workflow was started' })).toBeNull()
    expect(of(null)).toBeNull()
  })
  it('may send messages, transfer, tag and close the ticket', () => {
    expect(of({ say: 'Hola', close: true })).toEqual({
      pieces: [{ kind: 'text', text: 'Hola' }],
      tagIds: [],
      closesTicket: true,
    })
    expect(
      of([
        {
          say: ['a', { text: 'b', choices: ['x'] }, { media: 'https://a.example/f.pdf' }],
          transfer: { queueId: '3' },
          tag: [1, 1],
        },
      ]),
    ).toEqual({
      pieces: [
        { kind: 'text', text: 'a' },
        { kind: 'text', text: 'b', choices: ['x'] },
        { kind: 'file', url: 'https://a.example/f.pdf', text: '' },
      ],
      transfer: { queueId: 3 },
      tagIds: [1],
      closesTicket: false,
    })
    expect(of({ transfer: 'people' })).toMatchObject({ transfer: {} })
  })
  it('is refused when a field has the wrong type, a forbidden URL or too many messages', () => {
    for (const odd of [
      { say: 7 },
      { say: [{ media: 'file:///etc/passwd' }] },
      { transfer: 'x' },
      { tag: ['a'] },
      { close: 'yes' },
      { say: Array(99).fill('x') },
    ])
      expect(() => of(odd)).toThrow('not understood')
  })
})
