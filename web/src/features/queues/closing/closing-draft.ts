import type { Queue } from '@recado/contract/queues'
import type { ClosingFieldKind, ClosingFormWrite } from '@recado/contract/tickets/closing'
import type { FieldProblemDetail } from '../../../records/field-problems.ts'

export type ReasonDraft = { key: string; id?: number; name: string }
export type FieldDraft = {
  key: string
  id?: number
  name: string
  kind: ClosingFieldKind
  required: boolean
  choices: string[]
}
/** The closing form as it is edited. */
export type ClosingDraft = { reasonRequired: boolean; reasons: ReasonDraft[]; fields: FieldDraft[] }

export const toClosingDraft = (closing: Queue['closing'] | undefined): ClosingDraft => ({
  reasonRequired: closing?.reasonRequired ?? false,
  reasons: (closing?.reasons ?? []).map((reason) => ({ ...reason, key: String(reason.id) })),
  fields: (closing?.fields ?? []).map((field) => ({ ...field, key: String(field.id) })),
})

/** Rows that were added and left empty are not saved. */
export function toClosingFormWrite({ reasonRequired, reasons, fields }: ClosingDraft): ClosingFormWrite {
  const named = reasons.filter(({ name }) => name.trim() !== '').map(({ key: _, ...reason }) => reason)
  return {
    reasonRequired: reasonRequired && named.length > 0,
    reasons: named,
    fields: fields.filter(({ name }) => name.trim() !== '').map(({ key: _, ...field }) => field),
  }
}

export function findClosingProblem(draft: ClosingDraft): FieldProblemDetail | null {
  const { reasons, fields } = toClosingFormWrite(draft)
  const hasDoubles = [reasons, fields].some(
    (all) => new Set(all.map(({ name }) => name.trim().toLowerCase())).size < all.length,
  )
  const lacksChoices = fields.some(({ kind, choices }) => kind === 'choice' && choices.length === 0)
  return hasDoubles || lacksChoices ? { kind: 'Invalid' } : null
}
