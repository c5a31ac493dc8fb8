import {
  defaultAiBaseUrl,
  type Prompt,
  type PromptWrite,
  promptDefaults,
  promptModels,
  promptsApi,
} from '@recado/contract/ai/prompts'
import { can } from '@recado/contract/rules'
import { isMaskedSecret, secretMask } from '@recado/contract/settings'
import { type Selectable, sql } from 'kysely'
import { loadCompanyTimeZone, loadSettings, readSettingValue } from '../../accounts/settings.ts'
import { toCalendarDay } from '../../kernel/clock.ts'
import { makeRecords } from '../../kernel/data/records.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { crudRoutes, route } from '../../kernel/http/routes.ts'
import { loadUsedBy } from '../used-by.ts'
import { deleteSourceFiles } from './delete-source-files.ts'
import { ModelFailure } from './model/model-failure.ts'

export type PromptRow = Selectable<DB['prompts']>

async function presentPrompts(scope: Scope, rows: PromptRow[]): Promise<Prompt[]> {
  if (!rows.length) return []
  const ids = rows.map((row) => row.id)
  const places = await loadUsedBy(scope, 'promptId', ids)
  const spent = await loadTokensToday(scope, ids)
  const queues = await scope.db
    .selectFrom('queues')
    .select(['id', 'name', 'color'])
    .where('companyId', '=', scope.companyId)
    .where(
      'id',
      'in',
      rows.map((row) => row.queueId ?? 0),
    )
    .execute()
  return rows.map(({ apiKeySealed, apiKeyEnd, companyId, ...row }) => ({
    ...row,
    apiKey: secretMask + apiKeyEnd,
    queue: queues.find((queue) => queue.id === row.queueId) ?? null,
    tokensToday: spent.get(row.id) ?? 0,
    usedBy: places.get(row.id) ?? { queues: [], lines: [] },
  }))
}

/** The tokens that each prompt has used since the start of the company's day. */
async function loadTokensToday(scope: Scope, ids: number[]): Promise<Map<number, number>> {
  const rows = await scope.db
    .selectFrom('promptTokens')
    .select(['promptId', 'tokens'])
    .where('companyId', '=', scope.companyId)
    .where('promptId', 'in', ids)
    .where('day', '=', toCalendarDay(scope.now(), await loadCompanyTimeZone(scope)))
    .execute()
  return new Map(rows.map((row) => [row.promptId, row.tokens]))
}

/** Whether the prompt's own daily limit, or the company's shared limit, is used up: then agents take over. */
export async function isTokenLimitReached(scope: Scope, { id, dailyTokens }: PromptRow): Promise<boolean> {
  const settings = (await loadSettings(scope, [scope.companyId])).get(scope.companyId)
  const ofAll = Number(readSettingValue(settings, 'machineDailyTokens'))
  if (!dailyTokens && !ofAll) return false
  const day = toCalendarDay(scope.now(), readSettingValue(settings, 'timezone'))
  const { rows } = await sql<{ own: number; all: number }>`
    select coalesce(sum(tokens) filter (where "promptId" = ${id}), 0)::float as own, coalesce(sum(tokens), 0)::float as all
    from "promptTokens" where "companyId" = ${scope.companyId} and day = ${day}`.execute(scope.db)
  const used = rows[0] ?? { own: 0, all: 0 }
  return (dailyTokens > 0 && used.own >= dailyTokens) || (ofAll > 0 && used.all >= ofAll)
}

export async function addUsedTokens(scope: Scope, promptId: number, tokens: number): Promise<void> {
  const day = toCalendarDay(scope.now(), await loadCompanyTimeZone(scope))
  await sql`
    insert into "promptTokens" as t ("companyId", "promptId", day, tokens)
    values (${scope.companyId}, ${promptId}, ${day}, ${tokens})
    on conflict ("companyId", "promptId", day) do update set tokens = t.tokens + excluded.tokens`.execute(scope.db)
}

export const prompts = makeRecords('prompts', promptsApi, {
  present: presentPrompts,
  // Prompt texts are only for admins.
  audience: (scope) => ({ admins: scope.companyId }),
  conflicts: { prompts_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND' },
})

/** The last characters of a key, to distinguish it from others. */
const keyEnding = (key: string) => (key.length >= 12 ? key.slice(-4) : '')

function formFields(scope: Scope, { apiKey, ...rest }: PromptWrite) {
  // The URL must be https, because the model's key is sent with every call.
  if (rest.baseUrl && !scope.deps.outgoing.isSecure(rest.baseUrl))
    throw new AppError('ERR_VALIDATION', { baseUrl: 'Not https' })
  const key = isMaskedSecret(apiKey)
    ? {}
    : { apiKeySealed: scope.deps.vault.seal(apiKey), apiKeyEnd: keyEnding(apiKey) }
  return { ...rest, ...key, updatedAt: scope.now() }
}

/** The model of new prompts: the operator's (`AI_MODEL`), or the first that forms offer. */
export const defaultModelOf = ({ deps }: Scope): string => deps.aiModel ?? promptModels[0]

/** The current key, read for each call, so that a saved change is used at once. */
export function openPromptKey(scope: Scope, { apiKeySealed }: PromptRow): string {
  try {
    return scope.deps.vault.unseal(apiKeySealed)
  } catch {
    throw new ModelFailure('key-refused', 'it was sealed with another APP_SECRET and has to be typed again')
  }
}

/** Whether a key for one of these URLs may be sent to the other: a key must not leak to another origin. */
export const isSameOrigin = (one: string, other: string): boolean => originOf(one) === originOf(other)
const originOf = (baseUrl: string): string => (baseUrl ? (URL.parse(baseUrl)?.origin ?? baseUrl) : defaultOrigin)
const defaultOrigin = new URL(defaultAiBaseUrl).origin

export const promptRoutes = [
  ...crudRoutes(promptsApi, prompts, ['list', 'create', 'update', 'remove']),
  route(promptsApi.list, async (scope, { query }) => {
    const may = can(scope.actor, 'prompts-page:edit') && scope.plan.useOpenAi
    if (!may) return { prompts: [], count: 0, hasMore: false }
    const { rows, ...rest } = await prompts.page(scope, query)
    return { prompts: rows, ...rest }
  }),
  route(promptsApi.defaults, async (scope) => ({ model: defaultModelOf(scope), ...promptDefaults })),
  route(promptsApi.create, async (scope, { body }) => {
    if (isMaskedSecret(body.apiKey)) throw new AppError('ERR_VALIDATION', { apiKey: 'Required' })
    return prompts.create(scope, { ...formFields(scope, body), model: body.model ?? defaultModelOf(scope) })
  }),
  route(promptsApi.update, async (scope, { params, body }) => {
    const before = await prompts.lockRow(scope, params.id)
    if (isMaskedSecret(body.apiKey) && !isSameOrigin(before.baseUrl, body.baseUrl ?? before.baseUrl))
      throw new AppError('ERR_VALIDATION', { apiKey: 'Required' })
    return prompts.update(scope, params.id, formFields(scope, body))
  }),
  route(promptsApi.remove, async (scope, { params }) => {
    await prompts.lockRow(scope, params.id)
    const places = (await loadUsedBy(scope, 'promptId', [params.id])).get(params.id)
    if (places && places.queues.length + places.lines.length > 0) throw new AppError('ERR_PROMPT_IN_USE')
    await deleteSourceFiles(scope, params.id)
    await prompts.remove(scope, params.id)
    return { message: 'deleted' }
  }),
]
