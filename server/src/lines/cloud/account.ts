import { randomBytes } from 'node:crypto'
import type { CloudAccount, CloudAccountWrite } from '@recado/contract/cloud'
import type { Scope } from '../../kernel/data/scope.ts'

/** The data of an account at Meta that a line needs. */
export type CloudLineAccount = {
  phoneNumberId: string
  businessAccountId: string
  accessToken: string
  appSecret: string
  /** The webhook that Recado sets at Meta itself; null: a person enters it there. */
  webhook: { url: string; verifyToken: string } | null
}

/** The secret that signs Meta's calls: the line's own, or that of the operator's app. */
const appSecretOf = (scope: Scope, row: { platformApp: boolean; appSecretSealed: string }) =>
  row.platformApp ? (scope.deps.metaApp?.secret ?? '') : unsealText(scope, row.appSecretSealed)
const webhookUrl = (scope: Scope, { hook }: { hook: string }) => `${scope.deps.publicUrl}/webhooks/cloud/${hook}`

const ownCloudLines = (scope: Scope) => scope.db.selectFrom('cloudLines').where('companyId', '=', scope.companyId)
const unsealText = (scope: Scope, sealed: string) => (sealed ? scope.deps.vault.unseal(sealed) : '')

export async function loadCloudAccount(scope: Scope, whatsappId: number): Promise<CloudLineAccount | null> {
  const row = await ownCloudLines(scope).selectAll().where('whatsappId', '=', whatsappId).executeTakeFirst()
  if (!row) return null
  const { phoneNumberId, businessAccountId } = row
  return {
    phoneNumberId,
    businessAccountId,
    accessToken: unsealText(scope, row.accessTokenSealed),
    appSecret: appSecretOf(scope, row),
    webhook: row.platformApp
      ? { url: webhookUrl(scope, row), verifyToken: unsealText(scope, row.verifyTokenSealed) }
      : null,
  }
}

/** For users who manage lines: without secrets, except the verify token that they enter at Meta. */
export async function presentCloudAccounts(scope: Scope, whatsappIds: number[]): Promise<Map<number, CloudAccount>> {
  if (!whatsappIds.length) return new Map()
  const rows = await ownCloudLines(scope).selectAll().where('whatsappId', 'in', whatsappIds).execute()
  return new Map(
    rows.map((row) => [
      row.whatsappId,
      {
        phoneNumberId: row.phoneNumberId,
        businessAccountId: row.businessAccountId,
        hasAccessToken: row.accessTokenSealed !== '',
        hasAppSecret: row.platformApp ? scope.deps.metaApp !== undefined : row.appSecretSealed !== '',
        viaSignup: row.platformApp,
        verifyToken: unsealText(scope, row.verifyTokenSealed),
        webhookUrl: webhookUrl(scope, row),
        calledAt: row.calledAt,
      },
    ]),
  )
}

/** Stores the given fields; empty fields stay unchanged. Returns true if the line has to restart. */
export async function saveCloudAccount(
  scope: Scope,
  whatsappId: number,
  write: CloudAccountWrite | undefined,
): Promise<boolean> {
  const { vault } = scope.deps
  const storedAccount = await ownCloudLines(scope).selectAll().where('whatsappId', '=', whatsappId).executeTakeFirst()
  const accountInput = write ?? {
    phoneNumberId: '',
    businessAccountId: '',
    accessToken: '',
    appSecret: '',
    verifyToken: '',
  }
  const verifyToken =
    accountInput.verifyToken || (storedAccount?.verifyTokenSealed ? '' : randomBytes(18).toString('base64url'))
  const isOtherNumber = write && storedAccount?.phoneNumberId !== accountInput.phoneNumberId
  const values = {
    ...(write && { phoneNumberId: accountInput.phoneNumberId, businessAccountId: accountInput.businessAccountId }),
    ...(accountInput.accessToken && { accessTokenSealed: vault.seal(accountInput.accessToken) }),
    ...(accountInput.appSecret && { appSecretSealed: vault.seal(accountInput.appSecret) }),
    ...(verifyToken && { verifyTokenSealed: vault.seal(verifyToken) }),
    // The operator's app signs only for the number that was connected with it.
    ...((accountInput.appSecret || isOtherNumber) && { platformApp: false }),
    // Another account has other templates, so the stored ones are removed.
    ...(write &&
      storedAccount?.businessAccountId !== accountInput.businessAccountId && { templates: null, templatesAt: null }),
  }
  if (Object.keys(values).length)
    await scope.db
      .insertInto('cloudLines')
      .values({ companyId: scope.companyId, whatsappId, ...values })
      .onConflict((at) => at.column('whatsappId').doUpdateSet(values))
      .execute()
  if (!storedAccount) return true
  return Boolean(isOtherNumber || accountInput.accessToken || accountInput.appSecret)
}

