import type { AskStep } from '@recado/contract/flows/flow-steps'
import type { FlowVariables, TextValues } from '@recado/contract/flows/flow-variables'
import { renderFlowText } from '@recado/contract/flows/flow-variables'
import type { ActStep } from '@recado/contract/flows/walk'

/** A step that a run performs in a conversation. */
export type FlowAct<Step extends ActStep | AskStep = ActStep | AskStep> = {
  runId: number
  ticketId: number
  contactId: number
  step: Step
  /** The text of a question, which may be that of a repetition. */
  text?: string
  variables: FlowVariables
  texts: TextValues
  flowName: string
  /** Whether a message of the customer started or continued the run: an answer goes also to those who opted out. */
  isReply: boolean
}

/** A text of the step with its values. */
export const fillText = ({ variables, texts }: Pick<FlowAct, 'variables' | 'texts'>, text: string): string =>
  renderFlowText(text, variables, texts).trim()
