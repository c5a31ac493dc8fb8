/** What a column of a sheet of people may hold. */
export const targets = ['name', 'number', 'email'] as const
export type Target = (typeof targets)[number]
