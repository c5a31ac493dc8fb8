/** Returns the ids with `id` moved to the index `to`. */
export function moveIdTo(ids: readonly number[], id: number, to: number): number[] {
  const others = ids.filter((one) => one !== id)
  const place = Math.max(0, Math.min(to, others.length))
  return others.toSpliced(place, 0, id)
}

/** Moves an id before or after another. */
export function moveIdBeside(ids: readonly number[], id: number, other: number, after: boolean): number[] {
  if (id === other) return [...ids]
  const others = ids.filter((one) => one !== id)
  return moveIdTo(ids, id, others.indexOf(other) + (after ? 1 : 0))
}
