import { createHash } from 'node:crypto'
import { adsApi, maxListedAds } from '@recado/contract/campaigns/ads'
import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { route } from '../kernel/http/routes.ts'
import type { AdReferral } from '../lines/line.ts'

/** Anybody can claim to come from an ad: a company remembers this many ads, and further ones are only in the history. */
const maxAdsPerCompany = 5000

const ownAds = (scope: Scope) => scope.db.selectFrom('ads').where('companyId', '=', scope.companyId)

/** The id of an ad, which is stored with its first customer. Null: the company has too many. */
export async function findOrAddAd(scope: Scope, referral: AdReferral): Promise<number | null> {
  const { sourceId, sourceType, title, body, url, picture } = referral
  const key =
    sourceId ||
    createHash('sha256')
      .update(url || title)
      .digest('hex')
  const known = await ownAds(scope).select('id').where('key', '=', key).executeTakeFirst()
  if (known) return known.id
  const { companyId } = scope
  const { rows } = await sql<{ id: number }>`
    insert into ads ("companyId", key, "sourceType", "sourceId", title, body, url, picture, "createdAt")
    select ${companyId}, ${key}, ${sourceType}, ${sourceId}, ${title}, ${body}, ${url}, ${picture}, ${scope.now()}
    where (select count(*) from ads where "companyId" = ${companyId}) < ${maxAdsPerCompany}
    on conflict ("companyId", key) do update set key = excluded.key
    returning id`.execute(scope.db)
  return rows[0]?.id ?? null
}

/** The ads of a filter must belong to the company. */
export async function assertOwnAds(scope: Scope, ids: number[]): Promise<void> {
  if (!ids.length) return
  const found = await ownAds(scope).select('id').where('id', 'in', ids).execute()
  if (found.length < new Set(ids).size) throw new AppError('ERR_NOT_FOUND')
}

export const adRoutes = [
  route(adsApi.list, async (scope) => ({
    ads: (await ownAds(scope).select(['id', 'title', 'url']).orderBy('id', 'desc').limit(maxListedAds).execute()).map(
      ({ id, title, url }) => ({ id, title: title || url }),
    ),
  })),
]
