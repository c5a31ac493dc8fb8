import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { linkInLine } from '@recado/contract/flows/flow-line'
import { emptyRule, emptyStep, emptyTrigger, noLimits } from './rule-draft.ts'
import type { RulesWords } from './texts.ts'

export type Proposal = { key: string; name: string; document: FlowDocument }

const hours = 60
/** Rules that suit every company: they name no queue, tag or user. */
export function listProposals({ proposals }: RulesWords): Proposal[] {
  const { closed, badRating, complaints } = proposals
  return [
    {
      key: 'closed',
      name: closed.name,
      document: {
        ...emptyRule,
        triggers: [emptyTrigger('message')],
        conditions: { match: 'all', of: [{ field: 'hours', not: true }] },
        ...linkInLine([[{ ...emptyStep('say', 'say'), text: closed.text } as FlowDocument['steps'][number]]]),
        limits: { ...noLimits, hoursPerContact: 12, pauseMinutes: 12 * hours },
      },
    },
    {
      key: 'badRating',
      name: badRating.name,
      document: {
        ...emptyRule,
        triggers: [emptyTrigger('rated')],
        ...linkInLine([
          [emptyStep('priority', 'priority')],
          [{ ...emptyStep('note', 'note'), text: badRating.note } as FlowDocument['steps'][number]],
        ]),
      },
    },
    {
      key: 'complaints',
      name: complaints.name,
      document: {
        ...emptyRule,
        triggers: [
          {
            kind: 'message',
            words: { mode: 'any', words: complaints.words.split('\n') },
            withFile: false,
            first: false,
          },
        ],
        conditions: { match: 'all', of: [{ field: 'priority', in: ['normal', 'low'], not: false }] },
        ...linkInLine([[emptyStep('priority', 'priority')]]),
      },
    },
  ]
}
