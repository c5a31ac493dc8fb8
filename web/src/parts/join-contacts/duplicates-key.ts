/** All queries for likely duplicates; a join changes their results. */
export const duplicatesKey = ['contact-duplicates'] as const
