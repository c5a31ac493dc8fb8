import { settingDefinitions } from '@recado/contract/settings'

/** A table with encrypted columns. If a signature of a column is stored for lookups, it is renewed with the column. */
export type SealedColumns = {
  table: string
  columns: string[]
  /** Which rows are re-encrypted; default: all. */
  where?: string
  mark?: { column: string; of: string; use: string }
  /** The columns are documents of flows, in which the headers of calls are encrypted. */
  isFlow?: true
}

const secretSettings = Object.entries(settingDefinitions).flatMap(([key, kind]) =>
  'secret' in kind ? [`'${key}'`] : [],
)

/**
 * Everything that is stored encrypted, except in waiting jobs (`sealed` in their payload). `reseal.test.ts` reads the
 * sources and the tables, and fails if something encrypted is missing in this list.
 */
export const sealedColumns: SealedColumns[] = [
  { table: 'secondFactors', columns: ['secretSealed'] },
  { table: 'linkedKeys', columns: ['value'] },
  { table: 'cloudLines', columns: ['accessTokenSealed', 'appSecretSealed', 'verifyTokenSealed'] },
  { table: 'lineSignups', columns: ['accessTokenSealed'] },
  { table: 'linePasskeys', columns: ['assertionSealed'] },
  {
    table: 'whatsapps',
    columns: ['tokenSealed'],
    mark: { column: 'tokenHash', of: 'tokenSealed', use: 'line-token' },
  },
  { table: 'prompts', columns: ['apiKeySealed'] },
  { table: 'queueIntegrations', columns: ['jsonSealed', 'secretSealed'] },
  { table: 'webhooks', columns: ['secretSealed', 'previousSealed'] },
  { table: 'flows', columns: ['draft'], isFlow: true },
  { table: 'flowVersions', columns: ['document'], isFlow: true },
  { table: 'moneySettings', columns: ['sealed'] },
  { table: 'platformSecrets', columns: ['sealed'], where: `name <> 'marks'` },
  { table: 'settings', columns: ['value'], where: `key in (${secretSettings.join(', ')})` },
]
