/** Elements left out of a picture, such as buttons that are useful only on the screen. */
const skippedSelector = '[data-no-picture], .rc-sr'
const pixelDensity = 2

/** CSS values such as `none` and `normal` are not lengths and count as 0. */
const px = (value: string): number => Number.parseFloat(value) || 0
const isVisibleColor = (color: string) => color !== 'transparent' && !/,\s*0\)$/.test(color)

type Painter = { ctx: CanvasRenderingContext2D; x: number; y: number }

function paintBox({ ctx, x, y }: Painter, rect: DOMRect, style: CSSStyleDeclaration): void {
  const [at, top] = [rect.left - x, rect.top - y]
  const radii = [
    style.borderTopLeftRadius,
    style.borderTopRightRadius,
    style.borderBottomRightRadius,
    style.borderBottomLeftRadius,
  ].map(px)
  if (isVisibleColor(style.backgroundColor)) {
    ctx.fillStyle = style.backgroundColor
    ctx.beginPath()
    ctx.roundRect(at, top, rect.width, rect.height, radii)
    ctx.fill()
  }
  // A border on all sides is drawn as one stroke with rounded corners.
  const sides = [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].map(px)
  const [width = 0] = sides
  if (width && sides.every((side) => side === width) && style.borderTopStyle !== 'none') {
    ctx.strokeStyle = style.borderTopColor
    ctx.lineWidth = width
    ctx.setLineDash(style.borderTopStyle === 'dashed' ? [4, 3] : [])
    ctx.beginPath()
    const inner = [rect.width - width, rect.height - width].map((side) => Math.max(0, side)) as [number, number]
    ctx.roundRect(at + width / 2, top + width / 2, ...inner, radii)
    ctx.stroke()
    return
  }
  const line = (width: string, kind: string, color: string, from: [number, number], to: [number, number]) => {
    if (!px(width) || kind === 'none' || !isVisibleColor(color)) return
    ctx.strokeStyle = color
    ctx.lineWidth = px(width)
    ctx.setLineDash(kind === 'dashed' ? [4, 3] : [])
    ctx.beginPath()
    ctx.moveTo(...from)
    ctx.lineTo(...to)
    ctx.stroke()
  }
  const [end, bottom] = [at + rect.width, top + rect.height]
  line(style.borderTopWidth, style.borderTopStyle, style.borderTopColor, [at, top], [end, top])
  line(style.borderBottomWidth, style.borderBottomStyle, style.borderBottomColor, [at, bottom], [end, bottom])
  line(style.borderLeftWidth, style.borderLeftStyle, style.borderLeftColor, [at, top], [at, bottom])
  line(style.borderRightWidth, style.borderRightStyle, style.borderRightColor, [end, top], [end, bottom])
}

/**
 * Text is painted word by word, so that it wraps as on the screen. Tabular figures are painted character by character,
 * because a canvas does not support digits of equal width.
 */
function paintText({ ctx, x, y }: Painter, node: Text, style: CSSStyleDeclaration): void {
  ctx.fillStyle = style.color
  ctx.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`
  ctx.textBaseline = 'middle'
  ctx.letterSpacing = px(style.letterSpacing) ? style.letterSpacing : '0px'
  const range = document.createRange()
  const pieces = style.fontVariantNumeric.includes('tabular-nums') ? /\d|[^\s\d]+/g : /\S+/g
  for (const { index, 0: piece } of node.data.matchAll(pieces)) {
    range.setStart(node, index)
    range.setEnd(node, index + piece.length)
    const rect = range.getBoundingClientRect()
    // The digit is centered in its cell: a proportional digit takes the position of a tabular digit.
    const free = /^\d$/.test(piece) ? (rect.width - ctx.measureText(piece).width) / 2 : 0
    if (rect.width) ctx.fillText(piece, rect.left - x + free, rect.top - y + rect.height / 2 + 1)
  }
}

const copiedSvgStyles = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'opacity',
  'font',
] as const
/** Paints an SVG with its computed styles inlined: outside the page it has none of the page's styles. */
async function paintSvg({ ctx, x, y }: Painter, svg: SVGSVGElement): Promise<void> {
  const rect = svg.getBoundingClientRect()
  if (!rect.width || !rect.height) return
  const copy = svg.cloneNode(true) as SVGSVGElement
  const pairs = [svg, ...svg.querySelectorAll('*')].map(
    (one, n) => [one, [copy, ...copy.querySelectorAll('*')][n]] as const,
  )
  for (const [one, twin] of pairs) {
    const style = getComputedStyle(one)
    for (const name of copiedSvgStyles) (twin as SVGElement).style.setProperty(name, style.getPropertyValue(name))
  }
  copy.setAttribute('width', String(rect.width))
  copy.setAttribute('height', String(rect.height))
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const image = new Image()
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`
  await image.decode()
  ctx.drawImage(image, rect.left - x, rect.top - y, rect.width, rect.height)
}

async function paintElement(painter: Painter, element: Element): Promise<void> {
  if (element.matches(skippedSelector)) return
  const style = getComputedStyle(element)
  if (style.display === 'none' || style.visibility === 'hidden' || style.opacity === '0') return
  const rect = element.getBoundingClientRect()
  if (element instanceof SVGSVGElement) return paintSvg(painter, element)
  painter.ctx.save()
  paintBox(painter, rect, style)
  const before = getComputedStyle(element, '::before')
  // `::before` boxes, such as the dots of legends, are painted to the left of their element.
  if (
    before.content !== 'none' &&
    px(before.width) &&
    (isVisibleColor(before.backgroundColor) || px(before.borderTopWidth))
  ) {
    const [width, height] = [px(before.width), px(before.height)]
    paintBox(painter, new DOMRect(rect.left, rect.top + (rect.height - height) / 2, width, height), before)
  }
  if (style.overflow !== 'visible') {
    painter.ctx.beginPath()
    painter.ctx.rect(rect.left - painter.x, rect.top - painter.y, rect.width, rect.height)
    painter.ctx.clip()
  }
  for (const child of element.childNodes) {
    if (child instanceof Text) paintText(painter, child, style)
    else if (child instanceof Element) await paintElement(painter, child)
  }
  painter.ctx.restore()
}

/** Renders a part of the page as it looks now, at double resolution: boxes, text and drawings one by one. */
export async function renderElementToPng(element: HTMLElement): Promise<Blob> {
  const rect = element.getBoundingClientRect()
  const canvas = document.createElement('canvas')
  canvas.width = Math.ceil(rect.width * pixelDensity)
  canvas.height = Math.ceil(rect.height * pixelDensity)
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D
  ctx.scale(pixelDensity, pixelDensity)
  await paintElement({ ctx, x: rect.left, y: rect.top }, element)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture came of it'))), 'image/png'),
  )
}
