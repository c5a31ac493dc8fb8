/** A statement that is kept prepared under its name. */
export type PreparedStatement = { name: string; text: string; values: unknown[] }
