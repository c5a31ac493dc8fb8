import { z } from 'zod'
import { ContactDetail } from '../contacts.ts'
import { flag, get, isoDateTime, messageReply, post, ref } from '../endpoint.ts'

/** What two contacts have in common. `field`: a value of their own fields that looks like a number or a code. */
export const duplicateEvidence = ['email', 'name', 'field'] as const
export type DuplicateEvidence = (typeof duplicateEvidence)[number]

const PersonLine = z.object({
  id: z.number(),
  name: z.string(),
  number: z.string(),
  email: z.string(),
  profilePicUrl: z.string().nullable(),
  createdAt: isoDateTime,
})
export type PersonLine = z.infer<typeof PersonLine>

const Match = z.object({
  kind: z.enum(duplicateEvidence),
  /** The common value. */
  value: z.string(),
  /** The name of the own field; empty for the other kinds. */
  field: z.string(),
})
export type DuplicateMatch = z.infer<typeof Match>

const DuplicatePair = z.object({
  /** The older contact, which stays when they are joined. */
  kept: PersonLine,
  other: PersonLine,
  matches: z.array(Match),
})
export type DuplicatePair = z.infer<typeof DuplicatePair>

const JoinSide = z.object({
  contact: ContactDetail,
  /** The numbers from which the person writes. */
  numbers: z.array(z.string()),
  ticketCount: z.number(),
  /** Whether the person asked for no more campaigns. */
  isOptedOut: z.boolean(),
})
export type JoinSide = z.infer<typeof JoinSide>

/** The largest number of own fields of the other contact that one call names. */
const maxFieldIds = 200
const params = z.object({ id: ref('contact') })
const otherId = ref('contact')

export const contactDuplicatesApi = {
  list: get('/contacts/duplicates', {
    about:
      'Contacts that may be one person, with what they have in common. Looks at the newest contacts first, some thousands per call; `nextBefore` continues',
    access: 'contacts-page:deleteContact',
    query: z.object({ before: z.coerce.number().int().min(1).max(2_147_483_647).optional().catch(undefined) }),
    reply: z.object({ pairs: z.array(DuplicatePair), nextBefore: z.number().nullable() }),
  }),
  ofContact: get('/contacts/:id/duplicates', {
    about: 'Contacts that may be the same person as this one, with what they have in common; at most five',
    access: 'session',
    params,
    reply: z.object({ pairs: z.array(DuplicatePair) }),
  }),
  compare: get('/contacts/:id/compare', {
    about: 'Two contacts side by side, and what joining them would do',
    access: 'contacts-page:deleteContact',
    params,
    query: z.object({ otherId }),
    reply: z.object({
      kept: JoinSide,
      other: JoinSide,
      /** Active tickets that would be closed, because a person has one active ticket per line. */
      closedTickets: z.number(),
    }),
  }),
  join: post('/contacts/:id/join', {
    about:
      'Join another contact into this one: tickets, messages, notes and numbers move here. POST /contacts/merges/{id}/undo separates them again',
    access: 'contacts-page:deleteContact',
    params,
    body: z.object({
      otherId,
      /** Take the name or the e-mail of the other contact. An absent value of this contact is filled anyway. */
      otherName: flag.default(false),
      otherEmail: flag.default(false),
      /** Own fields of the other contact that replace those of the same name; fields with other names move anyway. */
      fieldIds: z.array(ref('extraInfo')).max(maxFieldIds).default([]),
    }),
    example: { otherId: 2, otherName: true },
    reply: z.object({ contact: ContactDetail, mergeId: z.number() }),
  }),
  dismiss: post('/contacts/:id/not-duplicate', {
    about: 'Remember that two contacts are different people: they are not proposed again, and no event joins them',
    access: 'contacts-page:deleteContact',
    params,
    body: z.object({ otherId }),
    example: { otherId: 2 },
    reply: messageReply,
  }),
}
