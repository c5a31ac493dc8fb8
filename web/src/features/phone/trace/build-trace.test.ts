import type { SandboxPhoneMessage } from '@recado/contract/sandbox'
import type { TicketEvent } from '@recado/contract/tickets'
import { expect, test } from 'vitest'
import { buildTrace, matchMessages } from './build-trace.ts'
import { traceStepTexts } from './trace-step-texts.ts'

const at = (second: number, ms = 0) => new Date(Date.UTC(2026, 10, 15, 10, 0, second, ms)).toISOString()
const step = (name: string, why: string, values: TicketEvent['steps'][number]['with'] = {}) => ({
  step: name,
  why,
  with: values,
})
const ticketEvent = (id: string, second: number, kind: string, ...steps: TicketEvent['steps']): TicketEvent => ({
  id,
  at: at(second, 40),
  kind,
  messageId: null,
  phoneId: null,
  actor: null,
  steps: [step('journalled', 'before-anything-else'), ...steps],
})
/** Gives the event the phone id of a message, as if that message had arrived. */
const withPhoneId = (phoneId: string, happening: TicketEvent): TicketEvent => ({ ...happening, phoneId })
const phoneMessage = (second: number, body: string, more: Partial<SandboxPhoneMessage> = {}) =>
  ({ id: body, at: at(second), body, kind: 'text', fromCustomer: true, ...more }) as SandboxPhoneMessage

const traceContext = (messages: SandboxPhoneMessage[] = []) => ({
  words: traceStepTexts.es,
  line: 'Ventas',
  time: () => '10:00:00',
  messages,
  kindOf: (kind: string) => `<${kind}>`,
})

test('describes a first message from its arrival to the users who receive it', () => {
  const first = ticketEvent(
    'j1',
    1,
    'message',
    step('contact', 'new', { by: 'phone', name: 'Lucía' }),
    step('ticket', 'no-living-ticket', { ticket: 7, status: 'pending' }),
    step('told', 'who-sees-the-ticket', { user: null, queue: null, status: 'pending', admins: true }),
  )
  expect(buildTrace([withPhoneId('Hola', first)], traceContext([phoneMessage(1, 'Hola')]))).toMatchObject([
    { title: 'Llegó un mensaje', detail: '“Hola”', reason: 'Entró por Ventas · 10:00:00' },
    { title: 'Contacto nuevo', detail: 'Lucía', reason: 'Nadie tenía ese número' },
    { title: 'Ticket #7 en espera', reason: 'No tenía otro ticket abierto', ticket: 7 },
    { title: 'Aparece en la lista de', detail: 'Quienes ven los tickets sin cola y los administradores' },
  ])
})

test('has a text for every step in every language', () => {
  const steps = [
    ...['known', 'new', 'merged'].map((why) => step('contact', why, { by: 'lid', name: 'x' })),
    ...['joined', 'no-living-ticket', 'closed-a-moment-ago'].map((why) =>
      step('ticket', why, { ticket: 1, status: 'open' }),
    ),
    step('media', 'file-follows', { name: 'a.jpg' }),
    step('unknown', 'kind-not-known', { what: 'poll' }),
    step('ignored', 'groups-are-off'),
    step('duplicate', 'same-id'),
    step('duplicate', 'our-own-echo'),
    step('told', 'who-sees-the-ticket', { user: 'Ana', queue: 'Ventas', status: 'open', admins: true }),
    step('ticked', 'forward-only'),
    step('edited', 'by-the-customer'),
    step('deleted', 'by-the-customer'),
    step('reacted', 'by-the-customer'),
    step('call', 'calls-are-off'),
    step('call', 'calls-are-on'),
    step('accepted', 'by-person', { user: 'Ana' }),
    ...['fewest-open', 'in-turn', 'to-last-agent'].map((why) => step('accepted', `routed-${why}`, { user: 'Ana' })),
    ...['returned', 'resolved', 'reopened', 'opened', 'undone'].map((name) => step(name, 'by-person')),
    ...['answer', 'resolve'].map((why) => step('goal-missed', why, { minutes: 30 })),
    step('resolved', 'by-itself'),
    step('transferred', 'by-person', { from: null, queue: 'Cobros', user: null }),
    step('nothing', 'message-not-yet'),
    step('resolved', 'menu-ended-it'),
    step('resolved', 'no-answer-for-long'),
    step('transferred', 'waited-too-long', { from: null, queue: 'Cobros', user: null }),
    ...Object.keys(traceStepTexts.es.menuWhy).map((why) => step('menu', why)),
    ...Object.keys(traceStepTexts.es.hoursWhy).map((why) => step('hours', why)),
    ...Object.keys(traceStepTexts.es.ratingWhy).map((why) => step('rating', why, { rate: why === 'rated' ? 3 : null })),
    ...Object.keys(traceStepTexts.es.greetedWhy).map((why) => step('greeting', why)),
    step('silent', 'bots-are-off-for-this-contact'),
    ...Object.keys(traceStepTexts.es.askedWhy).map((why) => step('asked', why, { asker: 'x' })),
  ]
  const raw = new Set(steps.flatMap(({ step: name, why }) => [name, why]))
  for (const words of Object.values(traceStepTexts)) {
    const trace = buildTrace([ticketEvent('j1', 1, 'message', ...steps)], { ...traceContext(), words })
    expect(trace).toHaveLength(steps.length + 1)
    for (const { title, reason: why } of trace) expect([title, why].some((said) => raw.has(said ?? ''))).toBe(false)
  }
})

