import { FlowDocument } from '@recado/contract/flows/flow-document'
import { expect, test } from 'vitest'
import { resultsById, resultsInLine, resultsOfUnchanged, sumOfLine } from './step-results.ts'

const document = FlowDocument.parse({
  kind: 'sequence',
  triggers: [{ kind: 'ticketOpened' }],
  first: 'hello',
  steps: [
    { kind: 'say', id: 'hello', text: 'Hola', next: 'wait' },
    { kind: 'wait', id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'again' },
    { kind: 'say', id: 'again', text: '¿Sigues ahí?', next: 'later' },
    { kind: 'wait', id: 'later', until: { kind: 'time', minutes: 60 }, next: 'end' },
    { kind: 'end', id: 'end' },
  ],
}) as FlowDocument
const numbers = [
  { stepId: 'hello', came: 10, left: 0, answered: 1, failed: 1, inside: 0 },
  { stepId: 'wait', came: 9, left: 1, answered: 2, failed: 0, inside: 2 },
  { stepId: 'again', came: 4, left: 0, answered: 0, failed: 0, inside: 0 },
  { stepId: 'later', came: 4, left: 0, answered: 1, failed: 0, inside: 1 },
]

test('counts an answer for the message before it', () => {
  const results = resultsInLine(document, numbers)
  expect(results.get('hello')).toMatchObject({ came: 10, answered: 3, failed: 1 })
  expect(results.get('again')).toMatchObject({ came: 4, answered: 1, failed: 0 })
  expect(sumOfLine(document, numbers)).toEqual({ began: 10, answered: 4 })
})

test('shows no numbers at a step that differs from the published one', () => {
  const steps = document.steps.map((step) =>
    step.kind === 'say' && step.id === 'again' ? { ...step, text: '¿Te ayudo?' } : { ...step, next: null },
  )
  const results = resultsOfUnchanged({ ...document, steps } as FlowDocument, document, resultsById(numbers))
  expect([...results.keys()]).toEqual(['hello', 'wait', 'later'])
  expect(resultsOfUnchanged(document, null, resultsById(numbers)).size).toBe(0)
})
