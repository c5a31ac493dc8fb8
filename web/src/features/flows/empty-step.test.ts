import { FlowDocument } from '@recado/contract/flows/flow-document'
import { type AskedAnswer, FlowStep, type FlowStepKind, isStepComplete } from '@recado/contract/flows/flow-steps'
import { describe, expect, it } from 'vitest'
import { emptyAnswer, emptyStep } from './empty-step.ts'

const kinds = FlowStep.options.map(({ shape }) => shape.kind.value as FlowStepKind)
const answers: AskedAnswer['kind'][] = ['text', 'number', 'date', 'choice', 'email', 'taxId', 'file', 'place']
const store = (step: FlowStep) =>
  FlowDocument.safeParse({ kind: 'flow', triggers: [], first: step.id, steps: [step] }).data?.steps[0]

describe('a new step', () => {
  it.each(kinds)('%s can be stored as it is', (kind) => {
    const step = emptyStep(kind, 'a')
    expect(store(step)).toEqual(step)
  })

  it.each(answers)('that asks for %s can be stored as it is', (kind) => {
    const step = { ...emptyStep('ask', 'a'), answer: emptyAnswer(kind, 'Opción 1') } as FlowStep
    expect(store(step)).toEqual(step)
  })

  it('of a bot is not complete before somebody has chosen the bot', () => {
    const step = emptyStep('respond', 'a')
    expect(isStepComplete(step)).toBe(false)
    expect(isStepComplete({ ...step, by: { kind: 'prompt', promptId: 1 } } as FlowStep)).toBe(true)
  })
})
