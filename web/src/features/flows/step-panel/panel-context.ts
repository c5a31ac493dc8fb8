import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowStep, FlowStepKind } from '@recado/contract/flows/flow-steps'
import type { Sentences } from '../sentence/sentences.ts'

/** What the fields of a step know about the flow around it. */
export type PanelContext = {
  document: FlowDocument
  sentences: Sentences
  /** The flow's own variables that may have a value at the step. */
  variables: string[]
}
export type StepOf<Kind extends FlowStepKind> = Extract<FlowStep, { kind: Kind }>
export type FieldsProps<Kind extends FlowStepKind> = {
  step: StepOf<Kind>
  panel: PanelContext
  onChange: (step: FlowStep) => void
}
