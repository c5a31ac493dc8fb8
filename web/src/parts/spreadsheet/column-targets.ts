/** What a column of a sheet of people may hold. */
export const columnTargets = ['name', 'number', 'email'] as const
export type ColumnTarget = (typeof columnTargets)[number]
