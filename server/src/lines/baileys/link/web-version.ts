import { sql } from 'kysely'
import { hours, minutes } from '../../../kernel/clock.ts'
import { type Deps, Scope } from '../../../kernel/data/scope.ts'
import type { Log } from '../../../kernel/log.ts'

declare module '../../../kernel/jobs.ts' {
  interface Jobs {
    /** WhatsApp refuses this version, and no newer one was found. */
    'web-version:refused': { version: string }
  }
}

export type WebVersion = [number, number, number]
/** The version inside the library. It is repeated here because loading the library takes more memory than the server. */
export const builtInWebVersion: WebVersion = [2, 3000, 1043857760]

const lookupIntervalMs = hours(4)
/** After a refusal the version is looked up earlier, but not by every line of the installation. */
const urgentLookupIntervalMs = minutes(10)
const lookupTimeoutMs = 3000
const maxLookupBytes = 1024 * 1024

export const formatWebVersion = (version: WebVersion): string => version.join('.')

export function parseWebVersion(text: string | null | undefined): WebVersion | null {
  const parts = /^(\d{1,3})\.(\d{1,5})\.(\d{1,10})$/.exec(text ?? '')
  return parts ? [Number(parts[1]), Number(parts[2]), Number(parts[3])] : null
}

function compareWebVersions(a: WebVersion, b: WebVersion): number {
  const at = a.findIndex((part, i) => part !== b[i])
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number)
}

/** The revision that WhatsApp's service worker names, as the library reads it. */
export function readWebVersion(page: string): WebVersion | null {
  const revision = /"client_revision\\?":\s{0,9}(\d{1,10})\b/.exec(page)?.[1]
  return revision ? [2, 3000, Number(revision)] : null
}

export type WebVersionRow = {
  pinned: string | null
  found: string | null
  foundAt: string | null
  lookedUpAt: string | null
  accepted: string | null
  acceptedAt: string | null
  refused: string | null
  refusedAt: string | null
}
const emptyRow: WebVersionRow = {
  ...{ pinned: null, found: null, foundAt: null, lookedUpAt: null },
  ...{ accepted: null, acceptedAt: null, refused: null, refusedAt: null },
}

/** The pinned version, or the highest that is known to be good. */
export function chooseWebVersion({ pinned, found, accepted }: WebVersionRow): WebVersion {
  const chosen = parseWebVersion(pinned)
  if (chosen) return chosen
  const candidates = [found, accepted].map(parseWebVersion).filter((one) => one !== null)
  return candidates.reduce((best, one) => (compareWebVersions(one, best) > 0 ? one : best), builtInWebVersion)
}

/**
 * The version of WhatsApp Web with which this installation presents itself. WhatsApp refuses versions that it considers
 * too old, so the current one is looked up before connecting. `lookupUrl`: empty if nothing is to be looked up.
 */
export function makeWebVersions(deps: Deps, lookupUrl: string, log: Log) {
  const platform = { db: deps.database.platform }
  const { db } = platform
  const lookupsUnderWay = new Map<number, Promise<void>>()

  async function load({ db }: Pick<Scope, 'db'> = platform): Promise<WebVersionRow> {
    const { rows } = await sql<WebVersionRow>`
      select pinned, found, "foundAt", "lookedUpAt", accepted, "acceptedAt", refused, "refusedAt"
      from "webVersion"`.execute(db)
    return rows[0] ?? emptyRow
  }

  /** Whether this process may look the version up now; no other process of the installation does it meanwhile. */
  async function claimLookup(intervalMs: number): Promise<boolean> {
    const now = deps.clock.now()
    const { rows } = await sql`
      insert into "webVersion" ("lookedUpAt") values (${now})
      on conflict (id) do update set "lookedUpAt" = ${now}
        where "webVersion"."lookedUpAt" is null
          or "webVersion"."lookedUpAt" <= ${new Date(now.getTime() - intervalMs)}
      returning id`.execute(db)
    return rows.length > 0
  }

  async function lookUp(intervalMs: number): Promise<void> {
    if (!lookupUrl || !(await claimLookup(intervalMs))) return
    try {
      const { status, body } = await deps.outgoing.call(lookupUrl, {
        ...{ companyId: 0, purpose: 'web-version', method: 'GET', insists: true },
        ...{ timeoutMs: lookupTimeoutMs, mostBytes: maxLookupBytes },
        // WhatsApp answers other callers than browsers with an empty page.
        headers: {
          'sec-fetch-site': 'none',
          'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0',
        },
      })
      const version = status === 200 ? readWebVersion(body) : null
      if (!version) throw new Error(`no version in the answer (status ${status})`)
      await sql`update "webVersion" set found = ${formatWebVersion(version)}, "foundAt" = ${deps.clock.now()}`.execute(
        db,
      )
    } catch (err) {
      log.info({ err }, "could not look up WhatsApp's current version: the known one is used")
    }
  }

  /** Lines that connect at the same time wait for one lookup. */
  function lookUpTogether(intervalMs: number): Promise<void> {
    const lookup =
      lookupsUnderWay.get(intervalMs) ?? lookUp(intervalMs).finally(() => lookupsUnderWay.delete(intervalMs))
    lookupsUnderWay.set(intervalMs, lookup)
    return lookup
  }

  return {
    load,
    /** The version for the next connection. */
    async choose(): Promise<WebVersion> {
      await lookUpTogether(lookupIntervalMs)
      return chooseWebVersion(await load())
    },
    /** Looks the version up after a refusal. */
    async lookUpAfterRefusal(): Promise<WebVersion> {
      await lookUpTogether(urgentLookupIntervalMs)
      return chooseWebVersion(await load())
    },
    /** Looks the version up because a user wants to know it now. */
    async lookUpNow(): Promise<WebVersionRow> {
      await lookUpTogether(0)
      return load()
    },
    async pin({ db }: Scope, version: string | null): Promise<void> {
      await sql`insert into "webVersion" (pinned) values (${version})
        on conflict (id) do update set pinned = excluded.pinned`.execute(db)
    },
    /** A line is connected with this version. */
    async recordAccepted(version: WebVersion): Promise<void> {
      const text = formatWebVersion(version)
      await sql`
        insert into "webVersion" as v (accepted, "acceptedAt") values (${text}, ${deps.clock.now()})
        on conflict (id) do update set refused = null, "refusedAt" = null,
          accepted = case when ${isHigherSql(text)} then excluded.accepted else v.accepted end,
          "acceptedAt" = case when ${isHigherSql(text)} then excluded."acceptedAt" else v."acceptedAt" end
        where v.refused is not null or ${isHigherSql(text)}`.execute(db)
    },
    /** WhatsApp refuses this version even after a lookup. The super user is told once for each version. */
    async recordRefused(version: WebVersion): Promise<void> {
      const text = formatWebVersion(version)
      await new Scope(deps, { companyId: 0, wide: true }).transaction(async (scope) => {
        const { rows } = await sql`
          insert into "webVersion" as v (refused, "refusedAt") values (${text}, ${scope.now()})
          on conflict (id) do update set refused = excluded.refused, "refusedAt" = excluded."refusedAt"
          where v.refused is distinct from excluded.refused returning id`.execute(scope.db)
        if (rows.length) await scope.enqueueJob('web-version:refused', { version: text })
      })
    },
  }
}
export type WebVersions = ReturnType<typeof makeWebVersions>

const isHigherSql = (text: string) =>
  sql`(v.accepted is null or string_to_array(v.accepted, '.')::bigint[] < string_to_array(${text}, '.')::bigint[])`
