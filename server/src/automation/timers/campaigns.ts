import { beginOrCancelCampaign } from '../../desk/campaigns/prepare.ts'
import { publishCampaignCounts, takePendingRecount } from '../../desk/campaigns/recount.ts'
import { expireConfirmations, lockDueCampaign, lockDueCampaignLine, sendNextBatch } from '../../desk/campaigns/send.ts'
import { makeTimer } from './timer.ts'

/** Starts a campaign at its scheduled time, or later after downtime. */
export const campaignStartTimer = makeTimer({
  dueSql: `
    select c."companyId", c.id, c."scheduledAt" as at from campaigns c
    where c.status = 'PROGRAMADA' and c."scheduledAt" <= $1 and (c."uploadUntil" is null or c."uploadUntil" <= $1) and c.id <> all($3::int[]) order by c."scheduledAt" limit $2`,
  lockDue: lockDueCampaign,
  perform: beginOrCancelCampaign,
})

/** Sends the next campaign messages of a line; all campaigns of a line share its pace. */
export const campaignSendTimer = makeTimer({
  dueSql: `
    select l."companyId", l."whatsappId" as id, l."nextAt" as at
    from "campaignLines" l join whatsapps w on w."companyId" = l."companyId" and w.id = l."whatsappId" and w.status = 'CONNECTED'
    where l."nextAt" <= $1 and l."whatsappId" <> all($3::int[]) and exists (
      select from campaigns c where c."whatsappId" = l."whatsappId" and c.status = 'EM_ANDAMENTO' and c.held is null
        and exists (select from "campaignShippings" s
          where s."companyId" = c."companyId" and s."campaignId" = c.id and s.state in ('pending', 'confirmed')))
    order by l."nextAt" limit $2`,
  // Without a pause, the next messages follow as soon as the line has sent these.
  recheckMs: 250,
  lockDue: lockDueCampaignLine,
  perform: sendNextBatch,
})

/**
 * Runs when the counts of a campaign have changed: recounts and publishes them, and ends a campaign that is finished. A
 * campaign whose count takes long is counted every five seconds and not at every poll.
 */
export const campaignRecountTimer = makeTimer({
  dueSql: `
    select n."companyId", n."campaignId" as id, min(n.at) + d.wait as at
    from "campaignNews" n join campaigns c on c."companyId" = n."companyId" and c.id = n."campaignId"
    cross join lateral (
      select case when (c.counts ->> 'total')::int > 5000 then interval '5 seconds' else interval '0' end as wait
    ) d
    where n.at <= $1 and n.at + d.wait <= $1 and n."campaignId" <> all($3::int[])
    group by n."companyId", n."campaignId", d.wait order by 3 limit $2`,
  lockDue: takePendingRecount,
  perform: publishCampaignCounts,
})

/** Runs when a recipient has not answered the confirmation question for two days. */
export const campaignConfirmationTimer = makeTimer({
  dueSql: `
    select s."companyId", s."campaignId" as id, min(s."askedAt") + interval '2 days' as at from "campaignShippings" s
    where s.state = 'asked' and s."askedAt" <= $1::timestamptz - interval '2 days' and s."campaignId" <> all($3::int[])
    group by s."companyId", s."campaignId" limit $2`,
  lockDue: async (_, id) => id,
  perform: expireConfirmations,
})
