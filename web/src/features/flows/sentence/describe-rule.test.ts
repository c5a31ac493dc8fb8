import { type FlowDocument, noLimits } from '@recado/contract/flows/flow-document'
import { linkInLine } from '@recado/contract/flows/flow-line'
import type { FlowNames } from '@recado/contract/flows/flows'
import { expect, test } from 'vitest'
import type { Language } from '../../../lib/texts.ts'
import { conditionTexts } from '../../../parts/conditions/texts.ts'
import { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import { emptyRule, emptyStep, emptyTrigger } from '../rules/rule-draft.ts'
import { describeChanges } from './describe-changes.ts'
import { describeRule, linesOfRule } from './describe-rule.ts'
import { fillPattern, joinWith, parsePattern } from './pattern.ts'
import { nameOfIn, type Sentences } from './sentences.ts'
import { sentenceTexts } from './texts.ts'

const names: FlowNames = [
  { entity: 'queue', id: 3, name: 'Reservas', color: null },
  { entity: 'tag', id: 7, name: 'Espera seña', color: null },
]
const sentencesIn = (language: Language): Sentences => ({
  words: sentenceTexts[language],
  conditions: conditionTexts[language],
  priorities: priorityTexts[language].names,
  nameOf: nameOfIn(names),
})
const ruleWith = (part: Partial<FlowDocument>): FlowDocument => ({ ...emptyRule, ...part })
const step = (kind: Parameters<typeof emptyStep>[0], over: object = {}) =>
  ({ ...emptyStep(kind, kind), ...over }) as FlowDocument['steps'][number]

const wholeRule = ruleWith({
  triggers: [{ kind: 'silent', minutes: 1440, inOpenHours: true }, emptyTrigger('message')],
  conditions: {
    match: 'all',
    of: [
      { field: 'tag', in: [7], not: false },
      {
        match: 'any',
        of: [
          { field: 'queue', in: [3, null], not: true },
          { field: 'hours', not: true },
        ],
      },
    ],
  },
  ...linkInLine([
    [step('say', { text: 'Hola, {{firstName}}' })],
    [step('tags', { add: [7] })],
    [step('priority', { priority: 'urgent' })],
    [step('resolve')],
  ]),
})

test.each([
  [
    'es',
    {
      triggers: 'el cliente no responde en 1 día en horario de atención o llega un mensaje',
      conditions: 'tiene «Espera seña» y (la cola no es Reservas o sin cola o la cola está cerrada)',
      steps: 'decir «Hola, {Primer nombre}», poner Espera seña, poner prioridad urgente, resolver el ticket',
    },
  ],
  [
    'pt',
    {
      triggers: 'o cliente não responde em 1 dia no horário de atendimento ou chega uma mensagem',
      conditions: 'tem “Espera seña” e (a fila não é Reservas ou sem fila ou a fila está fechada)',
      steps: 'dizer “Hola, {Primer nombre}”, colocar Espera seña, colocar prioridade urgente, resolver o ticket',
    },
  ],
  [
    'en',
    {
      triggers: "the customer doesn't answer within 1 day of opening hours or a message arrives",
      conditions: "it has “Espera seña” and (the queue isn't Reservas or no queue or the queue is closed)",
      steps: 'say “Hola, {Primer nombre}”, add Espera seña, set urgent priority, resolve the ticket',
    },
  ],
] as const)('says a whole rule as one sentence in %s', (language, sentence) => {
  expect(describeRule(wholeRule, sentencesIn(language))).toEqual(sentence)
})

test('names a deleted tag as something that no longer exists', () => {
  const rule = ruleWith({ triggers: [{ kind: 'tagged', tagIds: [99] }] })
  expect(describeRule(rule, sentencesIn('es')).triggers).toBe('ponen la etiqueta algo que ya no existe')
})

test('quotes the words of a message, joined by what the trigger demands', () => {
  const saying = (mode: 'any' | 'all') =>
    describeRule(
      ruleWith({
        triggers: [{ kind: 'message', words: { mode, words: ['seña', 'pago'] }, withFile: true, first: false }],
      }),
      sentencesIn('es'),
    ).triggers
  expect(saying('any')).toBe('llega un mensaje que dice «seña» o «pago» con un archivo')
  expect(saying('all')).toBe('llega un mensaje que dice «seña» y «pago» con un archivo')
})

test('names the template that is sent instead of a text, or after a day of silence', () => {
  const template = { name: 'recordatorio_sena', language: 'es', variables: {} }
  const saying = (text: string) =>
    describeRule(ruleWith(linkInLine([[step('say', { text, template })]])), sentencesIn('es')).steps
  expect(saying('')).toBe('decir la plantilla recordatorio_sena')
  expect(saying('Hola')).toBe('decir «Hola» o la plantilla recordatorio_sena tras 24 h de silencio')
})

test('cuts a long message between two words', () => {
  const rule = ruleWith(linkInLine([[step('say', { text: 'palabra '.repeat(40) })]]))
  expect(describeRule(rule, sentencesIn('es')).steps).toBe(`decir «${'palabra '.repeat(7).trim()}…»`)
})

test('names every pattern of a trigger and a step in all languages, with the same slots', () => {
  const slotsOf = (says: string) => parsePattern(says).flatMap(({ kind, text }) => (kind === 'slot' ? [text] : []))
  const inAll = (kind: 'triggers' | 'steps') =>
    Object.entries(sentenceTexts.es[kind]).map(([key, { says }]) => [key, slotsOf(says).sort()])
  for (const language of ['pt', 'en'] as const)
    for (const kind of ['triggers', 'steps'] as const)
      expect(
        Object.entries(sentenceTexts[language][kind]).map(([key, { says }]) => [key, slotsOf(says).sort()]),
      ).toEqual(inAll(kind))
})

test('tells what changed between two versions', () => {
  const s = sentencesIn('es')
  const before = ruleWith({
    triggers: [{ kind: 'silent', minutes: 1440, inOpenHours: false }],
    ...linkInLine([[step('tags', { add: [7] })]]),
    limits: { ...noLimits, runsPerDay: 10 },
  })
  const after = ruleWith({
    triggers: [{ kind: 'silent', minutes: 1200, inOpenHours: false }],
    conditions: { match: 'all', of: [{ field: 'unread', not: false }] },
    ...linkInLine([[step('tags', { add: [7] })]]),
  })
  expect(describeChanges(linesOfRule(before, s), linesOfRule(after, s))).toEqual([
    {
      kind: 'changed',
      text: 'cuando el cliente no responde en 1 día → 20 h',
    },
    { kind: 'added', text: 'si tiene mensajes sin leer' },
    { kind: 'removed', text: 'como mucho 10 veces al día' },
  ])
  expect(describeChanges(linesOfRule(after, s), linesOfRule(after, s))).toEqual([])
})

test('leaves no space before a comma and joins lists like a person', () => {
  expect(fillPattern('[llega] {a} , y {b}', { a: { text: 'uno' }, b: { text: 'dos', isDefault: true } })).toBe(
    'llega uno, y',
  )
  expect(joinWith(['a', 'b', 'c'], 'o')).toBe('a, b o c')
  expect(joinWith(['a'], 'o')).toBe('a')
})
