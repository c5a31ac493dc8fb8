import type { Reply } from '@recado/contract/endpoint'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowKind } from '@recado/contract/flows/flow-line'
import {
  type Flow,
  type FlowState,
  type FlowVersion,
  flowDays,
  type flowsApi,
  maxFlowsPerCompany,
} from '@recado/contract/flows/flows'
import { sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { hasReplyWindowSql } from '../../desk/reply-window.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { maskCallHeaders } from './acts/seal-headers.ts'
import { loadFlowNames } from './flow-names.ts'
import { listStepsOfSequences, listStepsOfVersion } from './step-numbers.ts'

/** A longer document is left out of a list, and so are those after so many characters: every reply is checked at once. */
const maxListedCharacters = 16_000
const maxCharactersPerReply = 256_000

type StoredState = { versionId: number | null; active: boolean; stoppedAt: string | null }
const stateOf = ({ versionId, active, stoppedAt }: StoredState): FlowState =>
  versionId === null ? 'draft' : stoppedAt !== null ? 'stopped' : active ? 'active' : 'off'

const versionSql = sql<FlowVersion | null>`case when v.id is not null then json_build_object('number', v.number,
  'publishedAt', to_char(v."publishedAt" at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'user', case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end) end`
const insideSql = sql<number>`(select count(*) from "flowRuns" r
  where r."companyId" = f."companyId" and r."flowId" = f.id and r."endedAt" is null)::int`
const versionJoins = sql`left join "flowVersions" v on v."companyId" = f."companyId" and v.id = f."versionId"
  left join users u on u."companyId" = v."companyId" and u.id = v."userId"`

type SummaryRow = StoredState & {
  id: number
  kind: FlowKind
  name: string
  version: FlowVersion | null
  hasDraft: boolean
  document: FlowDocument | null
  days: number[]
  failed: number
  inside: number
  updatedAt: string
}

export async function listFlows(scope: Scope, kind: FlowKind): Promise<Reply<typeof flowsApi.list>> {
  const zone = await loadCompanyTimeZone(scope)
  const { rows } = await sql<SummaryRow>`
    with today as (select (${scope.now()}::timestamptz at time zone ${zone})::date as day),
    days as (
      select d."flowId", d.day, d.started, d.failed from "flowDays" d, today t
      where d."companyId" = ${scope.companyId} and d.day > t.day - ${flowDays}::int)
    select f.id, f.kind, f.name, f."versionId", f.active, f."stoppedAt", f."updatedAt", ${versionSql} as version,
      f.draft is distinct from v.document as "hasDraft",
      case when d.length <= ${maxListedCharacters} and sum(least(d.length, ${maxListedCharacters}::int)) over (order by f.position, f.id) <= ${maxCharactersPerReply}
        then d.document end as document,
      array(select coalesce((select d.started from days d where d."flowId" = f.id and d.day = t.day - n), 0)
        from today t, generate_series(${flowDays - 1}::int, 0, -1) n order by n desc) as days,
      coalesce((select sum(d.failed) from days d where d."flowId" = f.id), 0)::int as failed,
      ${insideSql} as inside
    from flows f ${versionJoins}
    cross join lateral (select x.document, length(x.document::text) from (select coalesce(v.document, f.draft) as document) x) d
    where f."companyId" = ${scope.companyId} and f.kind = ${kind}
    order by f.position, f.id limit ${maxFlowsPerCompany}`.execute(scope.db)
  const steps = await listStepsOfSequences(scope, kind === 'sequence' ? rows : [])
  const flows = rows.map(({ versionId, active, stoppedAt, ...row }, i) => ({
    ...row,
    document: row.document && maskCallHeaders(row.document),
    state: stateOf({ versionId, active, stoppedAt }),
    steps: steps[i] ?? [],
  }))
  return {
    flows,
    names: await loadFlowNames(
      scope,
      flows.flatMap(({ document }) => document ?? []),
    ),
  }
}

export type FlowRow = StoredState & {
  id: number
  kind: FlowKind
  name: string
  draft: FlowDocument
  published: FlowDocument | null
  revision: number
  hasReplyWindow: boolean
  hasHook: boolean
  /** Runs that have not ended. */
  inside: number
  version: FlowVersion | null
  hasDraft: boolean
  updatedAt: string
}

export async function findFlow(scope: Scope, id: number): Promise<FlowRow> {
  const { rows } = await sql<FlowRow>`
    select f.id, f.kind, f.name, f.draft, f.revision, f."versionId", f.active, f."stoppedAt", f."updatedAt",
      v.document as published,
      exists (select from whatsapps w where w."companyId" = f."companyId" and ${sql.raw(hasReplyWindowSql('w'))}) as "hasReplyWindow",
      f."hookHash" is not null as "hasHook", ${insideSql} as inside,
      ${versionSql} as version, f.draft is distinct from v.document as "hasDraft"
    from flows f ${versionJoins}
    where f."companyId" = ${scope.companyId} and f.id = ${id}`.execute(scope.db)
  if (!rows[0]) throw new AppError('ERR_NO_FLOW_FOUND')
  return rows[0]
}

export async function showFlow(scope: Scope, id: number): Promise<Flow> {
  const { versionId, active, stoppedAt, ...row } = await findFlow(scope, id)
  const draft = maskCallHeaders(row.draft)
  const published = row.published && maskCallHeaders(row.published)
  const names = await loadFlowNames(scope, published ? [draft, published] : [draft])
  return { ...row, draft, published, state: stateOf({ versionId, active, stoppedAt }), names }
}

export async function showNumbers(scope: Scope, flowId: number): Promise<Reply<typeof flowsApi.numbers>> {
  const { versionId, version, published } = await findFlow(scope, flowId)
  if (versionId === null || !version || !published) return { version: null, steps: [], optedOut: 0 }
  return { version: version.number, ...(await listStepsOfVersion(scope, versionId, published)) }
}

/** More would not be read. */
const maxShownVersions = 50

export async function listVersions(scope: Scope, flowId: number): Promise<Reply<typeof flowsApi.versions>> {
  await findFlow(scope, flowId)
  const { rows } = await sql<FlowVersion & { started: number; document: FlowDocument }>`
    with newest as (
      select * from "flowVersions" where "companyId" = ${scope.companyId} and "flowId" = ${flowId}
      order by number desc limit ${maxShownVersions}),
    measured as (select newest.*, sum(length(document::text)) over (order by number desc) as characters from newest)
    select v.number, v."publishedAt", v.document,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as user,
      (select count(*) from "flowRuns" r where r."companyId" = v."companyId" and r."versionId" = v.id)::int as started
    from measured v left join users u on u."companyId" = v."companyId" and u.id = v."userId"
    where v.characters <= ${maxCharactersPerReply} or v.number = (select max(number) from newest)
    order by v.number desc`.execute(scope.db)
  return { versions: rows.map((row) => ({ ...row, document: maskCallHeaders(row.document) })) }
}
