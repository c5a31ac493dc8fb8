type Named = { id: number; name: string }

/** Records as a select takes them. */
export const optionsOf = (all: readonly Named[]): { value: string; label: string }[] =>
  all.map(({ id, name }) => ({ value: String(id), label: name }))
