import type { AskedAnswer, FlowStep, FlowStepKind } from '@recado/contract/flows/flow-steps'
import { unchosenId } from '@recado/contract/flows/flow-steps'
import { taxIdKinds } from '@recado/contract/flows/tax-ids'

/** A step of the kind before anything was filled in. */
export function emptyStep(kind: FlowStepKind, id: string): FlowStep {
  const base = { id, title: '', next: null }
  switch (kind) {
    case 'say':
      return { ...base, kind, text: '', fileId: null, buttons: [], list: null, template: null }
    case 'ask':
      return {
        ...base,
        ...{ kind, text: '', answer: { kind: 'text' }, variable: null },
        ...{ retries: 2, retryText: '', silence: null, otherwise: null },
      }
    case 'branch':
      return { ...base, kind, conditions: { match: 'all', of: [] }, otherwise: null }
    case 'switch':
      return { id, title: '', kind, variable: null, cases: [{ value: '1', next: null }], otherwise: null }
    case 'split':
      return {
        ...{ id, title: '', kind },
        shares: [
          { share: 50, next: null },
          { share: 50, next: null },
        ],
      }
    case 'wait':
      return { ...base, kind, until: { kind: 'time', minutes: 60, inOpenHours: false }, otherwise: null }
    case 'call':
      return { ...base, kind, method: 'POST', url: '', headers: [], body: '', keep: [], otherwise: null }
    case 'respond':
      return { ...base, kind, by: { kind: 'prompt', promptId: unchosenId }, turns: 1, silence: null, otherwise: null }
    case 'setVariable':
      return { ...base, kind, variable: null, value: '' }
    case 'setField':
      return { ...base, kind, field: '', value: '' }
    case 'tags':
      return { ...base, kind, add: [], remove: [] }
    case 'priority':
      return { ...base, kind, priority: 'high' }
    case 'queue':
      return { ...base, kind, queueId: null }
    case 'assign':
      return { ...base, kind, userId: null }
    case 'note':
      return { ...base, kind, text: '', mentions: [] }
    case 'snooze':
      return { ...base, kind, until: 'tomorrow', hours: 24, wakesOnMessage: true, note: '' }
    case 'start':
    case 'stop':
      return { ...base, kind, flowId: null }
    case 'resolve':
      return { id, title: '', kind, closingReasonId: null }
    case 'person':
      return { id, title: '', kind, queueId: null, text: '' }
    case 'end':
      return { id, title: '', kind }
  }
}

/** What a question asks for before anything was chosen. `option`: the title of the first of several. */
export function emptyAnswer(kind: AskedAnswer['kind'], option: string): AskedAnswer {
  switch (kind) {
    case 'number':
      return { kind, min: null, max: null, decimals: false }
    case 'date':
      return { kind, when: 'any' }
    case 'choice':
      return { kind, options: [{ id: 'o1', title: option, next: null }] }
    case 'taxId':
      return { kind, of: [...taxIdKinds] }
    case 'file':
      return { kind, of: [] }
    default:
      return { kind }
  }
}
