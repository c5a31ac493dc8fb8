/** A statement that is kept prepared under its name. */
export type Statement = { name: string; text: string; values: unknown[] }
