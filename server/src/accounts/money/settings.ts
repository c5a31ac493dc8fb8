import { randomBytes } from 'node:crypto'
import { type ProviderName, tellsUs } from '@recado/contract/money/invoices'
import type { MoneySettings, MoneySettingsWrite } from '@recado/contract/money/platform'
import { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'
import { readGrace, writeGrace } from '../platform/grace.ts'
import { asaas } from './asaas.ts'
import { efi } from './efi.ts'
import type { Provider } from './provider.ts'
import { staticPix } from './static-pix.ts'

const Plain = z.object({
  pixKey: z.string().default(''),
  pixName: z.string().default(''),
  pixCity: z.string().default(''),
  efiKey: z.string().default(''),
  efiSandbox: z.boolean().default(false),
  asaasSandbox: z.boolean().default(false),
})
const Secrets = z.object({
  efiClient: z.string().default(''),
  efiSecret: z.string().default(''),
  efiCertificate: z.string().default(''),
  asaasToken: z.string().default(''),
  /** In the address that providers call: who does not know it is not heard. */
  hookKey: z.string().default(''),
})
type Kept = { provider: ProviderName; plain: z.infer<typeof Plain>; secrets: z.infer<typeof Secrets> }

/** How the platform is paid. A wide scope only: no company may look. */
export async function moneySettings(scope: Scope): Promise<Kept> {
  const row = await scope.db.selectFrom('moneySettings').selectAll().executeTakeFirstOrThrow()
  const opened = row.sealed ? JSON.parse(scope.means.vault.open(row.sealed)) : {}
  return { provider: row.provider, plain: Plain.parse(row.plain), secrets: Secrets.parse(opened) }
}

export const hasEfi = ({ plain, secrets }: Kept): boolean =>
  Boolean(plain.efiKey && secrets.efiClient && secrets.efiSecret && secrets.efiCertificate)

/** A provider that can be used, or null where something is missing. */
export function providerOf(kept: Kept, name: ProviderName = kept.provider): Provider | null {
  const { plain, secrets } = kept
  if (name === 'pix')
    return plain.pixKey && plain.pixName && plain.pixCity
      ? staticPix({ key: plain.pixKey, name: plain.pixName, city: plain.pixCity })
      : null
  if (name === 'asaas')
    return secrets.asaasToken ? asaas({ token: secrets.asaasToken, sandbox: plain.asaasSandbox }) : null
  if (!hasEfi(kept)) return null
  return efi({
    id: secrets.efiClient,
    secret: secrets.efiSecret,
    certificate: secrets.efiCertificate,
    pixKey: plain.efiKey,
    sandbox: plain.efiSandbox,
  })
}

export const hookOf = (scope: Scope, { provider, secrets }: Kept): string =>
  `${scope.means.publicUrl}/subscription/webhook/${provider}/${secrets.hookKey}`

export async function showMoneySettings(scope: Scope): Promise<MoneySettings> {
  const kept = await moneySettings(scope)
  return {
    provider: kept.provider,
    graceDays: await readGrace(scope),
    ...kept.plain,
    hasEfi: hasEfi(kept),
    hasAsaas: Boolean(kept.secrets.asaasToken),
    hook: tellsUs[kept.provider] && kept.secrets.hookKey ? hookOf(scope, kept) : null,
  }
}

export async function writeMoneySettings(scope: Scope, body: z.output<typeof MoneySettingsWrite>): Promise<void> {
  const { secrets } = await moneySettings(scope)
  const given = Secrets.partial().parse(body)
  const next = {
    ...secrets,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value)),
    hookKey: secrets.hookKey || randomBytes(24).toString('base64url'),
  }
  await scope.db
    .updateTable('moneySettings')
    .set({
      provider: body.provider,
      plain: JSON.stringify(Plain.parse(body)),
      sealed: scope.means.vault.seal(JSON.stringify(next)),
    })
    .execute()
  await writeGrace(scope, body.graceDays)
}
