import { firstOf, momentAt, momentOfText, type Wall, wallOf } from '@recado/contract/schedules/repetition'
import { type Schedule, type ScheduleWrite, schedulesApi } from '@recado/contract/schedules/schedules'
import { traits } from '@recado/contract/traits'
import { sql, type Updateable } from 'kysely'
import { zoneOf } from '../../accounts/settings.ts'
import { defaultLine, findLine } from '../../directory/connections/connections.ts'
import { findContact } from '../../directory/contacts/people.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { dropFiles, keepUpload } from '../../kernel/files/media.ts'
import { route } from '../../kernel/http/http.ts'
import type { AskTemplates } from '../../lines/cloud/templates.ts'
import { sendAgain } from '../messages/again.ts'
import { kindOf } from '../messages/kinds.ts'
import { templateContent } from '../messages/template.ts'
import type { SendAs } from '../tables.ts'
import { heldError, livingTicket } from '../tickets/lifecycle.ts'
import { asker, maySee } from '../tickets/visibility.ts'
import { windowText } from '../window.ts'
import { follow } from './send.ts'
import { findSchedule, heldSchedule, pageOfSchedules, presentSchedule, type ScheduleRow } from './view.ts'
import { addSchedules, changeSchedule, removeSchedule } from './write.ts'

/** The minute that runs now may still be chosen: it goes at once. */
function mustBeAhead(scope: Scope, at: Date): void {
  if (at.getTime() < Math.floor(scope.now().getTime() / 60_000) * 60_000)
    throw new AppError('ERR_VALIDATION', { sendAt: 'In the past' })
}

type Line = Awaited<ReturnType<typeof findLine>>
type When = { sendAt: Date; first: Wall; slot: Wall }

/** When it goes; of a series, the first time that fits its rule. */
async function whenOf(scope: Scope, { sendAt, repeat }: Pick<ScheduleWrite, 'sendAt' | 'repeat'>): Promise<When> {
  const zone = await zoneOf(scope)
  const at = momentOfText(sendAt, zone)
  mustBeAhead(scope, at)
  const first = wallOf(at, zone)
  if (!repeat) return { sendAt: at, first, slot: first }
  const { holidays } = await scope.db
    .selectFrom('companies')
    .select('holidays')
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const slot = firstOf(repeat, first, holidays)
  if (slot === null) throw new AppError('ERR_VALIDATION', { repeat: 'Invalid' })
  return { sendAt: slot === first ? at : momentAt(slot, zone), first, slot }
}

/** The one that was asked for, else the one on which they were last in touch, else the default. */
async function lineFor(scope: Scope, contactId: number, asked: number | null) {
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
  return last?.whatsappId ? findLine(scope, last.whatsappId) : defaultLine(scope)
}

/** Until when this contact may be written to freely; null on a line that does not ask. */
async function windowOf(scope: Scope, contactId: number, { id, provider }: Line): Promise<string | null> {
  if (!traits[provider].window) return null
  const { rows } = await sql<{ ends: string }>`
    select ${sql.raw(windowText('chat'))} as ends
    from (select ${scope.companyId}::int as "companyId", ${contactId}::int as "contactId", ${id}::int as "whatsappId") chat`.execute(
    scope.db,
  )
  return rows[0]?.ends ?? null
}

/** It is said in the ticket that the chat has then: who may not see the one it has now does not speak there. */
async function mustSeePlace(scope: Scope, contactId: number, whatsappId: number | null): Promise<void> {
  const living = whatsappId === null ? null : await livingTicket(scope, contactId, whatsappId)
  const viewer = asker(scope)
  // As who forwards or begins a conversation they learn who has it.
  if (living && !(viewer && maySee(viewer, { ...living, companyId: scope.companyId }))) throw heldError(scope, living)
}

type Words = { body: string; sendAs: SendAs | null }

/** Meta may have to be asked for its templates: in no transaction. */
async function wordsOf(scope: Scope, body: ScheduleWrite, before: Schedule | null, ask: AskTemplates): Promise<Words> {
  const { template } = body
  if (!template) return { body: body.body, sendAs: null }
  await findContact(scope, body.contactId, false)
  const line = await lineFor(scope, body.contactId, body.whatsappId ?? before?.whatsappId ?? null)
  if (!traits[line.provider].window) throw new AppError('ERR_VALIDATION', { template: 'Invalid' })
  return templateContent(scope, ask, line.id, template)
}

/** Who sends the whole row back names the template that it has, without its words. */
const isKept = ({ template }: ScheduleWrite, before: Schedule): boolean =>
  template !== null &&
  template.name === before.template?.name &&
  template.language === before.template.language &&
  !Object.keys(template.variables).length

