import { TextInput } from '@mantine/core'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { Flow, StepNumbers } from '@recado/contract/flows/flows'
import type { Sentences } from '../sentence/sentences.ts'

export type StepPanelProps = {
  step: FlowStep
  document: FlowDocument
  flow: Flow
  sentences: Sentences
  /** Of the published version; undefined: the step is not in it. */
  numbers: StepNumbers | undefined
  onChange: (step: FlowStep) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** One step of a flow. */
export function StepPanel({ step, sentences, onChange }: StepPanelProps) {
  const { name } = sentences.words.steps[step.kind]
  return (
    <TextInput
      label={name}
      maxLength={60}
      value={step.title}
      onChange={(event) => onChange({ ...step, title: event.currentTarget.value })}
    />
  )
}
