import type { FlowCondition } from '@recado/contract/flows/flow-conditions'
import { type FlowDocument, type FlowLimits, noLimits } from '@recado/contract/flows/flow-document'
import { type FlowKind, type LineItem, linkInLine } from '@recado/contract/flows/flow-line'
import type { AskedAnswer, AskStep, FlowStep, FlowStepKind } from '@recado/contract/flows/flow-steps'
import type { TestEntry, TestScene } from '@recado/contract/flows/flow-tests'
import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import type { TaxIdKind } from '@recado/contract/flows/tax-ids'
import type { Language } from '../../../lib/texts.ts'
import { emptyStep } from '../empty-step.ts'
import type { LibraryWords } from './library-texts.ts'

export type LibraryKey = Exclude<
  keyof LibraryWords,
  'search' | 'noMatch' | 'startWith' | 'hint' | 'kinds' | 'toFill' | 'fills'
>
/** What a company has to choose before it can publish. */
type Fill = keyof LibraryWords['fills']
/** A conversation, and the way that it takes. */
export type LibraryTest = { scene: Partial<TestScene>; entries: TestEntry[]; trace: string[] }
export type LibraryItem = {
  key: LibraryKey
  kind: FlowKind
  name: string
  line: string
  fills: Fill[]
  document: FlowDocument
  test: LibraryTest
}

const hours = 60

type Parts = {
  triggers: FlowTrigger[]
  conditions?: FlowCondition[]
  limits?: Partial<FlowLimits>
}
const head = (kind: FlowKind, { triggers, conditions = [], limits }: Parts) => ({
  kind,
  triggers,
  conditions: { match: 'all' as const, of: conditions },
  limits: { ...noLimits, ...limits },
})
const inLine = (kind: 'rule' | 'sequence', parts: Parts, items: LineItem[]): FlowDocument => ({
  ...head(kind, parts),
  ...linkInLine(items),
})
const graph = (parts: Parts, steps: FlowStep[]): FlowDocument => ({
  ...head('flow', parts),
  first: steps[0]?.id ?? null,
  steps,
})

/** A step with some of its fields. */
const step = <Kind extends FlowStepKind>(
  kind: Kind,
  id: string,
  fields: Partial<Extract<FlowStep, { kind: Kind }>> = {},
): FlowStep => ({ ...emptyStep(kind, id), ...fields }) as FlowStep
const say = (id: string, text: string, next: string | null = null) => step('say', id, { text, next })
const note = (id: string, text: string, next: string | null = null) => step('note', id, { text, next })
const waitFor = (id: string, minutes: number, inOpenHours = false) =>
  step('wait', id, { until: { kind: 'time', minutes, inOpenHours } })
const person = (text: string, id = 'person') => step('person', id, { text })
const end = step('end', 'end')

type Asked = Partial<Pick<AskStep, 'variable' | 'retryText' | 'silence' | 'otherwise'>>
const ask = (id: string, text: string, answer: AskedAnswer, next: string | null, asked: Asked = {}) =>
  step('ask', id, { text, answer, next, otherwise: 'person', ...asked })

const onMessage = (words: string, withFile = false): FlowTrigger => ({
  ...{ kind: 'message', withFile, first: false },
  words: { mode: 'any', words: words.split('\n') },
})
const message = (text: string, more: Partial<Extract<TestEntry, { kind: 'message' }>> = {}): TestEntry => ({
  ...{ kind: 'message', text, optionId: null, file: null, place: false },
  ...more,
})
const time: TestEntry = { kind: 'time' }

/** The numbers that companies of a language ask for, and one that is valid. */
const taxIds: Record<Language, { of: TaxIdKind[]; valid: string }> = {
  es: { of: ['cuit', 'rut'], valid: '20-12345678-6' },
  pt: { of: ['cpf', 'cnpj'], valid: '529.982.247-25' },
  en: { of: ['cpf', 'cnpj', 'cuit', 'rut'], valid: '529.982.247-25' },
}

type Made = Pick<LibraryItem, 'document' | 'test'> & { fills?: Fill[] }

