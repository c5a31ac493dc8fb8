import type { PlatformFailure } from '@recado/contract/health/health'
import { sql } from 'kysely'
import type { BackupState } from '../../accounts/platform/backups.ts'
import { addMs, days } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'

const maxFailures = 50

/**
 * The part of an error that is a code: ours, the system's, an HTTP status. Anything else may be customer text and stays
 * in the log. `isReason`: the error is one of the reasons that lines give (`window-closed`, `meta:131047`).
 */
export function errorCodeIn(error: string, isReason = false): string {
  const words = error.slice(0, 2000)
  return (
    /\bERR_[A-Z_]{2,40}\b/.exec(words)?.[0] ??
    /\bE[A-Z]{3,14}\b/.exec(words)?.[0] ??
    (isReason ? /^[a-z]{2,20}(?:-[a-z]{1,20}){0,4}(?::\d{1,6})?$/.exec(words.trim())?.[0] : undefined) ??
    /^(?:http )?([45]\d\d)\b/i.exec(words)?.[1] ??
    ''
  )
}

/** Why a webhook failed, as a code; of the details only codes and numbers are kept. */
export function webhookErrorCodeIn(error: string): string {
  const [, word, about = ''] =
    /^(timeout|insecure|keyended|keyscope|forbidden|unreachable|resting)(?::([\s\S]*))?$/.exec(error) ?? []
  if (!word) return errorCodeIn(error)
  const code = /^\d{1,4}$/.test(about) ? about : errorCodeIn(about)
  return code ? `${word}:${code}` : word
}

type FailedJobRow = {
  id: number
  task: string
  attempts: number
  over: boolean
  error: string
  runAt: string
  at: string
}
async function failedJobs(scope: Scope): Promise<PlatformFailure[]> {
  const { rows } = await sql<FailedJobRow>`select * from failed_jobs(${maxFailures})`.execute(scope.db)
  return rows.map(({ id, task, attempts, over, error, runAt, at }) => ({
    ...{ kind: 'job', id, at, company: null, name: task, code: errorCodeIn(error), count: attempts },
    ...{ nextAt: over ? null : runAt, canRetry: true },
  }))
}

type FailureRow = {
  id: number
  name: string
  companyId: number
  companyName: string
  at: string
  count: number
  error: string
}
const presentFailure = ({ id, name, companyId, companyName, at, count, error }: FailureRow, codeIn = errorCodeIn) => ({
  ...{ id, name, at, count, code: codeIn(error), company: { id: companyId, name: companyName } },
})

async function failedWebhooks(scope: Scope): Promise<PlatformFailure[]> {
  const { rows } = await sql<FailureRow & { restsUntil: string | null }>`
    select w.id, w.name, w."companyId", c.name as "companyName", w."lastError" as error, w."restsUntil", f.count,
      greatest(f.at, w."restsSince") as at
    from webhooks w join companies c on c.id = w."companyId" cross join lateral (
      select count(*)::int as count, max(e."createdAt") as at from "webhookEvents" e
      where e."companyId" = w."companyId" and e."webhookId" = w.id and (e.state = 'given-up' or e."nextAt" is not null)
    ) f
    where w.active and (w."restsSince" is not null or f.count > 0)
    order by at desc limit ${maxFailures}`.execute(scope.db)
  return rows.map((row) => ({
    kind: 'webhook',
    ...presentFailure(row, webhookErrorCodeIn),
    nextAt: row.restsUntil,
    canRetry: true,
  }))
}

async function failedEvents(scope: Scope): Promise<PlatformFailure[]> {
  const { rows } = await sql<FailureRow>`
    select w.id, w.name, w."companyId", c.name as "companyName", a.count, a.at, a.error
    from whatsapps w join companies c on c.id = w."companyId" cross join lateral (
      select count(*)::int as count, max(j."processedAt") as at, (array_agg(j.error order by j.id desc))[1] as error
      from journal j where j."whatsappId" = w.id and j.error is not null
    ) a where a.count > 0 order by a.at desc limit ${maxFailures}`.execute(scope.db)
  return rows.map((row) => ({ kind: 'event', ...presentFailure(row), nextAt: null, canRetry: true }))
}

/** Failed messages by line and reason. Only their author may send them again, because a message may be outdated. */
async function failedMessages(scope: Scope): Promise<PlatformFailure[]> {
  const { rows } = await sql<FailureRow>`
    select w.id, w.name, w."companyId", c.name as "companyName", f.count, f.at, f.error
    from whatsapps w join companies c on c.id = w."companyId" cross join lateral (
      select coalesce(m.error, '') as error, count(*)::int as count, max(coalesce(m."ackAt", m."storedAt")) as at from messages m
      where m."whatsappId" = w.id and m.state = 'failed' and m."storedAt" > ${addMs(scope.now(), -days(1))} group by 1
    ) f order by f.at desc limit ${maxFailures}`.execute(scope.db)
  return rows.map((row) => ({
    kind: 'message',
    ...presentFailure(row, (error) => errorCodeIn(error, true)),
    nextAt: null,
    canRetry: false,
  }))
}

function failedBackups(scope: Scope, state: BackupState | null): PlatformFailure[] {
  if (!state?.error) return []
  const at = state.lastAt ?? scope.now().toISOString()
  const about = {
    kind: 'backup' as const,
    id: 0,
    at,
    company: null,
    name: '',
    code: errorCodeIn(state.error),
    count: 1,
  }
  return [{ ...about, nextAt: null, canRetry: false }]
}

/** WhatsApp refuses the version of the installation, so linked lines cannot connect. */
async function refusedVersion(scope: Scope): Promise<PlatformFailure[]> {
  const { rows } = await sql<{ refused: string; refusedAt: string; lines: number }>`
    select v.refused, v."refusedAt", (select count(*)::int from whatsapps w where w.reason = 'outdated') as lines
    from "webVersion" v where v.refused is not null`.execute(scope.db)
  return rows.map(({ refused, refusedAt, lines }) => ({
    ...{ kind: 'version', id: 0, at: refusedAt, company: null, name: refused, code: '405', count: lines },
    ...{ nextAt: null, canRetry: false },
  }))
}

/** The latest failures, newest first. */
export async function listFailures(scope: Scope, backup: BackupState | null): Promise<PlatformFailure[]> {
  const found = await Promise.all([
    failedJobs(scope),
    failedWebhooks(scope),
    failedEvents(scope),
    failedMessages(scope),
  ])
  return [
    ...(await refusedVersion(scope)),
    ...failedBackups(scope, backup),
    ...found.flat().sort((a, b) => b.at.localeCompare(a.at)),
  ].slice(0, maxFailures)
}