test('shows a step without a text by its code', () => {
  const [entry] = buildTrace([{ ...ticketEvent('e1', 1, 'dream'), steps: [step('dream', 'of-sheep')] }], traceContext())
  expect(entry).toMatchObject({ title: 'dream', reason: 'of-sheep' })
})

test('joins consecutive receipts into one entry', () => {
  const ticks = ['j1', 'j2', 'j3'].map((id) => ticketEvent(id, 1, 'ack', step('ticked', 'forward-only')))
  expect(buildTrace(ticks, traceContext()).map((entry) => entry.title)).toEqual(['Llegaron 3 confirmaciones'])
})

test('marks a message just received as in progress', () => {
  expect(buildTrace([ticketEvent('j1', 1, 'message')], traceContext())).toMatchObject([
    { reason: 'Registrado. Procesando.' },
  ])
})

test('assigns each message to its own event once, and a lost message to no event', () => {
  const messages = [
    phoneMessage(1, 'uno'),
    phoneMessage(3, 'perdido'),
    phoneMessage(20, 'dos'),
    phoneMessage(20, 'tres'),
  ]
  const events = [
    withPhoneId('uno', ticketEvent('j1', 1, 'message')),
    withPhoneId('dos', ticketEvent('j2', 90, 'message')),
    withPhoneId('tres', ticketEvent('j3', 20, 'edit')),
  ]
  expect([...matchMessages(events, messages)].map(([id, message]) => [id, message.body])).toEqual([
    ['j1', 'uno'],
    ['j2', 'dos'],
  ])
})

test('does not count messages of the desk as received, but counts messages written on the line’s phone', () => {
  const messages = [
    phoneMessage(1, 'hola'),
    phoneMessage(2, 'respuesta', { id: '3EB0', fromCustomer: false }),
    phoneMessage(3, 'te llamo', { id: 'SB01', fromCustomer: false }),
  ]
  const trace = buildTrace(
    [withPhoneId('hola', ticketEvent('j1', 1, 'message')), withPhoneId('SB01', ticketEvent('j2', 3, 'message'))],
    traceContext(messages),
  )
  expect(trace).toMatchObject([
    { title: 'Llegó un mensaje', detail: '“hola”' },
    { title: 'Se escribió en el teléfono de la línea', detail: '“te llamo”' },
  ])
})

test('shows the name of a location instead of its raw text', () => {
  const [entry] = buildTrace(
    [withPhoneId('Plaza\n1, 2', ticketEvent('j1', 1, 'message'))],
    traceContext([phoneMessage(1, 'Plaza\n1, 2', { kind: 'location' })]),
  )
  expect(entry?.detail).toBe('<location>')
})

test('describes failures and automatic actions in words', () => {
  const trace = buildTrace(
    [
      ticketEvent('j1', 1, 'message', step('set-aside', 'always-failed', { error: 'boom' })),
      ticketEvent('j2', 2, 'contact', step('nothing', 'contact-not-known')),
      ticketEvent('e1', 3, 'resolve', step('resolved', 'same-person')),
      ticketEvent('e2', 4, 'return', step('returned', 'agent-is-gone')),
    ],
    traceContext(),
  )
  expect(trace.filter((entry) => entry.step !== 'message').map(({ title, reason: why }) => [title, why])).toEqual([
    ['Se apartó para no frenar el resto', 'Falló cada vez que se intentó'],
    ['No hubo nada que cambiar', 'Nunca nos escribió: no es un contacto'],
    ['El ticket se resolvió', 'Era la misma persona que en otro ticket'],
    ['El ticket volvió a la cola', 'Quien lo atendía ya no está'],
  ])
})

test('names the automation that did something, and why it did not', () => {
  const done = ticketEvent('j1', 1, 'flow', step('flow', 'tagged', { flow: 'Bienvenida', added: 'VIP', removed: '' }))
  const silent = ticketEvent('j2', 2, 'flow', step('flow', 'not-said', { flow: 'Bienvenida', reason: 'opted-out' }))
  const snoozed = ticketEvent('j3', 3, 'snooze', step('snoozed', 'by-machine'))
  const trace = buildTrace([snoozed, silent, done], traceContext())
  expect(trace.map(({ title, detail, reason, isUnusual = false }) => ({ title, detail, reason, isUnusual }))).toEqual(
    expect.arrayContaining([
      {
        ...{ title: 'La automatización cambió las etiquetas', detail: '+ VIP' },
        ...{ reason: 'Automatización: Bienvenida', isUnusual: false },
      },
      {
        ...{ title: 'La automatización no escribió', detail: 'El contacto no quiere mensajes que no pidió' },
        ...{ reason: 'Automatización: Bienvenida', isUnusual: true },
      },
      {
        ...{ title: 'El ticket se pospuso', detail: undefined },
        ...{ reason: 'Lo decidió el bot que atendía', isUnusual: false },
      },
    ]),
  )
})
