import { expect, test } from 'vitest'
import { FlowDocument } from '../src/flows/flow-document.ts'
import { lastMessageBefore } from '../src/flows/last-message.ts'
import { chooseShare } from '../src/flows/walk.ts'

const document = FlowDocument.parse({
  kind: 'sequence',
  triggers: [{ kind: 'ticketOpened' }],
  first: 'pause',
  steps: [
    { kind: 'wait', id: 'pause', until: { kind: 'opening' }, next: 'first' },
    { kind: 'say', id: 'first', text: 'Hola', next: 'wait' },
    { kind: 'wait', id: 'wait', until: { kind: 'time', minutes: 60 }, next: 'split' },
    {
      kind: 'split',
      id: 'split',
      shares: [
        { share: 50, next: 'a' },
        { share: 50, next: 'b' },
      ],
    },
    { kind: 'say', id: 'a', text: '¿Sigues ahí?', next: 'later' },
    { kind: 'say', id: 'b', text: '¿Te ayudo?', next: 'later' },
    { kind: 'wait', id: 'later', until: { kind: 'time', minutes: 60 }, next: 'end' },
    { kind: 'end', id: 'end' },
  ],
}) as FlowDocument
const split = document.steps.find((step) => step.kind === 'split')

test('finds the message before the step where a run stands', () => {
  expect(lastMessageBefore(document, 'pause', '1')).toBeNull()
  expect(lastMessageBefore(document, 'first', '1')).toBeNull()
  expect(lastMessageBefore(document, 'wait', '1')).toBe('first')
  expect(lastMessageBefore(document, 'split', '1')).toBe('first')
})

test('finds the variant that the run got', () => {
  const runIds = ['1', '2', '3', '4', '5', '6', '7', '8']
  const variants = runIds.map((runId) => lastMessageBefore(document, 'later', runId))
  expect(variants).toEqual(runIds.map((runId) => (split && chooseShare(split, runId) === 0 ? 'a' : 'b')))
  expect(new Set(variants)).toEqual(new Set(['a', 'b']))
  expect(lastMessageBefore(document, 'end', '1')).toBe(variants[0])
})
