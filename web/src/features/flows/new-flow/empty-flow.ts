import { type FlowDocument, noLimits } from '@recado/contract/flows/flow-document'

export const emptyFlow: FlowDocument = {
  kind: 'flow',
  triggers: [],
  conditions: { match: 'all', of: [] },
  first: null,
  steps: [],
  limits: noLimits,
}