/** Stores the account of a number that was connected with the operator's app. */
export async function saveSignupAccount(
  scope: Scope,
  whatsappId: number,
  account: { phoneNumberId: string; businessAccountId: string; accessToken: string },
): Promise<void> {
  await saveCloudAccount(scope, whatsappId, { ...account, appSecret: '', verifyToken: '' })
  await scope.db
    .updateTable('cloudLines')
    .set({ platformApp: true, appSecretSealed: '' })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
}

/** The company's own line with this number at Meta. */
export async function findLineOfNumber(scope: Scope, phoneNumberId: string): Promise<number | null> {
  const line = await ownCloudLines(scope)
    .select('whatsappId')
    .where('phoneNumberId', '=', phoneNumberId)
    .where('whatsappId', 'in', (eb) =>
      eb.selectFrom('whatsapps').select('id').where('companyId', '=', scope.companyId).where('provider', '=', 'cloud'),
    )
    .orderBy('whatsappId')
    .executeTakeFirst()
  return line?.whatsappId ?? null
}

/**
 * Whether a line of another company uses the number or its account: the webhook is set per account, so that company's
 * messages would come here. Ids that somebody only typed in do not count: Meta must have accepted them.
 */
export async function isUsedByOtherCompany(
  platformScope: Scope,
  companyId: number,
  { phoneNumberId, businessAccountId }: { phoneNumberId: string; businessAccountId: string },
): Promise<boolean> {
  const other = await platformScope.db
    .selectFrom('cloudLines as c')
    .innerJoin('whatsapps as w', (join) =>
      join.onRef('w.companyId', '=', 'c.companyId').onRef('w.id', '=', 'c.whatsappId'),
    )
    .select('w.id')
    .where('c.companyId', '!=', companyId)
    .where('w.provider', '=', 'cloud')
    .where((eb) =>
      eb.or([eb('c.phoneNumberId', '=', phoneNumberId), eb('c.businessAccountId', '=', businessAccountId)]),
    )
    .where((eb) => eb.or([eb('c.platformApp', '=', true), eb('w.status', '=', 'CONNECTED')]))
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** A line as the webhook needs it: its company, and the secrets that verify Meta's signature. */
export type WebhookLine = {
  whatsappId: number
  companyId: number
  phoneNumberId: string
  businessAccountId: string
  /** The phone number in digits; empty until Meta has told it. */
  number: string
  appSecret: string
  verifyToken: string
  calledAt: string | null
}

/** The line of a webhook URL, and the other lines of its company: one app at Meta may serve several. */
export async function findLinesByWebhook(platformScope: Scope, hook: string): Promise<WebhookLine[]> {
  const rows = await platformScope.db
    .selectFrom('cloudLines as c')
    .innerJoin('cloudLines as l', 'l.companyId', 'c.companyId')
    .innerJoin('whatsapps as w', (join) =>
      join.onRef('w.companyId', '=', 'l.companyId').onRef('w.id', '=', 'l.whatsappId'),
    )
    .select([
      'l.whatsappId',
      'l.companyId',
      'l.phoneNumberId',
      'l.businessAccountId',
      'w.number',
      'l.appSecretSealed',
      'l.verifyTokenSealed',
      'l.platformApp',
      'l.hook',
      'l.calledAt',
    ])
    .where('c.hook', '=', hook)
    .where('w.provider', '=', 'cloud')
    .orderBy('l.whatsappId')
    .execute()
  const lines = rows.map(({ appSecretSealed, verifyTokenSealed, platformApp, ...row }) => ({
    ...row,
    appSecret: appSecretOf(platformScope, { appSecretSealed, platformApp }),
    verifyToken: unsealText(platformScope, verifyTokenSealed),
  }))
  const [calledLines, others] = [lines.filter((row) => row.hook === hook), lines.filter((row) => row.hook !== hook)]
  return calledLines.length ? [...calledLines, ...others] : []
}

/** Stores the time of a webhook call, to show users that their URL at Meta works. At most one write per minute. */
export async function recordWebhookCall(platformScope: Scope, line: WebhookLine): Promise<void> {
  const { whatsappId, companyId, calledAt } = line
  const now = platformScope.now()
  if (calledAt && now.getTime() - Date.parse(calledAt) < 60_000) return
  line.calledAt = now.toISOString()
  await platformScope.db
    .updateTable('cloudLines')
    .set({ calledAt: now })
    .where('companyId', '=', companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
}
