import { settingDefinitions } from '@recado/contract/settings'

/** A table with sealed words in it. Where one of them is also kept as a mark, to be found by it, that is made anew with it. */
export type SealedColumns = {
  table: string
  columns: string[]
  /** Of which rows; all, if nothing is said. */
  where?: string
  mark?: { column: string; of: string; use: string }
}

const secretSettings = Object.entries(settingDefinitions).flatMap(([key, kind]) =>
  'secret' in kind ? [`'${key}'`] : [],
)

/**
 * Everything that the house keeps sealed, beside jobs that wait (`sealed` in what they carry). `reseal.test.ts` reads the
 * sources and the tables, and fails where something is sealed that is not here.
 */
export const sealedColumns: SealedColumns[] = [
  { table: 'secondFactors', columns: ['secretSealed'] },
  { table: 'linkedKeys', columns: ['value'] },
  { table: 'cloudLines', columns: ['accessTokenSealed', 'appSecretSealed', 'verifyTokenSealed'] },
  {
    table: 'whatsapps',
    columns: ['tokenSealed'],
    mark: { column: 'tokenHash', of: 'tokenSealed', use: 'line-token' },
  },
  { table: 'prompts', columns: ['apiKeySealed'] },
  { table: 'queueIntegrations', columns: ['jsonSealed', 'secretSealed'] },
  { table: 'webhooks', columns: ['secretSealed', 'previousSealed'] },
  { table: 'moneySettings', columns: ['sealed'] },
  { table: 'platformSecrets', columns: ['sealed'], where: `name <> 'marks'` },
  { table: 'settings', columns: ['value'], where: `key in (${secretSettings.join(', ')})` },
]
