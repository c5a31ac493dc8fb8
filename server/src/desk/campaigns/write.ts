import {
  type Campaign,
  type CampaignDetail,
  type CampaignWrite,
  campaignsApi,
  confirmationKeys,
  messageKeys,
} from '@recado/contract/campaigns/campaigns'
import { momentOfText } from '@recado/contract/schedules/repetition'
import { traits } from '@recado/contract/traits'
import { sql } from 'kysely'
import { zoneOf } from '../../accounts/settings.ts'
import { findLine } from '../../directory/connections/connections.ts'
import { campaignRooms, lists } from '../../directory/contact-lists/lists.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { dropFiles, keepUpload } from '../../kernel/files/media.ts'
import type { AskTemplates } from '../../lines/cloud/templates.ts'
import { kindOf } from '../messages/kinds.ts'
import { withdrawQueued } from '../messages/outgoing.ts'
import { chosenTemplate } from '../messages/template.ts'
import type { ChosenTemplate } from '../tables.ts'
import { wantNews } from './news.ts'
import { begin, mustBeReady, resume } from './prepare.ts'
import { type CampaignRow, campaigns, changeCampaign, detailOf, editableOf, tellCampaign } from './view.ts'

/** What it names must be the company's own. */
async function mustExist(scope: Scope, body: CampaignWrite, tagId: number | null): Promise<void> {
  const { contactListId, whatsappId, queueId, fileListId } = body
  const isThere = async (table: 'tags' | 'queues' | 'files', id: number) =>
    scope.db
      .selectFrom(table)
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .executeTakeFirst()
  if (contactListId !== null) await lists.stored(scope, contactListId)
  if (whatsappId !== null) await findLine(scope, whatsappId)
  if (tagId !== null && !(await isThere('tags', tagId))) throw new AppError('ERR_NO_TAG_FOUND')
  if (queueId !== null && !(await isThere('queues', queueId))) throw new AppError('ERR_QUEUE_NOT_FOUND')
  if (fileListId !== null && !(await isThere('files', fileListId))) throw new AppError('ERR_NO_FILE_FOUND')
}

/** Older clients write the tag under another name than they read it. */
const tagOf = (body: CampaignWrite, before: number | null): number | null =>
  body.tagListId !== undefined ? body.tagListId : body.tagId !== undefined ? body.tagId : before

/** The template as it is at Meta now, who may have to be asked: in no transaction. */
export async function templateOf(scope: Scope, body: CampaignWrite, ask: AskTemplates): Promise<ChosenTemplate | null> {
  const { template, whatsappId } = body
  if (!template) return null
  if (whatsappId === null) throw new AppError('ERR_CAMPAIGN_NO_LINE')
  const line = await findLine(scope, whatsappId)
  if (!traits[line.provider].window) throw new AppError('ERR_VALIDATION', { template: 'Invalid' })
  return { ...template, kept: await chosenTemplate(scope, ask, whatsappId, template) }
}

const textsIn = (body: CampaignWrite) =>
  Object.fromEntries([...messageKeys, ...confirmationKeys].map((key) => [key, body[key]])) as Pick<
    CampaignWrite,
    (typeof messageKeys)[number] | (typeof confirmationKeys)[number]
  >

async function valuesOf(scope: Scope, body: CampaignWrite, tagId: number | null, template: ChosenTemplate | null) {
  const { name, confirmation, contactListId, whatsappId, queueId, fileListId } = body
  const scheduledAt = body.scheduledAt === null ? null : momentOfText(body.scheduledAt, await zoneOf(scope))
  // Whenever it has a time it is programmed; one that has passed begins at once.
  const status = scheduledAt ? ('PROGRAMADA' as const) : ('INATIVA' as const)
  const chosen = template && JSON.stringify(template)
  const refers = { contactListId, tagId, whatsappId, queueId, fileListId }
  return { name, confirmation, ...refers, ...textsIn(body), scheduledAt, status, template: chosen, held: null }
}

