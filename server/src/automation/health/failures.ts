import type { Failure } from '@recado/contract/health/health'
import { sql } from 'kysely'
import type { BackupState } from '../../accounts/platform/backups.ts'
import { days, later } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'

const most = 50

/**
 * Of what went wrong the part that is a code: ours, the system's, an answer's number. All else may be something that
 * somebody wrote, and stays in the log. `isReason`: it is one of the words that lines say (`window-closed`, `meta:131047`).
 */
export function codeOf(error: string, isReason = false): string {
  const words = error.slice(0, 2000)
  return (
    /\bERR_[A-Z_]{2,40}\b/.exec(words)?.[0] ??
    /\bE[A-Z]{3,14}\b/.exec(words)?.[0] ??
    (isReason ? /^[a-z]{2,20}(?:-[a-z]{1,20}){0,4}(?::\d{1,6})?$/.exec(words.trim())?.[0] : undefined) ??
    /^(?:http )?([45]\d\d)\b/i.exec(words)?.[1] ??
    ''
  )
}

/** Why a webhook is not told (`codeOf` in directory/machines/calling.ts): of what it is about, codes and numbers alone. */
export function troubleOf(error: string): string {
  const [, word, about = ''] =
    /^(timeout|insecure|keyended|keyscope|forbidden|unreachable|resting)(?::([\s\S]*))?$/.exec(error) ?? []
  if (!word) return codeOf(error)
  const code = /^\d{1,4}$/.test(about) ? about : codeOf(about)
  return code ? `${word}:${code}` : word
}

type Job = { id: number; task: string; attempts: number; over: boolean; error: string; runAt: string; at: string }
async function jobs(scope: Scope): Promise<Failure[]> {
  const { rows } = await sql<Job>`select * from failed_jobs(${most})`.execute(scope.db)
  return rows.map(({ id, task, attempts, over, error, runAt, at }) => ({
    ...{ kind: 'job', id, at, company: null, name: task, code: codeOf(error), count: attempts },
    ...{ nextAt: over ? null : runAt, canRetry: true },
  }))
}

type Named = {
  id: number
  name: string
  companyId: number
  companyName: string
  at: string
  count: number
  error: string
}
const named = ({ id, name, companyId, companyName, at, count, error }: Named, codeIn = codeOf) => ({
  ...{ id, name, at, count, code: codeIn(error), company: { id: companyId, name: companyName } },
})

async function webhooks(scope: Scope): Promise<Failure[]> {
  const { rows } = await sql<Named & { restsUntil: string | null }>`
    select w.id, w.name, w."companyId", c.name as "companyName", w."lastError" as error, w."restsUntil", f.count,
      greatest(f.at, w."restsSince") as at
    from webhooks w join companies c on c.id = w."companyId" cross join lateral (
      select count(*)::int as count, max(e."createdAt") as at from "webhookEvents" e
      where e."companyId" = w."companyId" and e."webhookId" = w.id and (e.state = 'given-up' or e."nextAt" is not null)
    ) f
    where w.active and (w."restsSince" is not null or f.count > 0)
    order by at desc limit ${most}`.execute(scope.db)
  return rows.map((row) => ({ kind: 'webhook', ...named(row, troubleOf), nextAt: row.restsUntil, canRetry: true }))
}

async function events(scope: Scope): Promise<Failure[]> {
  const { rows } = await sql<Named>`
    select w.id, w.name, w."companyId", c.name as "companyName", a.count, a.at, a.error
    from whatsapps w join companies c on c.id = w."companyId" cross join lateral (
      select count(*)::int as count, max(j."processedAt") as at, (array_agg(j.error order by j.id desc))[1] as error
      from journal j where j."whatsappId" = w.id and j.error is not null
    ) a where a.count > 0 order by a.at desc limit ${most}`.execute(scope.db)
  return rows.map((row) => ({ kind: 'event', ...named(row), nextAt: null, canRetry: true }))
}

/** By line and reason. Whether one is sent again is for who wrote it: it may have become old. */
async function messages(scope: Scope): Promise<Failure[]> {
  const { rows } = await sql<Named>`
    select w.id, w.name, w."companyId", c.name as "companyName", f.count, f.at, f.error
    from whatsapps w join companies c on c.id = w."companyId" cross join lateral (
      select coalesce(m.error, '') as error, count(*)::int as count, max(coalesce(m."ackAt", m."storedAt")) as at from messages m
      where m."whatsappId" = w.id and m.state = 'failed' and m."storedAt" > ${later(scope.now(), -days(1))} group by 1
    ) f order by f.at desc limit ${most}`.execute(scope.db)
  return rows.map((row) => ({
    kind: 'message',
    ...named(row, (error) => codeOf(error, true)),
    nextAt: null,
    canRetry: false,
  }))
}

function backups(scope: Scope, state: BackupState | null): Failure[] {
  if (!state?.error) return []
  const at = state.lastAt ?? scope.now().toISOString()
  const about = { kind: 'backup' as const, id: 0, at, company: null, name: '', code: codeOf(state.error), count: 1 }
  return [{ ...about, nextAt: null, canRetry: false }]
}

/** What went wrong last, newest first. */
export async function failuresOf(scope: Scope, backup: BackupState | null): Promise<Failure[]> {
  const found = await Promise.all([jobs(scope), webhooks(scope), events(scope), messages(scope)])
  return [...backups(scope, backup), ...found.flat().sort((a, b) => b.at.localeCompare(a.at))].slice(0, most)
}
