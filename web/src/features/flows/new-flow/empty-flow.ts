import type { FlowDocument } from '@recado/contract/flows/flow-document'

export const emptyFlow: FlowDocument = {
  kind: 'flow',
  triggers: [],
  conditions: { match: 'all', of: [] },
  first: null,
  steps: [],
  limits: { hoursPerContact: null, runsPerDay: null, pauseMinutes: null, goesOnWithPerson: false },
}
