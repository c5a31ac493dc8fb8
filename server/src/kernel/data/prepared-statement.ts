/** A statement that is prepared under its name. */
export type PreparedStatement = { name: string; text: string; values: unknown[] }
