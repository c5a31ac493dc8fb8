import {
  type Campaign,
  type CampaignDetail,
  type CampaignWrite,
  campaignConfirmationKeys,
  campaignMessageKeys,
  campaignsApi,
} from '@recado/contract/campaigns/campaigns'
import { lineTraits } from '@recado/contract/line-traits'
import { parseMoment } from '@recado/contract/schedules/occurrences'
import { sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { campaignAudience, contactLists } from '../../directory/contact-lists/contact-lists.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload, scheduleFileRemoval } from '../../kernel/files/media.ts'
import type { LoadTemplates } from '../../lines/cloud/templates.ts'
import { messageKindOf } from '../messages/kinds.ts'
import { withdrawQueuedOfCampaign } from '../messages/outgoing.ts'
import { findValidTextTemplate } from '../messages/template.ts'
import type { CampaignTemplate } from '../tables.ts'
import { uploadWindowEnd } from '../upload-window.ts'
import { assertCampaignReady, beginCampaign, resumeCampaign } from './prepare.ts'
import { requestRecount } from './recount.ts'
import {
  type CampaignRow,
  campaigns,
  changeCampaign,
  editablePart,
  presentCampaignDetail,
  publishCampaign,
} from './view.ts'

/** All referenced ids must belong to the company. */
async function assertReferencesExist(scope: Scope, body: CampaignWrite, tagId: number | null): Promise<void> {
  const { contactListId, whatsappId, queueId, fileListId } = body
  const isThere = async (table: 'tags' | 'queues' | 'files', id: number) =>
    scope.db
      .selectFrom(table)
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .executeTakeFirst()
  if (contactListId !== null) await contactLists.findRow(scope, contactListId)
  if (whatsappId !== null) await findLine(scope, whatsappId)
  if (tagId !== null && !(await isThere('tags', tagId))) throw new AppError('ERR_NO_TAG_FOUND')
  if (queueId !== null && !(await isThere('queues', queueId))) throw new AppError('ERR_QUEUE_NOT_FOUND')
  if (fileListId !== null && !(await isThere('files', fileListId))) throw new AppError('ERR_NO_FILE_FOUND')
}

/** Older clients send the tag under another name than the one they receive. */
const resolveTagId = (body: CampaignWrite, before: number | null): number | null =>
  body.tagListId !== undefined ? body.tagListId : body.tagId !== undefined ? body.tagId : before

/** The template as Meta has it now. This function may call Meta, so it runs outside a transaction. */
export async function resolveTemplate(
  scope: Scope,
  body: CampaignWrite,
  ask: LoadTemplates,
): Promise<CampaignTemplate | null> {
  const { template, whatsappId } = body
  if (!template) return null
  if (whatsappId === null) throw new AppError('ERR_CAMPAIGN_NO_LINE')
  const line = await findLine(scope, whatsappId)
  if (!lineTraits[line.provider].window) throw new AppError('ERR_VALIDATION', { template: 'Invalid' })
  return { ...template, kept: await findValidTextTemplate(scope, ask, whatsappId, template) }
}

const pickTexts = (body: CampaignWrite) =>
  Object.fromEntries([...campaignMessageKeys, ...campaignConfirmationKeys].map((key) => [key, body[key]])) as Pick<
    CampaignWrite,
    (typeof campaignMessageKeys)[number] | (typeof campaignConfirmationKeys)[number]
  >

async function campaignValues(
  scope: Scope,
  body: CampaignWrite,
  tagId: number | null,
  template: CampaignTemplate | null,
) {
  const { name, confirmation, contactListId, whatsappId, queueId, fileListId } = body
  const scheduledAt = body.scheduledAt === null ? null : parseMoment(body.scheduledAt, await loadCompanyTimeZone(scope))
  // A campaign with a time is scheduled; if the time has passed, it begins at once.
  const status = scheduledAt ? ('PROGRAMADA' as const) : ('INATIVA' as const)
  const chosen = template && JSON.stringify(template)
  const refers = { contactListId, tagId, whatsappId, queueId, fileListId }
  const uploadUntil = uploadWindowEnd(scope, scheduledAt, body.fileFollows)
  return {
    ...{ name, confirmation, ...refers, ...pickTexts(body), scheduledAt, uploadUntil, status, template: chosen },
    held: null,
  }
}

export async function createCampaign(
  scope: Scope,
  body: CampaignWrite,
  template: CampaignTemplate | null,
): Promise<CampaignDetail> {
  const tagId = resolveTagId(body, null)
  await assertReferencesExist(scope, body, tagId)
  const now = scope.now()
  const row = await scope.db
    .insertInto('campaigns')
    .values({
      ...(await campaignValues(scope, body, tagId, template)),
      companyId: scope.companyId,
      userId: scope.actor.id,
      mediaPath: null,
      mediaName: null,
      createdAt: now,
      freshSince: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await assertScheduledIsComplete(scope, row, body.fileFollows)
  await publishCampaign(scope, 'create', row)
  return presentCampaignDetail(scope, row)
}

/**
 * A campaign with a time begins without another question, so missing fields are reported now. `fileFollows`: its only
 * content is a file that the client uploads next.
 */
async function assertScheduledIsComplete(scope: Scope, row: CampaignRow, fileFollows = false): Promise<void> {
  if (row.scheduledAt === null) return
  await assertCampaignReady(scope, fileFollows ? { ...row, mediaPath: row.mediaPath ?? 'follows' } : row)
}

/** Only the texts of a cancelled campaign can change; waiting people get them when the campaign resumes. */
export async function updateCampaign(
  scope: Scope,
  id: number,
  body: CampaignWrite,
  template: CampaignTemplate | null,
): Promise<CampaignDetail> {
  const before = await campaigns.lockRow(scope, id)
  const may = editablePart(scope, before)
  if (may === 'nothing') throw new AppError('ERR_CAMPAIGN_SETTLED')
  if (may === 'texts') {
    const chosen = template ? { template: JSON.stringify(template) } : {}
    // A campaign whose line was deleted continues on another line.
    const { whatsappId } = before.whatsappId === null ? body : before
    if (whatsappId !== null) await findLine(scope, whatsappId)
    return presentCampaignDetail(scope, await changeCampaign(scope, id, { ...pickTexts(body), ...chosen, whatsappId }))
  }
  const tagId = resolveTagId(body, before.tagId)
  await assertReferencesExist(scope, body, tagId)
  const row = await changeCampaign(scope, id, await campaignValues(scope, body, tagId, template))
  await assertScheduledIsComplete(scope, row, body.fileFollows)
  return presentCampaignDetail(scope, row)
}

export async function removeCampaign(scope: Scope, id: number): Promise<void> {
  const row = await campaigns.lockRow(scope, id)
  if (row.status === 'EM_ANDAMENTO') throw new AppError('ERR_CAMPAIGN_RUNNING')
  await scheduleFileRemoval(scope, [row.mediaPath])
  await scope.db.deleteFrom('campaigns').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  scope.publish(campaignsApi.topic, { action: 'delete', id }, campaignAudience(scope))
}

export async function attachCampaignFile(scope: Scope, id: number, upload: Upload | undefined): Promise<void> {
  const before = await lockUnstartedCampaign(scope, id)
  const { mediaPath, mediaName } = await keepUpload(scope, upload)
  const file = upload && JSON.stringify({ kind: messageKindOf(upload), size: upload.size, pages: upload.pages })
  await changeCampaign(scope, id, { mediaPath, mediaName, file: file ?? null, uploadUntil: null })
  await scheduleFileRemoval(scope, [before.mediaPath])
}

export async function detachCampaignFile(scope: Scope, id: number): Promise<void> {
  const before = await lockUnstartedCampaign(scope, id)
  await changeCampaign(scope, id, { mediaPath: null, mediaName: null, file: null })
  await scheduleFileRemoval(scope, [before.mediaPath])
}

/** The file may change until the campaign starts: older clients upload it after they have saved the campaign. */
async function lockUnstartedCampaign(scope: Scope, id: number): Promise<CampaignRow> {
  const row = await campaigns.lockRow(scope, id)
  if (row.status !== 'PROGRAMADA' && editablePart(scope, row) === 'nothing') throw new AppError('ERR_CAMPAIGN_SETTLED')
  return row
}

/** Starts now or at the scheduled time; from then on the list of recipients does not change. */
export async function startCampaign(scope: Scope, id: number, gets: number | undefined): Promise<Campaign> {
  const row = await campaigns.lockRow(scope, id)
  if (row.status !== 'INATIVA' && row.status !== 'PROGRAMADA') throw new AppError('ERR_CAMPAIGN_SETTLED')
  const isLater = row.scheduledAt !== null && new Date(row.scheduledAt) > scope.now()
  if (!isLater) return campaigns.presentRow(scope, await beginCampaign(scope, row, gets))
  await assertCampaignReady(scope, row)
  return campaigns.presentRow(
    scope,
    await changeCampaign(scope, id, { status: 'PROGRAMADA', held: null, uploadUntil: null }),
  )
}

/** Messages waiting in the outbox are withdrawn; a message that is being sent at this moment is still sent. */
export async function cancelCampaign(scope: Scope, id: number): Promise<Campaign> {
  const row = await campaigns.lockRow(scope, id)
  if (row.status === 'CANCELADA') return campaigns.presentRow(scope, row)
  if (row.status !== 'EM_ANDAMENTO' && row.status !== 'PROGRAMADA') throw new AppError('ERR_CAMPAIGN_SETTLED')
  await withdrawQueuedMessages(scope, row)
  await requestRecount(scope, id)
  return campaigns.presentRow(scope, await changeCampaign(scope, id, { status: 'CANCELADA', held: null }))
}

/**
 * Resets people to whom nothing was sent yet; confirmations stay. If a person gets several messages, the first may
 * already be sent, so none of them is withdrawn.
 */
async function withdrawQueuedMessages(scope: Scope, { id, whatsappId, fileListId }: CampaignRow): Promise<void> {
  if (whatsappId === null || fileListId !== null) return
  const gone = await withdrawQueuedOfCampaign(scope, whatsappId, id)
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

/** A cancelled campaign resumes where it stopped; a campaign that never began begins. */
export async function restartCampaign(scope: Scope, id: number): Promise<Campaign> {
  const row = await campaigns.lockRow(scope, id)
  const isHeld = row.status === 'EM_ANDAMENTO' && row.held !== null
  if (row.status !== 'CANCELADA' && !isHeld) throw new AppError('ERR_CAMPAIGN_SETTLED')
  return campaigns.presentRow(
    scope,
    await (row.startedAt === null ? beginCampaign(scope, row) : resumeCampaign(scope, row)),
  )
}
