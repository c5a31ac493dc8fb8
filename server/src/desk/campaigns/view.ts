import {
  type Campaign,
  type CampaignCounts,
  type CampaignDetail,
  campaignConfirmationKeys,
  type campaignEditScopes,
  campaignMessageKeys,
  campaignsApi,
} from '@recado/contract/campaigns/campaigns'
import { type Selectable, sql, type Updateable } from 'kysely'
import { campaignAudience } from '../../directory/contact-lists/contact-lists.ts'
import { hours } from '../../kernel/clock.ts'
import { makeRecordReader } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'

export type CampaignRow = Selectable<DB['campaigns']>

const zeroCounts: CampaignCounts = {
  ...{ total: 0, valid: 0, skipped: 0, pending: 0, sent: 0, delivered: 0 },
  ...{ read: 0, answered: 0, failed: 0, stopped: 0, asked: 0, confirmed: 0 },
}

type CampaignNames = Record<'list' | 'tag' | 'line' | 'queue', string | null> & { id: number }

async function presentCampaigns(scope: Scope, rows: CampaignRow[]): Promise<Campaign[]> {
  const found = await sql<CampaignNames>`
    select c.id, l.name as list, g.name as tag, w.name as line, q.name as queue from campaigns c
    left join "contactLists" l on l."companyId" = c."companyId" and l.id = c."contactListId"
    left join tags g on g."companyId" = c."companyId" and g.id = c."tagId"
    left join whatsapps w on w."companyId" = c."companyId" and w.id = c."whatsappId"
    left join queues q on q."companyId" = c."companyId" and q.id = c."queueId"
    where c."companyId" = ${scope.companyId} and c.id = any(${rows.map((row) => row.id)}::int[])`.execute(scope.db)
  const names = new Map(found.rows.map((row) => [row.id, row]))
  const named = (id: number | null, name: string | null | undefined) =>
    id !== null && name !== null && name !== undefined ? { id, name } : null
  return rows.map((row) => {
    const name = names.get(row.id)
    return {
      ...row,
      contactList: named(row.contactListId, name?.list),
      tag: named(row.tagId, name?.tag),
      whatsapp: named(row.whatsappId, name?.line),
      queue: named(row.queueId, name?.queue),
      counts: { ...zeroCounts, ...row.counts },
    }
  })
}

export const campaigns = makeRecordReader<'campaigns', Campaign>('campaigns', campaignsApi.record, {
  present: presentCampaigns,
})

/**
 * The editable part of a campaign: all fields until an hour before the start, only the texts of a cancelled campaign,
 * otherwise nothing.
 */
export function editablePart(scope: Scope, { status, scheduledAt }: CampaignRow): (typeof campaignEditScopes)[number] {
  if (status === 'INATIVA') return 'all'
  if (status === 'CANCELADA') return 'texts'
  const isFar = scheduledAt !== null && Date.parse(scheduledAt) > scope.now().getTime() + hours(1)
  return status === 'PROGRAMADA' && isFar ? 'all' : 'nothing'
}

/** Maximum number of rows sent to older clients, which count them. Current clients request the counts instead. */
const maxLegacyRows = 20_000

/** `lean`: without the rows that only older clients count. */
export async function presentCampaignDetail(scope: Scope, row: CampaignRow, lean = true): Promise<CampaignDetail> {
  const shown = await campaigns.presentRow(scope, row)
  const counted = lean ? { contacts: [], shipping: [] } : await loadLegacyRows(scope, row)
  const { template } = row
  return {
    ...shown,
    ...(Object.fromEntries([...campaignMessageKeys, ...campaignConfirmationKeys].map((key) => [key, row[key]])) as Pick<
      CampaignDetail,
      (typeof campaignMessageKeys)[number] | (typeof campaignConfirmationKeys)[number]
    >),
    mediaPath: signedMediaUrl(scope, row),
    mediaName: row.mediaName,
    template: template && { name: template.name, language: template.language, variables: template.variables },
    editable: editablePart(scope, row),
    contactList: shown.contactList && { ...shown.contactList, contacts: counted.contacts },
    shipping: counted.shipping,
  }
}

async function loadLegacyRows(scope: Scope, { id, contactListId }: CampaignRow) {
  const contacts = await scope.db
    .selectFrom('contactListItems')
    .select('isWhatsappValid')
    .where('companyId', '=', scope.companyId)
    .where('contactListId', '=', contactListId ?? 0)
    .limit(maxLegacyRows)
    .execute()
  const shipping = await scope.db
    .selectFrom('campaignShippings')
    .select('deliveredAt')
    .where('companyId', '=', scope.companyId)
    .where('campaignId', '=', id)
    .where('state', '<>', 'skipped')
    .limit(maxLegacyRows)
    .execute()
  return { contacts, shipping }
}

/** Changes the campaign and publishes it. */
export async function changeCampaign(
  scope: Scope,
  id: number,
  values: Updateable<DB['campaigns']>,
): Promise<CampaignRow> {
  const row = await scope.db
    .updateTable('campaigns')
    .set(values)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishCampaign(scope, 'update', row)
  return row
}

export async function publishCampaign(scope: Scope, action: 'create' | 'update', row: CampaignRow): Promise<void> {
  scope.publish(campaignsApi.topic, { action, row: await campaigns.presentRow(scope, row) }, campaignAudience(scope))
}
