import { campaignConfirmationKeys, campaignMessageKeys } from '@recado/contract/campaigns/campaigns'
import type { CampaignSettings } from '@recado/contract/campaigns/settings'
import { type CampaignTextPiece, splitCampaignText } from '@recado/contract/campaigns/texts'
import { lineTraits } from '@recado/contract/line-traits'
import { type RawBuilder, sql } from 'kysely'
import { findLine } from '../../directory/connections/find-line.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { renderTemplate } from '../../lines/cloud/template-text.ts'
import { buildAudienceQuery } from './audience.ts'
import { makeCampaignPlan } from './plan.ts'
import { requestRecount } from './recount.ts'
import { loadCampaignSettings } from './settings.ts'
import { type CampaignRow, changeCampaign } from './view.ts'

/** The texts of a campaign, each with its index among the five; on an official line there is only the template. */
export function campaignTexts(row: CampaignRow): { variant: number; text: string }[] {
  if (row.template) return [{ variant: 1, text: renderTemplate(row.template.kept, row.template.variables) }]
  return campaignMessageKeys.flatMap((key, i) => (row[key] ? [{ variant: i + 1, text: row[key] }] : []))
}
export const confirmationTexts = (row: CampaignRow): string[] =>
  campaignConfirmationKeys.map((key) => row[key]).filter(Boolean)

/** An SQL expression that fills each contact's values into a text; `a` is the person. */
function renderPiecesSql(pieces: CampaignTextPiece[]): RawBuilder<string> {
  const columns = { nome: sql`a.name`, email: sql`a.email`, numero: sql`a.number` }
  const parts = pieces.map((piece) => ('text' in piece ? sql`${piece.text}::text` : columns[piece.variable]))
  return parts.length ? sql<string>`concat(${sql.join(parts)})` : sql<string>`''`
}

/** SQL that chooses one of these texts by each person's random number (`draw`, from 0 to 1). */
function randomTextSql(
  draw: RawBuilder<unknown>,
  texts: string[],
  { variables }: CampaignSettings,
): RawBuilder<string> {
  if (!texts.length) return sql<string>`''`
  const cases = texts.map((text, i) => sql`when ${i} then ${renderPiecesSql(splitCampaignText(text, variables))}`)
  return sql<string>`case floor(${draw} * ${texts.length}::int)::int ${sql.join(cases, sql` `)} end`
}
const randomVariantSql = (draw: RawBuilder<unknown>, variants: number[]): RawBuilder<number> =>
  sql<number>`(${variants}::int[])[1 + floor(${draw} * ${variants.length}::int)::int]`

/** Throws if something is missing that the campaign needs to start. */
export async function assertCampaignReady(scope: Scope, row: CampaignRow): Promise<void> {
  if (row.contactListId === null && row.tagId === null) throw new AppError('ERR_CAMPAIGN_NO_AUDIENCE')
  if (row.whatsappId === null) throw new AppError('ERR_CAMPAIGN_NO_LINE')
  const line = await findLine(scope, row.whatsappId)
  // On an official line, a free-text confirmation question would be refused as well.
  if (lineTraits[line.provider].window && (!row.template || row.confirmation))
    throw new AppError('ERR_CAMPAIGN_NEEDS_TEMPLATE')
  if (!campaignTexts(row).length && !row.mediaPath && row.fileListId === null)
    throw new AppError('ERR_CAMPAIGN_NO_MESSAGE')
  if (row.confirmation && !confirmationTexts(row).length) throw new AppError('ERR_CAMPAIGN_NO_MESSAGE')
}

/**
 * Begins the campaign: one statement creates a row per recipient, with a randomly chosen text or the reason for being
 * skipped. The campaign row is locked. `gets`: the planned count, if the caller gave one.
 */
