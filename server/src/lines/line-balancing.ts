/** A running line: its holder, its load, and the process that requested it. */
export type LeasedLine = { id: number; holder: string; load: number; wantedBy: string | null }

/**
 * The load of a line. An idle line costs memory and a keep-alive, about as much as one event a second costs in CPU time
 * (docs/scale.md): so it counts as one, plus one for each event a second.
 */
export const estimateLineLoad = (perSecond: number): number => 1 + perSecond

/** The tolerated difference in load: a line moved for a smaller difference would move back in the next busy minute. */
const allowedImbalance = (heavier: number): number => Math.max(1.5, 0.15 * heavier)

/**
 * The maximum number of lines that move at once: a moving line is offline for a moment, and its vendor sees a new
 * connection.
 */
export const maxMovesAtOnce = (lines: number): number => Math.max(2, Math.ceil(lines / 20))

function loadPerHolder(
  leased: LeasedLine[],
  holder: string,
  holderOf: (line: LeasedLine) => string,
): Map<string, number> {
  const loads = new Map([[holder, 0]])
  for (const line of leased) loads.set(holderOf(line), (loads.get(holderOf(line)) ?? 0) + line.load)
  return loads
}
const findHeaviest = (loads: Map<string, number>): [holder: string, load: number] =>
  [...loads].reduce((heaviest, one) => (one[1] > heaviest[1] ? one : heaviest))

/**
 * Chooses the lines that this process should request: the heaviest that improve the balance, so that fewer have to
 * move.
 */
export function chooseLinesToRequest(me: string, leased: LeasedLine[]): number[] {
  // Requested lines already count as ours.
  const loads = loadPerHolder(leased, me, (line) => line.wantedBy ?? line.holder)
  const pending = leased.filter((line) => line.wantedBy === me).length
  const requested: number[] = []
  while (pending + requested.length < maxMovesAtOnce(leased.length)) {
    const [holder, load] = findHeaviest(loads)
    const ours = loads.get(me) ?? 0
    if (holder === me || load - ours <= allowedImbalance(load)) break
    const line = leased
      .filter(
        (one) => one.holder === holder && !one.wantedBy && !requested.includes(one.id) && one.load <= (load - ours) / 2,
      )
      .reduce<LeasedLine | null>((heaviest, one) => (!heaviest || one.load > heaviest.load ? one : heaviest), null)
    if (!line) break
    requested.push(line.id)
    loads.set(holder, load - line.load)
    loads.set(me, ours + line.load)
  }
  return requested
}

/**
 * Divides our lines that others request: those to hand over, and those to keep because moving them would worsen the
 * balance.
 */
export function chooseLinesToHandOver(
  holder: string,
  leased: LeasedLine[],
): { toHandOver: number[]; toKeep: number[] } {
  const loads = loadPerHolder(leased, holder, (line) => line.holder)
  const toHandOver: number[] = []
  const toKeep: number[] = []
  for (const line of leased) {
    if (line.holder !== holder || !line.wantedBy) continue
    const [ours, theirs] = [loads.get(holder) ?? 0, loads.get(line.wantedBy) ?? 0]
    if (ours - line.load < theirs) {
      toKeep.push(line.id)
      continue
    }
    if (toHandOver.length >= maxMovesAtOnce(leased.length)) continue
    toHandOver.push(line.id)
    loads.set(holder, ours - line.load)
    loads.set(line.wantedBy, theirs + line.load)
  }
  return { toHandOver: toHandOver, toKeep: toKeep }
}

/**
 * Our share of the free lines. The rest is for the other live processes: otherwise the first process that polls would take
 * all of them, and most would move a second time.
 */
export function fairShareOfFreeLines(holder: string, leased: LeasedLine[], free: number): number {
  const living = new Set([holder, ...leased.map((line) => line.holder)]).size
  const ours = leased.filter((line) => line.holder === holder).length
  return Math.max(0, Math.ceil((leased.length + free) / living) - ours)
}
