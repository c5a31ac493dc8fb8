import { randomBytes } from 'node:crypto'
import { pixCurrency } from '@recado/contract/money/currency'
import { hasPaymentWebhook, type PaymentProviderName } from '@recado/contract/money/invoices'
import { normalizePixKey } from '@recado/contract/money/pix'
import type { MoneySettings, MoneySettingsWrite } from '@recado/contract/money/platform'
import { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'
import { readGraceDays, writeGraceDays } from '../grace-days.ts'
import { makeAsaasProvider } from './asaas.ts'
import { makeEfiProvider } from './efi.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { makeStaticPixProvider } from './static-pix.ts'

const PlainSettings = z.object({
  pixKey: z.string().default(''),
  pixName: z.string().default(''),
  pixCity: z.string().default(''),
  paymentInstructions: z.string().default(''),
  efiKey: z.string().default(''),
  efiSandbox: z.boolean().default(false),
  asaasSandbox: z.boolean().default(false),
})
const SecretSettings = z.object({
  efiClient: z.string().default(''),
  efiSecret: z.string().default(''),
  efiCertificate: z.string().default(''),
  asaasToken: z.string().default(''),
  /** A part of the URL that providers call: calls without it are refused. */
  hookKey: z.string().default(''),
})
type StoredMoneySettings = {
  provider: PaymentProviderName
  plain: z.infer<typeof PlainSettings>
  secrets: z.infer<typeof SecretSettings>
}

/** The platform's payment settings. Wide scope only: companies have no access. */
export async function loadMoneySettings(scope: Scope): Promise<StoredMoneySettings> {
  const row = await scope.db.selectFrom('moneySettings').selectAll().executeTakeFirstOrThrow()
  const unsealedSecrets = row.sealed ? JSON.parse(scope.deps.vault.unseal(row.sealed)) : {}
  return {
    provider: row.provider,
    plain: PlainSettings.parse(row.plain),
    secrets: SecretSettings.parse(unsealedSecrets),
  }
}

export const hasEfiCredentials = ({ plain, secrets }: StoredMoneySettings): boolean =>
  Boolean(plain.efiKey && secrets.efiClient && secrets.efiSecret && secrets.efiCertificate)

/** A usable provider, or null if its settings are incomplete. */
export function makeProvider(
  settings: StoredMoneySettings,
  name: PaymentProviderName = settings.provider,
): PaymentProvider | null {
  const { plain, secrets } = settings
  if (name === 'pix')
    return plain.pixKey && plain.pixName && plain.pixCity
      ? makeStaticPixProvider({ key: plain.pixKey, name: plain.pixName, city: plain.pixCity })
      : null
  if (name === 'asaas')
    return secrets.asaasToken ? makeAsaasProvider({ token: secrets.asaasToken, sandbox: plain.asaasSandbox }) : null
  if (!hasEfiCredentials(settings)) return null
  return makeEfiProvider({
    id: secrets.efiClient,
    secret: secrets.efiSecret,
    certificate: secrets.efiCertificate,
    pixKey: plain.efiKey,
    sandbox: plain.efiSandbox,
  })
}

/** Whether some company has no way to pay: Pix is for reais, and the operator's instructions are for every currency. */
export async function isPaymentMissing(scope: Scope): Promise<boolean> {
  const settings = await loadMoneySettings(scope)
  if (settings.plain.paymentInstructions) return false
  if (!makeProvider(settings)) return true
  const foreign = await scope.db
    .selectFrom('companies')
    .select('id')
    .where('currency', '!=', pixCurrency)
    .where('platform', '=', false)
    .limit(1)
    .executeTakeFirst()
  return foreign !== undefined
}

export const paymentWebhookUrl = (scope: Scope, { provider, secrets }: StoredMoneySettings): string =>
  `${scope.deps.publicUrl}/subscription/webhook/${provider}/${secrets.hookKey}`

export async function presentMoneySettings(scope: Scope): Promise<MoneySettings> {
  const settings = await loadMoneySettings(scope)
  return {
    provider: settings.provider,
    graceDays: await readGraceDays(scope),
    ...settings.plain,
    hasEfi: hasEfiCredentials(settings),
    hasAsaas: Boolean(settings.secrets.asaasToken),
    hook: hasPaymentWebhook[settings.provider] && settings.secrets.hookKey ? paymentWebhookUrl(scope, settings) : null,
  }
}

export async function writeMoneySettings(scope: Scope, body: z.output<typeof MoneySettingsWrite>): Promise<void> {
  const { plain, secrets } = await loadMoneySettings(scope)
  const newSecrets = SecretSettings.partial().parse(body)
  const mergedSecrets = {
    ...secrets,
    ...Object.fromEntries(Object.entries(newSecrets).filter(([, value]) => value)),
    hookKey: secrets.hookKey || randomBytes(24).toString('base64url'),
  }
  await scope.db
    .updateTable('moneySettings')
    .set({
      provider: body.provider,
      plain: JSON.stringify({
        ...PlainSettings.parse(body),
        paymentInstructions: body.paymentInstructions ?? plain.paymentInstructions,
        pixKey: normalizePixKey(body.pixKey) ?? '',
        efiKey: normalizePixKey(body.efiKey) ?? '',
      }),
      sealed: scope.deps.vault.seal(JSON.stringify(mergedSecrets)),
    })
    .execute()
  await writeGraceDays(scope, body.graceDays)
}
