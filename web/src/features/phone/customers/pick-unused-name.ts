/**
 * A name that no customer has. When all are in use, a first name with another's last name; when all of those are in use
 * too, one with a number behind it.
 */
export function pickUnusedName(names: readonly string[], taken: readonly string[], random = Math.random()): string {
  const used = new Set(taken)
  const mixed = names.flatMap((first) => names.map((last) => `${first.split(' ')[0]} ${last.split(' ').at(-1)}`))
  for (const choices of [names, mixed]) {
    const free = choices.filter((name) => !used.has(name))
    if (free.length > 0) return free[Math.floor(random * free.length)] ?? ''
  }
  const base = names[Math.floor(random * names.length)] ?? ''
  for (let n = 2; ; n++) if (!used.has(`${base} ${n}`)) return `${base} ${n}`
}
