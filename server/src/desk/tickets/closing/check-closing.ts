import type { ClosingField, ClosingForm, ClosingInput, ClosingValue } from '@recado/contract/tickets/closing'
import { loadClosingForms } from '../../../directory/queues/closing-form.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { ClosingRecord } from './closing.ts'

const emptyForm: ClosingForm = { reasonRequired: false, reasons: [], fields: [] }

async function loadForm(scope: Scope, queueId: number | null): Promise<ClosingForm> {
  if (queueId === null) return emptyForm
  const queue = await scope.db
    .selectFrom('queues')
    .select(['id', 'closingReasonRequired'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', queueId)
    .executeTakeFirst()
  return (queue && (await loadClosingForms(scope, [queue])).get(queueId)) ?? emptyForm
}

/** Checks what a person says about a ticket that they close against what its queue asks. */
export async function checkClosing(scope: Scope, queueId: number | null, input: ClosingInput): Promise<ClosingRecord> {
  const form = await loadForm(scope, queueId)
  const { closingReasonId, closingFields = [], closingNote = '' } = input
  const reason = form.reasons.find(({ id }) => id === closingReasonId) ?? null
  if (closingReasonId && !reason) throw new AppError('ERR_NO_CLOSINGREASON_FOUND')
  if (closingFields.some(({ id }) => !form.fields.some((field) => field.id === id)))
    throw new AppError('ERR_NO_CLOSINGFIELD_FOUND')
  if (form.reasonRequired && !reason && form.reasons.length) throw new AppError('ERR_CLOSING_REASON_REQUIRED')
  const values = form.fields.flatMap((field) => {
    const value = closingFields.findLast(({ id }) => id === field.id)?.value
    if (value === undefined || value === '') {
      if (field.required) throw new AppError('ERR_CLOSING_FIELDS_REQUIRED')
      return []
    }
    if (!fitsField(field, value)) throw new AppError('ERR_VALIDATION', { closingFields: 'Invalid' })
    return [{ name: field.name, kind: field.kind, value }]
  })
  return { reason, note: closingNote, values }
}

function fitsField({ kind, choices }: ClosingField, value: ClosingValue): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'choice':
      return typeof value === 'string' && choices.includes(value)
    case 'yesNo':
      return typeof value === 'boolean'
  }
}

/** Refuses a reason or a field that no queue of the company has. */
export async function assertClosingExists(scope: Scope, input: ClosingInput): Promise<void> {
  const { reason, fields } = await loadNamed(scope, input)
  if (input.closingReasonId && !reason) throw new AppError('ERR_NO_CLOSINGREASON_FOUND')
  if ((input.closingFields ?? []).some(({ id }) => !fields.has(id))) throw new AppError('ERR_NO_CLOSINGFIELD_FOUND')
}

/**
 * The same reason and fields for a ticket of any queue: those of its queue with the same name. What its queue does not
 * have is left out.
 */
export async function translateClosing(
  scope: Scope,
  queueId: number | null,
  input: ClosingInput,
): Promise<ClosingInput> {
  const form = await loadForm(scope, queueId)
  const named = await loadNamed(scope, input)
  return {
    closingNote: input.closingNote,
    closingReasonId: form.reasons.find(({ name }) => isSameName(name, named.reason))?.id,
    closingFields: (input.closingFields ?? []).flatMap(({ id, value }) => {
      const field = form.fields.find(({ name }) => isSameName(name, named.fields.get(id)))
      return field ? [{ id: field.id, value }] : []
    }),
  }
}

/** The queue's reason of the same name; null: it has none. Refuses a reason that no queue offers. */
export async function findClosingReasonOfQueue(
  scope: Scope,
  queueId: number | null,
  closingReasonId: number,
): Promise<ClosingRecord['reason']> {
  const { reasons } = await loadForm(scope, queueId)
  const { reason } = await loadNamed(scope, { closingReasonId })
  if (!reason) throw new AppError('ERR_NO_CLOSINGREASON_FOUND')
  return reasons.find(({ name }) => isSameName(name, reason)) ?? null
}

const isSameName = (a: string, b: string | undefined): boolean => a.toLowerCase() === b?.toLowerCase()

/** The names of a reason that is offered somewhere, and of fields by their ids. */
async function loadNamed(
  scope: Scope,
  { closingReasonId, closingFields = [] }: ClosingInput,
): Promise<{ reason: string | undefined; fields: Map<number, string> }> {
  const reason = closingReasonId
    ? await scope.db
        .selectFrom('closingReasons')
        .select('name')
        .where('companyId', '=', scope.companyId)
        .where('id', '=', closingReasonId)
        .where('archivedAt', 'is', null)
        .executeTakeFirst()
    : undefined
  const ids = closingFields.map(({ id }) => id)
  const fields = ids.length
    ? await scope.db
        .selectFrom('closingFields')
        .select(['id', 'name'])
        .where('companyId', '=', scope.companyId)
        .where('id', 'in', ids)
        .execute()
    : []
  return { reason: reason?.name, fields: new Map(fields.map(({ id, name }) => [id, name])) }
}
