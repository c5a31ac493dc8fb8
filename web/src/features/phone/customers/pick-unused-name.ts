/** A name that no customer has; when all are in use, one with a number behind it. */
export function pickUnusedName(names: readonly string[], taken: readonly string[], random = Math.random()): string {
  const used = new Set(taken)
  const free = names.filter((name) => !used.has(name))
  if (free.length > 0) return free[Math.floor(random * free.length)] ?? ''
  const base = names[Math.floor(random * names.length)] ?? ''
  for (let n = 2; ; n++) if (!used.has(`${base} ${n}`)) return `${base} ${n}`
}