export async function createCampaign(
  scope: Scope,
  body: CampaignWrite,
  template: ChosenTemplate | null,
): Promise<CampaignDetail> {
  const tagId = tagOf(body, null)
  await mustExist(scope, body, tagId)
  const now = scope.now()
  const row = await scope.db
    .insertInto('campaigns')
    .values({
      ...(await valuesOf(scope, body, tagId, template)),
      companyId: scope.companyId,
      userId: scope.actor.id,
      mediaPath: null,
      mediaName: null,
      createdAt: now,
      freshSince: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellCampaign(scope, 'create', row)
  return detailOf(scope, row)
}

/** Of one that was cancelled the texts alone; they reach those who wait when it goes on. */
export async function updateCampaign(
  scope: Scope,
  id: number,
  body: CampaignWrite,
  template: ChosenTemplate | null,
): Promise<CampaignDetail> {
  const before = await campaigns.held(scope, id)
  const may = editableOf(scope, before)
  if (may === 'nothing') throw new AppError('ERR_CAMPAIGN_SETTLED')
  if (may === 'texts') {
    const chosen = template ? { template: JSON.stringify(template) } : {}
    // One whose line is gone goes on by another.
    const { whatsappId } = before.whatsappId === null ? body : before
    if (whatsappId !== null) await findLine(scope, whatsappId)
    return detailOf(scope, await changeCampaign(scope, id, { ...textsIn(body), ...chosen, whatsappId }))
  }
  const tagId = tagOf(body, before.tagId)
  await mustExist(scope, body, tagId)
  return detailOf(scope, await changeCampaign(scope, id, await valuesOf(scope, body, tagId, template)))
}

export async function removeCampaign(scope: Scope, id: number): Promise<void> {
  const row = await campaigns.held(scope, id)
  if (row.status === 'EM_ANDAMENTO') throw new AppError('ERR_CAMPAIGN_RUNNING')
  await dropFiles(scope, [row.mediaPath])
  await scope.db.deleteFrom('campaigns').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  scope.tell(campaignsApi.topic, { action: 'delete', id }, campaignRooms(scope))
}

export async function attach(scope: Scope, id: number, upload: Upload | undefined): Promise<void> {
  const before = await changeable(scope, id)
  const { mediaPath, mediaName } = await keepUpload(scope, upload)
  const file = upload && JSON.stringify({ kind: kindOf(upload), size: upload.size, pages: upload.pages })
  await changeCampaign(scope, id, { mediaPath, mediaName, file: file ?? null })
  await dropFiles(scope, [before.mediaPath])
}

export async function detach(scope: Scope, id: number): Promise<void> {
  const before = await changeable(scope, id)
  await changeCampaign(scope, id, { mediaPath: null, mediaName: null, file: null })
  await dropFiles(scope, [before.mediaPath])
}

async function changeable(scope: Scope, id: number): Promise<CampaignRow> {
  const row = await campaigns.held(scope, id)
  if (editableOf(scope, row) === 'nothing') throw new AppError('ERR_CAMPAIGN_SETTLED')
  return row
}

/** Now, or at its time: then the list is frozen. */
export async function startCampaign(scope: Scope, id: number, gets: number | undefined): Promise<Campaign> {
  const row = await campaigns.held(scope, id)
  if (row.status !== 'INATIVA' && row.status !== 'PROGRAMADA') throw new AppError('ERR_CAMPAIGN_SETTLED')
  const isLater = row.scheduledAt !== null && new Date(row.scheduledAt) > scope.now()
  if (!isLater) return campaigns.shown(scope, await begin(scope, row, gets))
  await mustBeReady(scope, row)
  return campaigns.shown(scope, await changeCampaign(scope, id, { status: 'PROGRAMADA', held: null }))
}

/** What waits in the outbox is taken back; what is leaving in this moment leaves. */
export async function cancelCampaign(scope: Scope, id: number): Promise<Campaign> {
  const row = await campaigns.held(scope, id)
  if (row.status === 'CANCELADA') return campaigns.shown(scope, row)
  if (row.status !== 'EM_ANDAMENTO' && row.status !== 'PROGRAMADA') throw new AppError('ERR_CAMPAIGN_SETTLED')
  await takeBack(scope, row)
  await wantNews(scope, id)
  return campaigns.shown(scope, await changeCampaign(scope, id, { status: 'CANCELADA', held: null }))
}

/** Their turn has not been: whoever said yes still has. Of several messages the first may have left already: they all go. */
async function takeBack(scope: Scope, { id, whatsappId, fileListId }: CampaignRow): Promise<void> {
  if (whatsappId === null || fileListId !== null) return
  const gone = await withdrawQueued(scope, whatsappId, id)
  if (!gone.length) return
  await sql`
    update "campaignShippings" set state = case when "confirmedAt" is null then 'pending' else 'confirmed' end,
      "messageId" = null, "queuedAt" = null
    where "companyId" = ${scope.companyId} and "messageId" = any(${gone}::bigint[])`.execute(scope.db)
  await sql`
    update "campaignShippings" set state = 'pending', "confirmationId" = null, "askedAt" = null
    where "companyId" = ${scope.companyId} and "confirmationId" = any(${gone}::bigint[]) and state = 'asked'`.execute(
    scope.db,
  )
}

/** One that was cancelled goes on where it stood; one that never began begins. */
export async function restartCampaign(scope: Scope, id: number): Promise<Campaign> {
  const row = await campaigns.held(scope, id)
  const isHeld = row.status === 'EM_ANDAMENTO' && row.held !== null
  if (row.status !== 'CANCELADA' && !isHeld) throw new AppError('ERR_CAMPAIGN_SETTLED')
  return campaigns.shown(scope, await (row.startedAt === null ? begin(scope, row) : resume(scope, row)))
}
