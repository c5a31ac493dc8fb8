/** Cached text widths, in the font of the third text row of a ticket row. */
const cachedWidths = new Map<string, number>()
let canvasContext: CanvasRenderingContext2D | null | undefined
/**
 * Maximum number of cached widths. Recent months have a few hundred tags and queues; more are needed only when a user
 * searches all tickets.
 */
const maxCachedWidths = 5000

export function measureTextWidth(text: string): number {
  const known = cachedWidths.get(text)
  if (known !== undefined) return known
  if (canvasContext === undefined) {
    canvasContext = document.createElement('canvas').getContext('2d')
    if (canvasContext) canvasContext.font = "500 11px 'Figtree Variable', system-ui, sans-serif"
  }
  // Without a canvas the width is estimated with the average width of a letter at this size.
  const width = canvasContext ? Math.ceil(canvasContext.measureText(text).width) : text.length * 6
  if (cachedWidths.size > maxCachedWidths) cachedWidths.clear()
  cachedWidths.set(text, width)
  return width
}
