import type { FlowStep, FlowStepKind } from '@recado/contract/flows/flow-steps'
import { IconClockHour9, IconListNumbers, IconMessageQuestion } from '@tabler/icons-react'
import { emptyStep } from '../empty-step.ts'
import { stepIcons } from '../rules/editor/step-icons.ts'
import { isChoiceStep, isHoursStep, kindNameOf, type StepWords } from './describe-node.ts'

/** `choice` and `hours` are an `ask` and a `branch` with a beginning. */
export type PaletteItem = FlowStepKind | 'choice' | 'hours'
export const paletteGroups = {
  talk: ['say', 'ask', 'choice', 'respond'],
  decide: ['branch', 'hours', 'switch', 'split'],
  act: [
    ...(['setVariable', 'setField', 'tags', 'priority', 'queue', 'assign', 'note', 'snooze'] as const),
    ...(['wait', 'call', 'start', 'stop'] as const),
  ],
  end: ['person', 'resolve', 'end'],
} as const satisfies Record<string, readonly PaletteItem[]>
export type PaletteGroup = keyof typeof paletteGroups
export const groupNames = Object.keys(paletteGroups) as PaletteGroup[]
export const isPaletteItem = (value: string): value is PaletteItem =>
  groupNames.some((group) => (paletteGroups[group] as readonly string[]).includes(value))

/** The kind of step, for its id. */
export const stepKindOf = (item: PaletteItem): FlowStepKind =>
  item === 'choice' ? 'ask' : item === 'hours' ? 'branch' : item

export function stepOfItem(item: PaletteItem, id: string, { words }: StepWords): FlowStep {
  const step = emptyStep(stepKindOf(item), id)
  if (item === 'choice' && step.kind === 'ask') {
    const options = [1, 2].map((n) => ({ id: `o${n}`, title: words.option(n), next: null }))
    return { ...step, answer: { kind: 'choice', options } }
  }
  if (item === 'hours' && step.kind === 'branch')
    return { ...step, conditions: { match: 'all', of: [{ field: 'hours', not: false }] } }
  return step
}

export const nameOfItem = (item: PaletteItem, of: StepWords): string => kindNameOf(stepOfItem(item, item, of), of)

export function iconOfStep(step: FlowStep): (typeof stepIcons)['say'] {
  if (isChoiceStep(step)) return IconListNumbers
  if (isHoursStep(step)) return IconClockHour9
  return step.kind === 'ask' ? IconMessageQuestion : stepIcons[step.kind]
}
export const iconOfItem = (item: PaletteItem): (typeof stepIcons)['say'] =>
  item === 'choice'
    ? IconListNumbers
    : item === 'hours'
      ? IconClockHour9
      : item === 'ask'
        ? IconMessageQuestion
        : stepIcons[item]
