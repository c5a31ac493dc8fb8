import type { ColumnType, Generated } from 'kysely'

/** Timestamps are read as ISO text; both text and Date can be written. */
export type TimestampColumn = ColumnType<string, string | Date | undefined, string | Date>
export type NullableTimestampColumn = ColumnType<string | null, string | Date | null | undefined, string | Date | null>

/** A row of one company. */
export type TenantColumns = { id: Generated<number>; companyId: number }

/** Every table. The layer that owns a table adds it in its own `tables.ts` (`declare module`); app.ts imports them all. */
export interface DB {
  platformSecrets: { name: string; sealed: string }
}
