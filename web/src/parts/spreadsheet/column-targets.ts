/** The fields to which a column of people data can be assigned. */
export const columnTargets = ['name', 'number', 'email'] as const
export type ColumnTarget = (typeof columnTargets)[number]
