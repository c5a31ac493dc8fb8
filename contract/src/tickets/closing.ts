import { z } from 'zod'
import { flag, isoDateTime, ref, requiredName } from '../endpoint.ts'

/** Limits of a queue's closing form (docs/closing.md). */
export const maxClosingReasons = 30
export const maxClosingFields = 10
export const maxClosingChoices = 30
export const maxClosingValueLength = 500

export const closingFieldKinds = ['text', 'number', 'choice', 'yesNo'] as const
export type ClosingFieldKind = (typeof closingFieldKinds)[number]

const ClosingReason = z.object({ id: z.number(), name: z.string() })
const ClosingField = z.object({
  id: z.number(),
  name: z.string(),
  kind: z.enum(closingFieldKinds),
  required: z.boolean(),
  /** What to choose from; empty for other kinds. */
  choices: z.array(z.string()),
})
export type ClosingField = z.infer<typeof ClosingField>

/** What an agent is asked when they close a ticket of the queue. Without reasons and fields they are asked nothing. */
export const ClosingForm = z.object({
  reasonRequired: z.boolean(),
  reasons: z.array(ClosingReason),
  fields: z.array(ClosingField),
})
export type ClosingForm = z.infer<typeof ClosingForm>

const hasDistinctNames = (all: { name: string }[]) =>
  new Set(all.map(({ name }) => name.toLowerCase())).size === all.length

const ReasonDraft = z.object({ name: requiredName(1, 60) })
const FieldDraft = z.object({
  name: requiredName(1, 60),
  kind: z.enum(closingFieldKinds),
  required: flag.default(false),
  choices: z.array(requiredName(1, 60)).max(maxClosingChoices).default([]),
})
const hasChoices = ({ kind, choices }: z.output<typeof FieldDraft>) => kind !== 'choice' || choices.length > 0
const requiresWhatExists = (form: { reasonRequired: boolean; reasons: unknown[] }) =>
  !form.reasonRequired || form.reasons.length > 0

/** The form of a new queue. */
export const ClosingFormCreate = z
  .object({
    reasonRequired: flag.default(false),
    reasons: z.array(ReasonDraft).max(maxClosingReasons).refine(hasDistinctNames),
    fields: z
      .array(FieldDraft.refine(hasChoices, { path: ['choices'] }))
      .max(maxClosingFields)
      .refine(hasDistinctNames),
  })
  .refine(requiresWhatExists, { path: ['reasons'] })
/** Rows with an id are changed, rows without one are added, and the others are removed; removed reasons stay in reports. */
export const ClosingFormWrite = z
  .object({
    reasonRequired: flag.default(false),
    reasons: z
      .array(ReasonDraft.extend({ id: ref('closingReason').optional() }))
      .max(maxClosingReasons)
      .refine(hasDistinctNames),
    fields: z
      .array(FieldDraft.extend({ id: ref('closingField').optional() }).refine(hasChoices, { path: ['choices'] }))
      .max(maxClosingFields)
      .refine(hasDistinctNames),
  })
  .refine(requiresWhatExists, { path: ['reasons'] })
export type ClosingFormWrite = z.output<typeof ClosingFormWrite>

const ClosingValue = z.union([
  z.string().trim().max(maxClosingValueLength),
  z.number().min(-1e12).max(1e12),
  z.boolean(),
])
export type ClosingValue = z.output<typeof ClosingValue>

/** What a person says about a ticket that they close. Ids of another queue are refused. */
export const closingShape = {
  closingReasonId: ref('closingReason').nullish(),
  closingFields: z
    .array(z.object({ id: ref('closingField'), /** Empty: no answer. */ value: ClosingValue.default('') }))
    .max(maxClosingFields)
    .optional(),
  /** A summary for whoever talks with the customer next. */
  closingNote: z.string().trim().max(maxClosingValueLength).optional(),
}
const ClosingInput = z.object(closingShape)
export type ClosingInput = z.output<typeof ClosingInput>

/** A value as it was stored, with the name that its field had. */
export const StoredClosingValue = z.object({ name: z.string(), kind: z.enum(closingFieldKinds), value: ClosingValue })
export type StoredClosingValue = z.infer<typeof StoredClosingValue>

/** One time that a ticket was closed. */
export const TicketClosing = z.object({
  at: isoDateTime,
  reason: ClosingReason.nullable(),
  fields: z.array(StoredClosingValue),
  note: z.string(),
  /** A bot, a timer or another rule closed it. */
  byItself: z.boolean(),
  user: z.object({ id: z.number(), name: z.string() }).nullable(),
})
export type TicketClosing = z.infer<typeof TicketClosing>

/** Whether agents are asked something when they close a ticket of the queue. */
export const asksWhenClosing = (form: ClosingForm | undefined): form is ClosingForm =>
  form !== undefined && (form.reasons.length > 0 || form.fields.length > 0)
