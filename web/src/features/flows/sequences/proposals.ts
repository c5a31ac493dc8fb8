import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { linkInLine } from '@recado/contract/flows/flow-line'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { emptyStep, emptyTrigger } from '../rules/rule-draft.ts'
import { emptySequence } from './sequence-draft.ts'
import type { SequencesWords } from './texts.ts'

export type Proposal = { key: string; name: string; document: FlowDocument }

const hour = 60
const day = 24 * hour
const say = (id: string, text: string): FlowStep => ({ ...emptyStep('say', id), text }) as FlowStep
const wait = (id: string, minutes: number, inOpenHours = false): FlowStep =>
  ({ ...emptyStep('wait', id), until: { kind: 'time', minutes, inOpenHours } }) as FlowStep

/** Sequences that suit every company: they name no queue, tag or user. */
export function listProposals({ proposals: { followUp, afterwards } }: SequencesWords): Proposal[] {
  return [
    {
      key: 'followUp',
      name: followUp.name,
      document: {
        ...emptySequence,
        triggers: [{ kind: 'silent', minutes: 6 * hour, inOpenHours: false }],
        ...linkInLine([
          [say('say', followUp.first)],
          [wait('wait', 12 * hour)],
          [say('say-2', followUp.second)],
          [wait('wait-2', 2 * day)],
          [{ ...emptyStep('note', 'note'), text: followUp.note } as FlowStep],
        ]),
      },
    },
    {
      key: 'afterwards',
      name: afterwards.name,
      document: {
        ...emptySequence,
        triggers: [emptyTrigger('resolved')],
        ...linkInLine([[wait('wait', 20 * hour)], [say('say', afterwards.first)], [wait('wait-2', 2 * day)]]),
      },
    },
  ]
}