/** The library in one language. */
export const listLibrary = (words: LibraryWords, language: Language): LibraryItem[] =>
  (Object.keys(makers) as LibraryKey[]).map((key) => {
    const { name, line } = words[key]
    const { fills = [], ...made } = makers[key](words, language)
    return { key, kind: made.document.kind, name, line, fills, ...made }
  })

const makers: Record<LibraryKey, (words: LibraryWords, language: Language) => Made> = {
  closed: ({ closed }) => ({
    document: inLine(
      'rule',
      {
        triggers: [{ kind: 'message', words: null, withFile: false, first: false }],
        conditions: [{ field: 'hours', not: true }],
        limits: { hoursPerContact: 12, pauseMinutes: 12 * hours },
      },
      [[say('say', closed.text)]],
    ),
    test: { scene: { isOpen: false }, entries: [], trace: ['say', 'end', '=end'] },
  }),
  firstMessage: ({ firstMessage }) => ({
    document: inLine(
      'rule',
      {
        triggers: [{ kind: 'message', words: null, withFile: false, first: true }],
        conditions: [{ field: 'hours', not: false }],
      },
      [[say('say', firstMessage.text)]],
    ),
    test: { scene: {}, entries: [], trace: ['say', 'end', '=end'] },
  }),
  toOwner: () => ({
    document: inLine(
      'rule',
      { triggers: [{ kind: 'ticketOpened' }], conditions: [{ field: 'owner', in: [null], not: true }] },
      [[step('assign', 'assign', { userId: 'owner' })]],
    ),
    test: { scene: {}, entries: [], trace: ['assign', 'end', '=end'] },
  }),
  complaints: ({ complaints }) => ({
    document: inLine(
      'rule',
      {
        triggers: [onMessage(complaints.words)],
        conditions: [{ field: 'priority', in: ['normal', 'low'], not: false }],
      },
      [[step('priority', 'priority')]],
    ),
    test: { scene: {}, entries: [], trace: ['priority', 'end', '=end'] },
  }),
  unanswered: ({ unanswered }) => ({
    document: inLine('rule', { triggers: [{ kind: 'unanswered', minutes: 30, inOpenHours: true }] }, [
      [step('priority', 'priority', { priority: 'urgent' })],
      [note('note', unanswered.note)],
    ]),
    test: { scene: {}, entries: [], trace: ['priority', 'note', 'end', '=end'] },
  }),
  goalNear: () => ({
    document: inLine('rule', { triggers: [{ kind: 'goalNear', minutes: 30 }] }, [[step('priority', 'priority')]]),
    test: { scene: {}, entries: [], trace: ['priority', 'end', '=end'] },
  }),
  badRating: ({ badRating }) => ({
    document: inLine('rule', { triggers: [{ kind: 'rated', from: 0, to: 2 }] }, [
      [step('priority', 'priority')],
      [note('note', badRating.note)],
    ]),
    test: { scene: {}, entries: [], trace: ['priority', 'note', 'end', '=end'] },
  }),
  receipt: ({ receipt }) => ({
    document: inLine('rule', { triggers: [onMessage(receipt.words, true)], limits: { hoursPerContact: 1 } }, [
      [say('say', receipt.text)],
      [note('note', receipt.note)],
    ]),
    test: { scene: {}, entries: [], trace: ['say', 'note', 'end', '=end'] },
  }),
  birthday: ({ birthday }) => ({
    fills: ['field'],
    document: inLine(
      'rule',
      {
        triggers: [{ kind: 'fieldDate', field: birthday.field, days: 0, time: '10:00', yearly: true }],
        limits: { hoursPerContact: 24 * 30 },
      },
      [[say('say', birthday.text)]],
    ),
    test: { scene: {}, entries: [], trace: ['say', 'end', '=end'] },
  }),
  silence: ({ silence }) => ({
    document: inLine(
      'sequence',
      {
        triggers: [{ kind: 'silent', minutes: 22 * hours, inOpenHours: false }],
        limits: { hoursPerContact: 24 * 30, pauseMinutes: 12 * hours },
      },
      [[say('first', silence.first)], [waitFor('wait', hours)], [say('second', silence.second)]],
    ),
    test: { scene: {}, entries: [message('Ok')], trace: ['first', 'wait', '=answered'] },
  }),
  quote: ({ quote }) => ({
    fills: ['tag'],
    document: inLine('sequence', { triggers: [], limits: { hoursPerContact: 24 * 30 } }, [
      [waitFor('wait', 2 * hours, true)],
      [say('first', quote.first)],
      [waitFor('wait-2', 20 * hours)],
      [
        step('split', 'split', {
          shares: [
            { share: 50, next: 'a' },
            { share: 50, next: 'b' },
          ],
        }),
        say('a', quote.a),
        say('b', quote.b),
      ],
      [waitFor('wait-3', 24 * hours)],
      [note('note', quote.note)],
    ]),
    test: { scene: {}, entries: [time, message('Ok')], trace: ['wait', 'first', 'wait-2', '=answered'] },
  }),
  pix: ({ pix }) => ({
    fills: ['tag'],
    document: inLine('sequence', { triggers: [], limits: { hoursPerContact: 24 } }, [
      [waitFor('wait', hours)],
      [say('first', pix.first)],
      [waitFor('wait-2', 20 * hours)],
      [say('second', pix.second)],
      [waitFor('wait-3', 6 * hours)],
      [note('note', pix.note)],
    ]),
    test: {
      scene: {},
      entries: [time, time, time],
      trace: ['wait', 'first', 'wait-2', 'second', 'wait-3', 'note', 'end', '=end'],
    },
  }),
  afterSale: ({ afterSale }) => ({
    fills: ['tag'],
    document: inLine('sequence', { triggers: [], limits: { hoursPerContact: 24 * 7 } }, [
      [waitFor('wait', 2 * hours, true)],
      [say('first', afterSale.first)],
      [waitFor('wait-2', 48 * hours)],
      [note('note', afterSale.note)],
    ]),
    test: {
      scene: {},
      entries: [time, time],
      trace: ['wait', 'first', 'wait-2', 'note', 'end', '=end'],
    },
  }),
  welcome: ({ welcome }, language) => {
    const { of, valid } = taxIds[language]
    return {
      document: graph({ triggers: [{ kind: 'message', words: null, withFile: false, first: true }] }, [
        ask('name', welcome.askName, { kind: 'text' }, 'tax-id', { variable: 'full_name', otherwise: 'unknown' }),
        ask('tax-id', welcome.askId, { kind: 'taxId', of }, 'note', { variable: 'tax_id', retryText: welcome.retryId }),
        note('note', welcome.note, 'person'),
        person(welcome.handOver),
        person('', 'unknown'),
      ]),
      test: {
        scene: {},
        entries: [message('Ana Paz'), message('123'), message(valid)],
        trace: ['name', 'tax-id', 'tax-id', 'note', 'person', '=person'],
      },
    }
  },
  topics: ({ topics }) => ({
    document: graph({ triggers: [{ kind: 'ticketOpened' }] }, [
      ask(
        'topic',
        topics.ask,
        {
          kind: 'choice',
          options: [
            { id: 'sales', title: topics.sales, next: 'note' },
            { id: 'support', title: topics.support, next: 'problem' },
            { id: 'other', title: topics.other, next: 'person' },
          ],
        },
        null,
        { variable: 'topic' },
      ),
      ask('problem', topics.askSupport, { kind: 'text' }, 'note', { variable: 'problem' }),
      note('note', topics.note, 'person'),
      person(topics.handOver),
    ]),
    test: {
      scene: {},
      entries: [message('2'), message('No enciende')],
      trace: ['topic', 'problem', 'note', 'person', '=person'],
    },
  }),
  orderStatus: ({ orderStatus }) => ({
    fills: ['address'],
    document: graph({ triggers: [onMessage(orderStatus.words)] }, [
      ask('order', orderStatus.ask, { kind: 'text' }, 'call', { variable: 'order' }),
      step('call', 'call', {
        ...{ method: 'GET', keep: [{ path: 'status', variable: 'status' }], next: 'found', otherwise: 'person' },
      }),
      step('branch', 'found', {
        conditions: { match: 'all', of: [{ field: 'variable', name: 'status', is: 'set', value: '', not: false }] },
        ...{ next: 'say', otherwise: 'person' },
      }),
      say('say', orderStatus.status, 'end'),
      person(orderStatus.handOver),
      end,
    ]),
    test: {
      scene: { values: { status: 'OK' } },
      entries: [message('A-1024')],
      trace: ['order', 'call', 'found', 'say', 'end', '=end'],
    },
  }),
  appointment: ({ appointment }) => ({
    fills: ['field'],
    document: graph(
      { triggers: [{ kind: 'fieldDate', field: appointment.field, days: -1, time: '10:00', yearly: false }] },
      [
        ask(
          'coming',
          appointment.ask,
          {
            kind: 'choice',
            options: [
              { id: 'yes', title: appointment.yes, next: 'thanks' },
              { id: 'change', title: appointment.change, next: 'person' },
            ],
          },
          null,
          { silence: { minutes: 20 * hours, next: 'end' } },
        ),
        say('thanks', appointment.thanks, 'note'),
        note('note', appointment.note, 'end'),
        person(appointment.handOver),
        end,
      ],
    ),
    test: { scene: {}, entries: [message('1')], trace: ['coming', 'thanks', 'note', 'end', '=end'] },
  }),
  rateLater: ({ rateLater }) => ({
    document: graph({ triggers: [{ kind: 'resolved', closingReasonIds: [] }], limits: { hoursPerContact: 24 * 7 } }, [
      step('wait', 'wait', { until: { kind: 'time', minutes: 2 * hours, inOpenHours: true }, next: 'rate' }),
      ask('rate', rateLater.ask, { kind: 'number', min: 1, max: 5, decimals: false }, 'note', {
        ...{ variable: 'score', silence: { minutes: 20 * hours, next: 'end' } },
      }),
      note('note', rateLater.note, 'low'),
      step('branch', 'low', {
        conditions: { match: 'all', of: [{ field: 'variable', name: 'score', is: 'less', value: '3', not: false }] },
        ...{ next: 'person', otherwise: 'thanks' },
      }),
      say('thanks', rateLater.thanks, 'end'),
      person(rateLater.sorry),
      end,
    ]),
    test: {
      scene: {},
      entries: [time, message('2')],
      trace: ['wait', 'rate', 'note', 'low', 'person', '=person'],
    },
  }),
  lead: ({ lead }) => ({
    document: graph({ triggers: [{ kind: 'campaignAnswered', campaignIds: [] }] }, [
      ask('email', lead.askEmail, { kind: 'email' }, 'size', { variable: 'email_given', otherwise: 'unknown' }),
      ask('size', lead.askSize, { kind: 'number', min: 1, max: 10_000, decimals: false }, 'note', {
        ...{ variable: 'size', otherwise: 'unknown' },
      }),
      note('note', lead.note, 'large'),
      step('branch', 'large', {
        conditions: { match: 'all', of: [{ field: 'variable', name: 'size', is: 'greater', value: '9', not: false }] },
        ...{ next: 'priority', otherwise: 'person' },
      }),
      step('priority', 'priority', { next: 'person' }),
      person(lead.handOver),
      person('', 'unknown'),
    ]),
    test: {
      scene: {},
      entries: [message('ana@example.com'), message('12')],
      trace: ['email', 'size', 'note', 'large', 'priority', 'person', '=person'],
    },
  }),
  delivery: ({ delivery }) => ({
    document: graph({ triggers: [{ kind: 'person' }] }, [
      ask('place', delivery.ask, { kind: 'place' }, 'note', { variable: 'place', otherwise: 'written' }),
      ask('written', delivery.askText, { kind: 'text' }, 'note', { variable: 'place', otherwise: 'unknown' }),
      note('note', delivery.note, 'person'),
      person(delivery.handOver),
      person('', 'unknown'),
    ]),
    test: {
      scene: {},
      entries: [message('', { place: true })],
      trace: ['place', 'note', 'person', '=person'],
    },
  }),
}
