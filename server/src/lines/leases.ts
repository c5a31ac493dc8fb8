import { type RawBuilder, sql } from 'kysely'
import type { Deps } from '../kernel/data/scope.ts'
import { isAdvertised } from '../kernel/live/signals.ts'

export type WantedLine = {
  id: number
  companyId: number
  provider: 'beta' | 'cloud' | 'sandbox'
  wantedRound: number
  free: boolean
  /** The process that holds the line, while the lease lasts. */
  holder: string | null
  load: number
  /** The process that requests the line from its holder, as long as that process lives. */
  wantedBy: string | null
  /** Whether users see the line as connected. */
  stands: boolean
  /** Whether the holder is dead although its lease has not expired: it no longer advertises its name. */
  gone: boolean
}
export type Leases = ReturnType<typeof makeLeases>

/** The suffix of holders that advertise their name. Holders of an older version do not, and would always seem dead. */
export const advertisedHolderSuffix = ':shown'
const isHolderGone = (holder: RawBuilder<unknown>) =>
  sql<boolean>`(${holder} like ${`%${advertisedHolderSuffix}`} and not ${isAdvertised(holder)})`

/**
 * Which process runs which line. The database's clock is used, so that machines agree. A lease is never deleted while its
 * line exists, because its fence must keep counting.
 */
export function makeLeases(db: Deps['database']['platform'], holder: string, leaseMs: number) {
  const until = sql`clock_timestamp() + ${leaseMs}::int * interval '1 millisecond'`
  const fences = (rows: { whatsappId: number; fence: number }[]) => new Map(rows.map((r) => [r.whatsappId, r.fence]))

  return {
    /** Every line that should run; `free` if this process may run it. */
    async listWanted(): Promise<WantedLine[]> {
      const { rows } = await sql<WantedLine>`
        select w.id, w."companyId", w.provider, w."wantedRound",
               l.until is null or l.until < clock_timestamp() or l.holder = ${holder} as free,
               case when l.until >= clock_timestamp() then l.holder end as holder,
               l.holder <> ${holder} and ${isHolderGone(sql`l.holder`)} is true as gone,
               coalesce(l.load, 1) as load, w.status = 'CONNECTED' as stands,
               case when ${isAdvertised(sql`l."wantedBy"`)} then l."wantedBy" end as "wantedBy"
        from whatsapps w left join "lineLeases" l on l."whatsappId" = w.id
        where w.wanted order by w.id`.execute(db)
      return rows
    },
    /** Takes lines that are free, expired, already ours or of a dead process; returns the fence of each taken line. */
    async take(ids: number[], gone: string[]): Promise<Map<number, number>> {
      const { rows } = await sql<{ whatsappId: number; fence: number }>`
        insert into "lineLeases" ("whatsappId", "companyId", holder, until)
        select id, "companyId", ${holder}, ${until} from whatsapps where id = any(${ids}::int[]) order by id
        on conflict ("companyId", "whatsappId") do update set holder = excluded.holder, until = ${until}, "wantedBy" = null,
          fence = "lineLeases".fence + case when "lineLeases".holder = excluded.holder then 0 else 1 end
        where "lineLeases".until < clock_timestamp() or "lineLeases".holder = excluded.holder
          or ("lineLeases".holder = any(${gone}::text[]) and ${isHolderGone(sql`"lineLeases".holder`)})
        returning "whatsappId", fence`.execute(db)
      return fences(rows)
    },
    /**
     * Renews the leases of these lines, with each line's load. Lines that it does not return are no longer ours. A
     * lease that was released while this waited stays released.
     */
    async renew(ids: number[], loads: number[]): Promise<Map<number, number>> {
      const { rows } = await sql<{ whatsappId: number; fence: number }>`
        update "lineLeases" l set until = ${until}, load = x.load from unnest(${ids}::int[], ${loads}::real[]) x (id, load)
        where l.holder = ${holder} and l.until <> '-infinity' and l."whatsappId" = x.id returning l."whatsappId", l.fence`.execute(
        db,
      )
      return fences(rows)
    },
    /** Requests these lines from their holders. */
    async request(ids: number[]): Promise<void> {
      await sql`update "lineLeases" set "wantedBy" = ${holder} where "whatsappId" = any(${ids}::int[])
        and holder <> ${holder} and not (${isAdvertised(sql`"wantedBy"`)} is true)`.execute(db)
      await sql`select pg_notify('recado', 'lines')`.execute(db)
    },
    /** Declines the requests of other processes, which then choose again. */
    async declineRequests(ids: number[]): Promise<void> {
      await sql`update "lineLeases" set "wantedBy" = null
        where holder = ${holder} and "whatsappId" = any(${ids}::int[])`.execute(db)
    },
    /**
     * Hands the line over to the requesting process, which becomes the holder at once, so that no other process takes
     * the line.
     */
    async handOver(id: number, fence: number): Promise<void> {
      await sql`update "lineLeases" set holder = "wantedBy", fence = fence + 1, until = ${until}, "wantedBy" = null
        where holder = ${holder} and "whatsappId" = ${id} and fence = ${fence} and "wantedBy" is not null`.execute(db)
      await sql`select pg_notify('recado', 'lines')`.execute(db)
    },
    /** Releases these lines, or all: the next process that polls may take them. */
    async release(ids?: number[]): Promise<void> {
      if (ids && !ids.length) return
      await sql`update "lineLeases" set until = '-infinity'
        where holder = ${holder} and (${ids === undefined} or "whatsappId" = any(${ids ?? []}::int[]))`.execute(db)
      await sql`select pg_notify('recado', 'lines')`.execute(db)
    },
  }
}
