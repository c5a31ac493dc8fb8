/** The fields that a column of people data may have. */
export const columnTargets = ['name', 'number', 'email'] as const
export type ColumnTarget = (typeof columnTargets)[number]
