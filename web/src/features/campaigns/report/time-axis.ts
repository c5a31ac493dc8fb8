type TimeSpan = { from: number; until: number }
type AxisPiece = TimeSpan & { isOpen: boolean; x: number; width: number }

/** The width of a closed period of any length; all closed periods together take at most a quarter of the axis. */
const maxGapWidth = 10
const maxGapsShare = 0.25

/**
 * A time axis without the nights: closed periods are drawn narrow. Everything stays in order, including events
 * in a closed period.
 */
export function createTimeAxis(open: TimeSpan[], wholeSpan: TimeSpan, width: number) {
  const pieces: AxisPiece[] = []
  let at = wholeSpan.from
  const add = (until: number, isOpen: boolean) => {
    if (until > at) pieces.push({ from: at, until, isOpen: isOpen, x: 0, width: 0 })
    at = Math.max(at, until)
  }
  for (const { from, until } of open) {
    add(Math.min(from, wholeSpan.until), false)
    add(Math.min(until, wholeSpan.until), true)
  }
  // Without any open period nothing is compressed.
  add(wholeSpan.until, !pieces.some((one) => one.isOpen))
  const closed = pieces.filter((one) => !one.isOpen)
  const each = Math.min(maxGapWidth, closed.length ? (width * maxGapsShare) / closed.length : 0)
  const lasting = pieces.filter((one) => one.isOpen).reduce((sum, one) => sum + one.until - one.from, 0)
  let x = 0
  for (const one of pieces) {
    one.x = x
    one.width = one.isOpen ? ((one.until - one.from) / Math.max(1, lasting)) * (width - closed.length * each) : each
    x += one.width
  }
  const xOf = (moment: number): number => {
    const piece = pieces.find((one) => moment <= one.until) ?? pieces.at(-1)
    if (!piece) return 0
    const share = (moment - piece.from) / Math.max(1, piece.until - piece.from)
    return piece.x + Math.min(1, Math.max(0, share)) * piece.width
  }
  const momentAt = (place: number): number => {
    const piece = pieces.find((one) => place <= one.x + one.width) ?? pieces.at(-1)
    if (!piece) return wholeSpan.from
    return piece.from + ((place - piece.x) / Math.max(1e-9, piece.width)) * (piece.until - piece.from)
  }
  return { xOf, momentAt, gaps: closed, open: pieces.filter((one) => one.isOpen) }
}
export type TimeAxis = ReturnType<typeof createTimeAxis>
