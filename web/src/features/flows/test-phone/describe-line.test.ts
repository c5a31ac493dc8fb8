import { FlowDocument } from '@recado/contract/flows/flow-document'
import { TestEntry, TestScene } from '@recado/contract/flows/flow-tests'
import { simulateFlow } from '@recado/contract/flows/simulate-flow'
import { describe, expect, it } from 'vitest'
import { conditionTexts } from '../../../parts/conditions/texts.ts'
import { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import type { Sentences } from '../sentence/sentences.ts'
import { sentenceTexts } from '../sentence/texts.ts'
import { describeDifference } from './describe-difference.ts'
import { describeLine } from './describe-line.ts'
import { testPhoneTexts } from './texts.ts'

const sentences: Sentences = {
  words: sentenceTexts.es,
  conditions: conditionTexts.es,
  priorities: priorityTexts.es.names,
  nameOf: () => 'Grupo',
}
const words = testPhoneTexts.es
const options = [
  { id: 'a', title: 'Reservar', next: 'people' },
  { id: 'b', title: 'Pagos', next: 'person' },
]
const bigger = { field: 'variable', name: 'personas', is: 'greater', value: '7' }
const document = FlowDocument.parse({
  kind: 'flow',
  triggers: [{ kind: 'message' }],
  first: 'what',
  steps: [
    { id: 'what', kind: 'ask', text: '¿Qué?', answer: { kind: 'choice', options }, otherwise: 'person' },
    {
      ...{ id: 'people', kind: 'ask', text: '¿Cuántos?', answer: { kind: 'number', min: 1, max: 40 } },
      ...{ variable: 'personas', next: 'many', otherwise: 'person' },
    },
    { id: 'many', kind: 'branch', conditions: { match: 'all', of: [bigger] }, next: 'tag', otherwise: 'end' },
    { id: 'tag', kind: 'tags', add: [1], next: 'call' },
    { id: 'call', kind: 'call', url: 'https://api.example/x', next: 'end', otherwise: 'person' },
    { id: 'person', kind: 'person' },
    { id: 'end', kind: 'end' },
  ],
})
const play = (texts: string[], scene: object = {}) =>
  simulateFlow(
    document,
    TestScene.parse(scene),
    texts.map((text) => TestEntry.parse({ kind: 'message', text })),
  )
const describeAll = (texts: string[], scene: object = {}) =>
  play(texts, scene).lines.flatMap((line) => describeLine(line, { document, sentences, words }) ?? [])

describe('what happens inside', () => {
  it('is told in sentences', () => {
    expect(describeAll(['1', 'dos y dos nenes', '9'])).toEqual([
      'Eligió 1 Reservar',
      'No vio un número válido: pregunta otra vez, 1 de 2',
      'Respondió: personas es «9»',
      'Se cumple: personas es mayor que «7»',
      'Poner Grupo',
      'Llamar a api.example con GET, sin hacerlo de verdad',
      'Termina el flujo',
    ])
  })

  it('says what fails, and that nobody asks any more', () => {
    expect(describeAll(['1', '9'], { callsFail: true }).slice(-3)).toEqual([
      'Llamar a api.example con GET: falla',
      'Pasar a una persona',
      'Termina: sigue una persona',
    ])
    expect(describeAll(['?', '?', '?'])).toContain('No se entendió, y ya no pregunta otra vez')
  })
})

describe('the difference of a test', () => {
  const nameOf = (id: string) => ({ what: '¿Qué?', people: '¿Cuántos?' })[id] ?? null
  const compare = (recorded: string[], now: string[]) => describeDifference(recorded, now, { words, nameOf })

  it('names the first step that is another one', () => {
    expect(compare(['what', 'people'], ['what', 'gone', '=end'])).toBe(
      'Después de «¿Qué?» seguía «¿Cuántos?». Ahora sigue un paso que ya no existe.',
    )
    expect(compare(['people'], ['what'])).toBe('Empezaba con «¿Cuántos?». Ahora empieza con «¿Qué?».')
  })

  it('names the end', () => {
    expect(compare(['what', '=person'], ['what'])).toBe(
      'Después de «¿Qué?» seguía «Termina: sigue una persona». Ahora no sigue nada.',
    )
  })
})
