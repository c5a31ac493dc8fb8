/** Widths of words in the font of the third line of a row; the same words come again and again. */
const widths = new Map<string, number>()
let pen: CanvasRenderingContext2D | null | undefined
/** A list of the last months holds a few hundred tags and queues; beyond that somebody is searching all there is. */
const mostWords = 5000

export function widthOf(text: string): number {
  const known = widths.get(text)
  if (known !== undefined) return known
  if (pen === undefined) {
    pen = document.createElement('canvas').getContext('2d')
    if (pen) pen.font = "500 11px 'Figtree Variable', system-ui, sans-serif"
  }
  // Without a canvas: what a letter of this size takes on average.
  const width = pen ? Math.ceil(pen.measureText(text).width) : text.length * 6
  if (widths.size > mostWords) widths.clear()
  widths.set(text, width)
  return width
}
