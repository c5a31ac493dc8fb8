import { lineTraits } from '@recado/contract/line-traits'
import {
  dateOfWallTime,
  firstOccurrence,
  parseMoment,
  toWallTime,
  type WallTime,
} from '@recado/contract/schedules/occurrences'
import { type Schedule, type ScheduleWrite, schedulesApi } from '@recado/contract/schedules/schedules'
import { sql, type Updateable } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { findDefaultLine, findLine } from '../../directory/connections/find-line.ts'
import { findContact } from '../../directory/contacts/contact-store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { keepUpload, scheduleFileRemoval } from '../../kernel/files/media.ts'
import { route } from '../../kernel/http/routes.ts'
import type { LoadTemplates } from '../../lines/cloud/templates.ts'
import { messageKindOf } from '../messages/kinds.ts'
import { retryMessage } from '../messages/retry.ts'
import { composeTextTemplate } from '../messages/template.ts'
import { replyWindowEndSql } from '../reply-window.ts'
import type { SendAs } from '../tables.ts'
import { canSeeTicket, currentViewer } from '../tickets/base/visibility.ts'
import { findActiveTicket, ticketHeldError } from '../tickets/lifecycle.ts'
import { uploadWindowEnd } from '../upload-window.ts'
import { createNextOccurrences } from './send.ts'
import { findSchedule, listSchedules, lockSchedule, presentSchedule, type ScheduleRow } from './view.ts'
import { addSchedules, changeSchedule, removeSchedule } from './write.ts'

/** Throws if the time is in the past. The current minute is allowed: the message is then sent at once. */
function assertInFuture(scope: Scope, at: Date): void {
  if (at.getTime() < Math.floor(scope.now().getTime() / 60_000) * 60_000)
    throw new AppError('ERR_VALIDATION', { sendAt: 'In the past' })
}

type LineRow = Awaited<ReturnType<typeof findLine>>
type ScheduleTime = { sendAt: Date; first: WallTime; slot: WallTime }

/** The send time; for a series, the first time that fits its rule. */
async function resolveScheduleTime(
  scope: Scope,
  { sendAt, repeat }: Pick<ScheduleWrite, 'sendAt' | 'repeat'>,
): Promise<ScheduleTime> {
  const zone = await loadCompanyTimeZone(scope)
  const at = parseMoment(sendAt, zone)
  assertInFuture(scope, at)
  const first = toWallTime(at, zone)
  if (!repeat) return { sendAt: at, first, slot: first }
  const { holidays } = await scope.db
    .selectFrom('companies')
    .select('holidays')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const slot = firstOccurrence(repeat, first, holidays)
  if (slot === null) throw new AppError('ERR_VALIDATION', { repeat: 'Invalid' })
  return { sendAt: slot === first ? at : dateOfWallTime(slot, zone), first, slot }
}