async function create(scope: Scope, body: ScheduleWrite, words: Words): Promise<Schedule> {
  await findContact(scope, body.contactId)
  const line = await lineFor(scope, body.contactId, body.whatsappId)
  await mustSeePlace(scope, body.contactId, line.id)
  const now = scope.now()
  const values = {
    ...(await whenOf(scope, body)),
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

/** What has left, or is leaving, cannot be changed any more; and what is changed speaks with the words of who does. */
async function unsettled(scope: Scope, id: number): Promise<ScheduleRow> {
  const row = await heldSchedule(scope, id)
  await mustSeePlace(scope, row.contactId, row.whatsappId)
  if (row.status === 'ENVIADA' || (row.status === 'AGENDADA' && row.messageId !== null))
    throw new AppError('ERR_SCHEDULE_SETTLED')
  return row
}

/** Whatever has become of it so far, it waits for its time again. */
const afresh = (scope: Scope) =>
  ({ status: 'PENDENTE', error: null, heldAt: null, waitsUntil: null, messageId: null, savedAt: scope.now() }) as const

async function update(scope: Scope, id: number, body: ScheduleWrite, words: Words | null): Promise<Schedule> {
  const before = await unsettled(scope, id)
  await findContact(scope, body.contactId)
  const line = await lineFor(scope, body.contactId, body.whatsappId ?? before.whatsappId)
  await mustSeePlace(scope, body.contactId, line.id)
  await changeSchedule(scope, before, {
    ...afresh(scope),
    ...(await whenOf(scope, body)),
    ...(words && { body: words.body, sendAs: words.sendAs && JSON.stringify(words.sendAs) }),
    contactId: body.contactId,
    whatsappId: line.id,
    onReply: body.onReply,
    repeat: body.repeat && JSON.stringify(body.repeat),
    // A rule that counts anew counts from here; the next time has its row already where there was one.
    nth: 1,
  })
  return presentSchedule(scope, id)
}

async function move(scope: Scope, id: number, sendAt: string): Promise<Schedule> {
  const before = await unsettled(scope, id)
  const at = momentOfText(sendAt, await zoneOf(scope))
  mustBeAhead(scope, at)
  await changeSchedule(scope, before, { ...afresh(scope), sendAt: at })
  return presentSchedule(scope, id)
}

/** Now, and whatever the customer wrote. A message that was refused is tried again as it is: the vendor knows its id. */
async function retry(scope: Scope, id: number): Promise<Schedule> {
  const before = await unsettled(scope, id)
  if (before.status !== 'ERRO' && before.heldAt === null) throw new AppError('ERR_SCHEDULE_SETTLED')
  const line = await lineFor(scope, before.contactId, before.whatsappId)
  await mustSeePlace(scope, before.contactId, line.id)
  // Its author may not speak there any more: from now on it is of who sends it.
  const author = before.error === 'no-access' && { userId: scope.actor.id }
  const changes: Updateable<DB['schedules']> = (await isSentAgain(scope, before))
    ? { status: 'AGENDADA', error: null }
    : { ...afresh(scope), whatsappId: line.id, onReply: 'send', sendAt: scope.now(), ...author }
  await changeSchedule(scope, before, changes)
  return presentSchedule(scope, id)
}

const isSentAgain = async (scope: Scope, { messageId, whatsappId }: ScheduleRow): Promise<boolean> =>
  messageId !== null && whatsappId !== null && sendAgain(scope, messageId, whatsappId)

export const scheduleRoutes = (ask: AskTemplates) => [
  route(schedulesApi.list, async (scope, { query }) => {
    const zone = query.from || query.until ? await zoneOf(scope) : ''
    const { from, until, ...rest } = query
    return pageOfSchedules(scope, {
      ...rest,
      from: from === undefined ? undefined : momentOfText(from, zone),
      until: until === undefined ? undefined : momentOfText(until, zone),
    })
  }),
  route(schedulesApi.place, async (scope, { query: { contactId, whatsappId } }) => {
    await findContact(scope, contactId, false)
    const line = await lineFor(scope, contactId, whatsappId)
    return { whatsappId: line.id, name: line.name, windowEndsAt: await windowOf(scope, contactId, line) }
  }),
  route(schedulesApi.show, (scope, { params }) => findSchedule(scope, params.id)),
  route(
    schedulesApi.create,
    async (scope, { body }) => {
      const words = await wordsOf(scope, body, null, ask)
      return scope.transaction((tx) => create(tx, body, words))
    },
    { transaction: false },
  ),
  route(
    schedulesApi.update,
    async (scope, { params, body }) => {
      const before = await findSchedule(scope, params.id)
      const words = isKept(body, before) ? null : await wordsOf(scope, body, before, ask)
      return scope.transaction((tx) => update(tx, params.id, body, words))
    },
    { transaction: false },
  ),
  route(schedulesApi.move, (scope, { params, body }) => move(scope, params.id, body.sendAt)),
  route(schedulesApi.retry, (scope, { params }) => retry(scope, params.id)),
  route(schedulesApi.remove, async (scope, { params, query }) => {
    const row = await heldSchedule(scope, params.id)
    if (query.only) await follow(scope, [row])
    await removeSchedule(scope, row)
    return { message: 'deleted' }
  }),
  route(schedulesApi.upload, async (scope, { params }, { uploads }) => {
    const before = await unsettled(scope, params.id)
    const [upload] = uploads
    const { mediaPath, mediaName } = await keepUpload(scope, upload)
    const file = upload && JSON.stringify({ kind: kindOf(upload), size: upload.size, pages: upload.pages })
    await changeSchedule(scope, before, { mediaPath, mediaName, file: file ?? null })
    await dropFiles(scope, [before.mediaPath])
    return { mensagem: 'uploaded' }
  }),
  route(schedulesApi.detach, async (scope, { params }) => {
    const before = await unsettled(scope, params.id)
    await changeSchedule(scope, before, { mediaPath: null, mediaName: null, file: null })
    await dropFiles(scope, [before.mediaPath])
    return { mensagem: 'removed' }
  }),
]
