import type { FlowFacts } from '../src/flows/flow-conditions.ts'
import { FlowStep, type FlowStepKind } from '../src/flows/flow-steps.ts'
import { FlowTrigger } from '../src/flows/flow-triggers.ts'
import type { TextValues } from '../src/flows/flow-variables.ts'

const now = Date.parse('2026-11-19T16:24:00Z')

const contact = { name: 'Lucía Montes', number: '5511987654321', email: '', ownerId: null, extraInfo: [] }

/** A conversation in queue 1 of an agent with the id 7. */
export const flowFacts = (more: Partial<FlowFacts> = {}): FlowFacts => ({
  ticket: {
    status: 'open',
    priority: 'normal',
    queueId: 1,
    userId: 7,
    whatsappId: 1,
    adId: null,
    unreadMessages: 0,
    waitingSince: new Date(now - 45 * 60_000).toISOString(),
    snooze: null,
    closingReason: null,
    tags: [],
    goals: [],
    contact,
  },
  startedBy: null,
  now,
  isOpen: true,
  language: null,
  message: null,
  ...more,
})

export const textValues: TextValues = {
  words: { name: contact.name, number: contact.number },
  moment: { now: new Date(now), zone: 'America/Sao_Paulo', language: 'es' },
}

/** A complete step of each kind. Its texts contain every place where a variable may stand. */
export const stepExamples: { kind: FlowStepKind; [key: string]: unknown }[] = [
  { kind: 'say', text: 'Hola {{a}}', template: { name: 't', language: 'es', variables: { 'body.1': '{{b}}' } } },
  { kind: 'ask', text: '¿Cuántos, {{a}}?', answer: { kind: 'number' }, variable: 'people', silence: { minutes: 60 } },
  {
    kind: 'ask',
    text: '¿Qué necesitas?',
    retryText: 'No, {{b}}',
    answer: {
      kind: 'choice',
      options: [
        { id: 'x', title: 'Reservar' },
        { id: 'y', title: 'Pagos' },
      ],
    },
  },
  { kind: 'branch', conditions: { match: 'all', of: [{ field: 'hours' }] } },
  { kind: 'switch', variable: 'a', cases: [{ value: '1' }, { value: '2' }] },
  { kind: 'split', shares: [{ share: 1 }, { share: 3 }] },
  { kind: 'wait', until: { kind: 'time', minutes: 60 } },
  { kind: 'wait', until: { kind: 'opening' } },
  { kind: 'wait', until: { kind: 'answer', minutes: 60, variable: 'a' } },
  {
    kind: 'call',
    method: 'POST',
    url: 'https://api.example/orders/{{a}}',
    headers: [{ name: 'X-Order', value: '{{b}}' }],
    body: '{"id":"{{c}}"}',
    keep: [{ path: 'order.state', variable: 'state' }],
  },
  { kind: 'respond', by: { kind: 'prompt', promptId: 1 }, turns: 3, silence: { minutes: 60 } },
  { kind: 'setVariable', variable: 'a', value: '{{b}}' },
  { kind: 'setField', field: 'Personas', value: '{{a}}' },
  { kind: 'tags', add: [1] },
  { kind: 'priority', priority: 'high' },
  { kind: 'queue', queueId: 1 },
  { kind: 'assign', userId: 'owner' },
  { kind: 'note', text: 'Van {{a}}', mentions: [1] },
  { kind: 'snooze', until: 'tomorrow', note: '{{a}}' },
  { kind: 'start', flowId: 1 },
  { kind: 'stop' },
  { kind: 'resolve', closingReasonId: 1 },
  { kind: 'person', queueId: 1, text: 'Ya te atienden, {{a}}' },
  { kind: 'end' },
]

export const triggerExamples: FlowTrigger[] = (
  [
    { kind: 'message', words: { words: ['hola'] }, first: true },
    { kind: 'ticketOpened' },
    { kind: 'ticketMoved', queueIds: [1] },
    { kind: 'tagged', tagIds: [1] },
    { kind: 'resolved', closingReasonIds: [1] },
    { kind: 'rated', from: 1, to: 2 },
    { kind: 'goalNear', minutes: 15 },
    { kind: 'goalMissed' },
    { kind: 'unanswered', minutes: 1200, inOpenHours: true },
    { kind: 'silent', minutes: 1440 },
    { kind: 'fieldChanged', field: 'Salida' },
    { kind: 'snoozeOver' },
    { kind: 'laneEntered', tagIds: [1] },
    { kind: 'hook', keep: [{ path: 'order.items.0', variable: 'item' }] },
    { kind: 'daily', time: '09:00' },
    { kind: 'weekly', time: '18:30', days: [0, 4] },
    { kind: 'fieldDate', field: 'Salida', days: -1, time: '10:00' },
    { kind: 'campaignAnswered', campaignIds: [1] },
    { kind: 'person' },
    { kind: 'flow', variables: ['people'] },
  ] as const
).map((trigger) => FlowTrigger.parse(trigger))

export const step = (id: string, given: object): FlowStep => FlowStep.parse({ id, ...given })

/** A flow that begins with the first of the steps when the customer writes. */
export const flow = (steps: { id: string; kind: FlowStepKind; [key: string]: unknown }[], more: object = {}) => ({
  kind: 'flow',
  triggers: [{ kind: 'message' }],
  first: steps[0]?.id ?? null,
  steps,
  ...more,
})