/** The requested line, else the line of the contact's last conversation, else the default line. */
async function chooseLine(scope: Scope, contactId: number, asked: number | null) {
  if (asked !== null) return findLine(scope, asked)
  const last = await scope.db
    .selectFrom('tickets')
    .select('whatsappId')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', 'is not', null)
    .orderBy('updatedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.whatsappId ? findLine(scope, last.whatsappId) : findDefaultLine(scope)
}

/** The end of the free messaging window for this contact; null on a line without such a window. */
async function loadReplyWindowEnd(scope: Scope, contactId: number, { id, provider }: LineRow): Promise<string | null> {
  if (!lineTraits[provider].window) return null
  const { rows } = await sql<{ ends: string }>`
    select ${sql.raw(replyWindowEndSql('chat'))} as ends
    from (select ${scope.companyId}::int as "companyId", ${contactId}::int as "contactId", ${id}::int as "whatsappId") chat`.execute(
    scope.db,
  )
  return rows[0]?.ends ?? null
}

/** A schedule is sent in the chat's active ticket, so a user who may not see that ticket may not schedule there. */
async function assertChatVisible(scope: Scope, contactId: number, whatsappId: number | null): Promise<void> {
  const living = whatsappId === null ? null : await findActiveTicket(scope, contactId, whatsappId)
  const viewer = currentViewer(scope)
  // The error names the assigned agent, as when forwarding or starting a conversation.
  if (living && !(viewer && canSeeTicket(viewer, { ...living, companyId: scope.companyId })))
    throw ticketHeldError(scope, living)
}

type ScheduleText = { body: string; sendAs: SendAs | null }

/** Composes the text outside a transaction, because Meta may have to be called for its templates. */
async function resolveScheduleText(
  scope: Scope,
  body: ScheduleWrite,
  before: Schedule | null,
  loadTemplates: LoadTemplates,
): Promise<ScheduleText> {
  const { template } = body
  if (!template) return { body: body.body, sendAs: null }
  await findContact(scope, body.contactId, false)
  const line = await chooseLine(scope, body.contactId, body.whatsappId ?? before?.whatsappId ?? null)
  if (!lineTraits[line.provider].window) throw new AppError('ERR_VALIDATION', { template: 'Invalid' })
  return composeTextTemplate(scope, loadTemplates, line.id, template)
}

/** Whether the template is unchanged: a client that sends the whole row back names the template without its values. */
const isTemplateUnchanged = ({ template }: ScheduleWrite, before: Schedule): boolean =>
  template !== null &&
  template.name === before.template?.name &&
  template.language === before.template.language &&
  !Object.keys(template.variables).length

async function createSchedule(scope: Scope, body: ScheduleWrite, words: ScheduleText): Promise<Schedule> {
  await findContact(scope, body.contactId)
  const line = await chooseLine(scope, body.contactId, body.whatsappId)
  await assertChatVisible(scope, body.contactId, line.id)
  const now = scope.now()
  const time = await resolveScheduleTime(scope, body)
  const values = {
    ...time,
    uploadUntil: uploadWindowEnd(scope, time.sendAt, body.fileFollows),
    body: words.body,
    sendAs: words.sendAs && JSON.stringify(words.sendAs),
    contactId: body.contactId,
    whatsappId: line.id,
    userId: scope.actor.id,
    onReply: body.onReply,
    repeat: body.repeat && JSON.stringify(body.repeat),
    savedAt: now,
    createdAt: now,
  }
  const [row] = await addSchedules(scope, [values])
  return presentSchedule(scope, (row as ScheduleRow).id)
}

/** A message that was sent or is being sent cannot be changed. A user who changes the message becomes its author. */
async function lockUnsentSchedule(scope: Scope, id: number): Promise<ScheduleRow> {
  const row = await lockSchedule(scope, id)
  await assertChatVisible(scope, row.contactId, row.whatsappId)
  if (row.status === 'ENVIADA' || (row.status === 'AGENDADA' && row.messageId !== null))
    throw new AppError('ERR_SCHEDULE_SETTLED')
  return row
}

/** Resets the state, so that the schedule waits for its time again. */
const resetScheduleState = (scope: Scope) =>
  ({
    status: 'PENDENTE',
    error: null,
    heldAt: null,
    waitsUntil: null,
    messageId: null,
    savedAt: scope.now(),
    uploadUntil: null,
  }) as const

async function updateSchedule(
  scope: Scope,
  id: number,
  body: ScheduleWrite,
  words: ScheduleText | null,
): Promise<Schedule> {
  const before = await lockUnsentSchedule(scope, id)
  await findContact(scope, body.contactId)
  const line = await chooseLine(scope, body.contactId, body.whatsappId ?? before.whatsappId)
  await assertChatVisible(scope, body.contactId, line.id)
  const time = await resolveScheduleTime(scope, body)
  await changeSchedule(scope, before, {
    ...resetScheduleState(scope),
    ...time,
    uploadUntil: uploadWindowEnd(scope, time.sendAt, body.fileFollows),
    ...(words && { body: words.body, sendAs: words.sendAs && JSON.stringify(words.sendAs) }),
    contactId: body.contactId,
    whatsappId: line.id,
    onReply: body.onReply,
    repeat: body.repeat && JSON.stringify(body.repeat),
    // A new rule counts from this occurrence; a next row that already exists is kept.
    nth: 1,
  })
  return presentSchedule(scope, id)
}

async function moveSchedule(scope: Scope, id: number, sendAt: string): Promise<Schedule> {
  const before = await lockUnsentSchedule(scope, id)
  const at = parseMoment(sendAt, await loadCompanyTimeZone(scope))
  assertInFuture(scope, at)
  await changeSchedule(scope, before, { ...resetScheduleState(scope), sendAt: at })
  return presentSchedule(scope, id)
}

/** Sends now, even if the customer wrote. A refused message is resent unchanged, because the vendor knows its id. */
async function retrySchedule(scope: Scope, id: number): Promise<Schedule> {
  const before = await lockUnsentSchedule(scope, id)
  if (before.status !== 'ERRO' && before.heldAt === null) throw new AppError('ERR_SCHEDULE_SETTLED')
  const line = await chooseLine(scope, before.contactId, before.whatsappId)
  await assertChatVisible(scope, before.contactId, line.id)
  // The former author no longer has access to the ticket, so the user who sends the message becomes its author.
  const author = before.error === 'no-access' && { userId: scope.actor.id }
  const changes: Updateable<DB['schedules']> = (await retryScheduledMessage(scope, before))
    ? { status: 'AGENDADA', error: null }
    : { ...resetScheduleState(scope), whatsappId: line.id, onReply: 'send', sendAt: scope.now(), ...author }
  await changeSchedule(scope, before, changes)
  return presentSchedule(scope, id)
}

const retryScheduledMessage = async (scope: Scope, { messageId, whatsappId }: ScheduleRow): Promise<boolean> =>
  messageId !== null && whatsappId !== null && retryMessage(scope, messageId, whatsappId)

export const scheduleRoutes = (loadTemplates: LoadTemplates) => [
  route(schedulesApi.list, async (scope, { query }) => {
    const zone = query.from || query.until ? await loadCompanyTimeZone(scope) : ''
    const { from, until, ...rest } = query
    return listSchedules(scope, {
      ...rest,
      from: from === undefined ? undefined : parseMoment(from, zone),
      until: until === undefined ? undefined : parseMoment(until, zone),
    })
  }),
  route(schedulesApi.place, async (scope, { query: { contactId, whatsappId } }) => {
    await findContact(scope, contactId, false)
    const line = await chooseLine(scope, contactId, whatsappId)
    return { whatsappId: line.id, name: line.name, windowEndsAt: await loadReplyWindowEnd(scope, contactId, line) }
  }),
  route(schedulesApi.show, (scope, { params }) => findSchedule(scope, params.id)),
  route(
    schedulesApi.create,
    async (scope, { body }) => {
      const words = await resolveScheduleText(scope, body, null, loadTemplates)
      return scope.transaction((tx) => createSchedule(tx, body, words))
    },
    { transaction: false },
  ),
  route(
    schedulesApi.update,
    async (scope, { params, body }) => {
      const before = await findSchedule(scope, params.id)
      const words = isTemplateUnchanged(body, before)
        ? null
        : await resolveScheduleText(scope, body, before, loadTemplates)
      return scope.transaction((tx) => updateSchedule(tx, params.id, body, words))
    },
    { transaction: false },
  ),
  route(schedulesApi.move, (scope, { params, body }) => moveSchedule(scope, params.id, body.sendAt)),
  route(schedulesApi.retry, (scope, { params }) => retrySchedule(scope, params.id)),
  route(schedulesApi.remove, async (scope, { params, query }) => {
    const row = await lockSchedule(scope, params.id)
    if (query.only) await createNextOccurrences(scope, [row])
    await removeSchedule(scope, row)
    return { message: 'deleted' }
  }),
  route(schedulesApi.upload, async (scope, { params }, { uploads }) => {
    const before = await lockUnsentSchedule(scope, params.id)
    const [upload] = uploads
    const { mediaPath, mediaName } = await keepUpload(scope, upload)
    const file = upload && JSON.stringify({ kind: messageKindOf(upload), size: upload.size, pages: upload.pages })
    await changeSchedule(scope, before, { mediaPath, mediaName, file: file ?? null, uploadUntil: null })
    await scheduleFileRemoval(scope, [before.mediaPath])
    return { mensagem: 'uploaded' }
  }),
  route(schedulesApi.detach, async (scope, { params }) => {
    const before = await lockUnsentSchedule(scope, params.id)
    await changeSchedule(scope, before, { mediaPath: null, mediaName: null, file: null })
    await scheduleFileRemoval(scope, [before.mediaPath])
    return { mensagem: 'removed' }
  }),
]
