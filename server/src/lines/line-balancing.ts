/** A running line: its holder, its load, and who requested it. */
export type LeasedLine = { id: number; holder: string; load: number; wantedBy: string | null }

/**
 * The load of a line. An idle one costs memory and a keep-alive, about as much as one event a second costs in CPU
 * time (docs/scale.md): so it counts one, plus one for each event a second.
 */
export const estimateLineLoad = (perSecond: number): number => 1 + perSecond

/** The tolerated difference: a line moved for less would be moved back in the next busy minute. */
const allowedImbalance = (heavier: number): number => Math.max(1.5, 0.15 * heavier)

/** How many lines move at once: each is offline for a moment, and vendors see a new connection. */
export const maxMovesAtOnce = (lines: number): number => Math.max(2, Math.ceil(lines / 20))

function loadPerHolder(held: LeasedLine[], me: string, holderOf: (line: LeasedLine) => string): Map<string, number> {
  const loads = new Map([[me, 0]])
  for (const line of held) loads.set(holderOf(line), (loads.get(holderOf(line)) ?? 0) + line.load)
  return loads
}
const findHeaviest = (loads: Map<string, number>): [holder: string, load: number] =>
  [...loads].reduce((most, one) => (one[1] > most[1] ? one : most))

/** Which lines this process should request: the heaviest that improve the balance, so that fewer have to move. */
export function chooseLinesToRequest(me: string, held: LeasedLine[]): number[] {
  // Requested lines already count as ours.
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

/** Of our requested lines, those to give, and those to keep because moving them would worsen the balance by now. */
export function chooseLinesToHandOver(me: string, held: LeasedLine[]): { toHandOver: number[]; toKeep: number[] } {
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
  return { toHandOver: given, toKeep: kept }
}

/**
 * Our share of the free lines. The rest is for the other live processes: the first to look would take everything,
 * and most of it would move a second time.
 */
export function fairShareOfFreeLines(me: string, held: LeasedLine[], free: number): number {
  const living = new Set([me, ...held.map((line) => line.holder)]).size
  const ours = held.filter((line) => line.holder === me).length
  return Math.max(0, Math.ceil((held.length + free) / living) - ours)
}
