/** A line that somebody runs: who, how heavy it is, and who asked for it. */
export type LeasedLine = { id: number; holder: string; load: number; wantedBy: string | null }

/**
 * How heavy a line is. One that stands idle costs memory and a keep-alive, as much of a process as one event a second
 * costs of its time (docs/scale.md): so it counts one, and one more for each event a second.
 */
export const estimateLineLoad = (perSecond: number): number => 1 + perSecond

/** So far apart two processes may be: what is moved for less would be moved back again by the next busy minute. */
const allowedImbalance = (heavier: number): number => Math.max(1.5, 0.15 * heavier)

/** So many lines are on their way at once: each is silent for a moment, and vendors see it come anew. */
export const maxMovesAtOnce = (lines: number): number => Math.max(2, Math.ceil(lines / 20))

function loadPerHolder(held: LeasedLine[], me: string, holderOf: (line: LeasedLine) => string): Map<string, number> {
  const loads = new Map([[me, 0]])
  for (const line of held) loads.set(holderOf(line), (loads.get(holderOf(line)) ?? 0) + line.load)
  return loads
}
const findHeaviest = (loads: Map<string, number>): [holder: string, load: number] =>
  [...loads].reduce((most, one) => (one[1] > most[1] ? one : most))

/** Which lines of others this process should ask for, the heaviest that make it more even: fewer have to move. */
export function chooseLinesToRequest(me: string, held: LeasedLine[]): number[] {
  // Those on their way count as ours already.
  const loads = loadPerHolder(held, me, (line) => line.wantedBy ?? line.holder)
  const pending = held.filter((line) => line.wantedBy === me).length
  const wished: number[] = []
  while (pending + wished.length < maxMovesAtOnce(held.length)) {
    const [holder, load] = findHeaviest(loads)
    const ours = loads.get(me) ?? 0
    if (holder === me || load - ours <= allowedImbalance(load)) break
    const line = held
      .filter(
        (one) => one.holder === holder && !one.wantedBy && !wished.includes(one.id) && one.load <= (load - ours) / 2,
      )
      .reduce<LeasedLine | null>((most, one) => (!most || one.load > most.load ? one : most), null)
    if (!line) break
    wished.push(line.id)
    loads.set(holder, load - line.load)
    loads.set(me, ours + line.load)
  }
  return wished
}

/** Of our lines that others ask for, those we let go, and those we do not: by now it would be less even than before. */
export function chooseLinesToHandOver(me: string, held: LeasedLine[]): { given: number[]; kept: number[] } {
  const loads = loadPerHolder(held, me, (line) => line.holder)
  const given: number[] = []
  const kept: number[] = []
  for (const line of held) {
    if (line.holder !== me || !line.wantedBy) continue
    const [ours, theirs] = [loads.get(me) ?? 0, loads.get(line.wantedBy) ?? 0]
    if (ours - line.load < theirs) {
      kept.push(line.id)
      continue
    }
    if (given.length >= maxMovesAtOnce(held.length)) continue
    given.push(line.id)
    loads.set(me, ours - line.load)
    loads.set(line.wantedBy, theirs + line.load)
  }
  return { given, kept }
}

/**
 * Of free lines, so many as are our part of all. The rest is for the others who live: whoever looks first would take
 * everything, and most of it would move a second time.
 */
export function fairShareOfFreeLines(me: string, held: LeasedLine[], free: number): number {
  const living = new Set([me, ...held.map((line) => line.holder)]).size
  const ours = held.filter((line) => line.holder === me).length
  return Math.max(0, Math.ceil((held.length + free) / living) - ours)
}
