import type { ColumnType, Generated } from 'kysely'

/** Moments leave the database as ISO text; both text and Date go in. */
export type TimestampColumn = ColumnType<string, string | Date | undefined, string | Date>
export type NullableTimestampColumn = ColumnType<string | null, string | Date | null | undefined, string | Date | null>

/** A row of one company. */
export type TenantColumns = { id: Generated<number>; companyId: number }

/** Every table. The floor that owns one adds it here, in its own `tables.ts` (`declare module`); app.ts names them all. */
export interface DB {
  platformSecrets: { name: string; sealed: string }
}