export async function beginCampaign(scope: Scope, row: CampaignRow, gets?: number): Promise<CampaignRow> {
  await assertCampaignReady(scope, row)
  const settings = await loadCampaignSettings(scope)
  const plan = await makeCampaignPlan(scope, { ...row, scheduledAt: null }, settings)
  if (gets !== undefined && gets !== plan.gets) throw new AppError('ERR_CAMPAIGN_PLAN_CHANGED')
  const { daysBetween, skipOpen } = settings
  const audience = await buildAudienceQuery(scope, row, { daysBetween, skipOpen, campaignId: row.id })
  const texts = campaignTexts(row)
  await sql`
    insert into "campaignShippings" ("companyId", "campaignId", "contactId", key, name, number, email, variant, body,
      "confirmationBody", state, reason)
    select ${scope.companyId}, ${row.id}, a."contactId", a.key, a.name, a.number, a.email,
      ${
        texts.length
          ? randomVariantSql(
              sql`a.one`,
              texts.map((t) => t.variant),
            )
          : sql`1`
      },
      ${randomTextSql(
        sql`a.one`,
        texts.map((t) => t.text),
        settings,
      )},
      ${row.confirmation ? randomTextSql(sql`a.two`, confirmationTexts(row), settings) : sql`''`},
      case when a.why is null then 'pending' else 'skipped' end, a.why
    from (select u.*, random() as one, random() as two from (${audience ?? sql`select null`}) u offset 0) a
    where a.why is distinct from 'doubled' order by a.place, a.n
    on conflict ("companyId", "campaignId", key) do nothing`.execute(scope.db)
  const { firstAt, lastAt, days, runs } = plan
  const planned = { gets: plan.gets, doubled: plan.skipped.doubled, firstAt, lastAt, days, runs }
  return activateCampaign(scope, row, { planned: JSON.stringify(planned), startedAt: scope.now() })
}

/** Sets the campaign to sending, at the pace of its line. */
async function activateCampaign(
  scope: Scope,
  row: CampaignRow,
  values: Parameters<typeof changeCampaign>[2],
): Promise<CampaignRow> {
  const now = scope.now()
  if (row.whatsappId !== null)
    // An existing row holds the pace set by other campaigns, so it is kept.
    await scope.db
      .insertInto('campaignLines')
      .values({ companyId: scope.companyId, whatsappId: row.whatsappId, nextAt: now })
      .onConflict((c) => c.doNothing())
      .execute()
  await requestRecount(scope, row.id)
  const afresh = { status: 'EM_ANDAMENTO' as const, held: null, completedAt: null, freshSince: now }
  return changeCampaign(scope, row.id, { ...afresh, ...values })
}

/** Resumes after a cancel or a stop: waiting recipients get the current texts, chosen at random again. */
export async function resumeCampaign(scope: Scope, row: CampaignRow): Promise<CampaignRow> {
  await assertCampaignReady(scope, row)
  const settings = await loadCampaignSettings(scope)
  const texts = campaignTexts(row)
  await sql`
    update "campaignShippings" s set variant = ${
      texts.length
        ? randomVariantSql(
            sql`a.one`,
            texts.map((t) => t.variant),
          )
        : sql`1`
    },
      body = ${randomTextSql(
        sql`a.one`,
        texts.map((t) => t.text),
        settings,
      )},
      "confirmationBody" = ${row.confirmation ? randomTextSql(sql`a.two`, confirmationTexts(row), settings) : sql`''`}
    from (
      select id, name, number, email, random() as one, random() as two from "campaignShippings"
      where "companyId" = ${scope.companyId} and "campaignId" = ${row.id} and state in ('pending', 'confirmed') offset 0
    ) a where s."companyId" = ${scope.companyId} and s.id = a.id`.execute(scope.db)
  return activateCampaign(scope, row, {})
}

/** Begins a scheduled campaign; if something is missing at that time, stores the reason and does not begin. */
export async function beginOrCancelCampaign(scope: Scope, row: CampaignRow): Promise<void> {
  const lacks = await assertCampaignReady(scope, row).then(
    () => null,
    (error) => {
      if (error instanceof AppError) return error.code
      throw error
    },
  )
  if (lacks) await changeCampaign(scope, row.id, { status: 'CANCELADA', held: lacks })
  else await beginCampaign(scope, row)
}
