/** Widths of words in the font of the third line of a row; the same words come again and again. */
const cachedWidths = new Map<string, number>()
let canvasContext: CanvasRenderingContext2D | null | undefined
/** A list of the last months holds a few hundred tags and queues; beyond that somebody is searching all there is. */
const maxCachedWidths = 5000

export function measureTextWidth(text: string): number {
  const known = cachedWidths.get(text)
  if (known !== undefined) return known
  if (canvasContext === undefined) {
    canvasContext = document.createElement('canvas').getContext('2d')
    if (canvasContext) canvasContext.font = "500 11px 'Figtree Variable', system-ui, sans-serif"
  }
  // Without a canvas: what a letter of this size takes on average.
  const width = canvasContext ? Math.ceil(canvasContext.measureText(text).width) : text.length * 6
  if (cachedWidths.size > maxCachedWidths) cachedWidths.clear()
  cachedWidths.set(text, width)
  return width
}
