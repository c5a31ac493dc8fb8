import type { OutboundMessage } from '../line.ts'

type Choices = NonNullable<OutboundMessage['choices']>

/** Meta's limits. Beyond them the menu is sent as text, and the customer types the number. */
const maxButtons = 3
const maxListRows = 10
const maxButtonTitleChars = 20
const maxRowTitleChars = 24
const maxRowDescriptionChars = 72
const maxButtonsBodyChars = 1024
const maxListBodyChars = 4096

const countChars = (text: string) => [...text].length
const truncateChars = (text: string, maxChars: number) => [...text].slice(0, maxChars).join('')

/**
 * A menu as buttons, or as a list that opens. Each option carries the number that a customer would otherwise type. Null:
 * the menu exceeds the limits, or two of its options would look the same.
 */
export function buildInteractive({ text, button, options }: Choices): object | null {
  const body = text.trim()
  if (!body || !options.length || new Set(options.map((o) => o.key)).size < options.length) return null
  const titles = options.map((o) => o.title.trim())
  if (titles.some((title) => !title)) return null
  const fitButtons = options.every((o, n) => !o.description && countChars(titles[n] as string) <= maxButtonTitleChars)
  if (options.length <= maxButtons && fitButtons && areDistinct(titles) && countChars(body) <= maxButtonsBodyChars) {
    const buttons = options.map((o, n) => ({ type: 'reply', reply: { id: o.key, title: titles[n] } }))
    return { type: 'button', body: { text: body }, action: { buttons } }
  }
  if (options.length > maxListRows || countChars(body) > maxListBodyChars) return null
  if (titles.some((title) => countChars(title) > maxRowDescriptionChars)) return null
  const rows = options.map((o, n) => buildListRow(o.key, titles[n] as string, o.description))
  if (!areDistinct(rows.map((row) => row.title))) return null
  const label = truncateChars(button.trim() || '☰', maxButtonTitleChars)
  return { type: 'list', body: { text: body }, action: { button: label, sections: [{ rows }] } }
}

const areDistinct = (titles: string[]): boolean => new Set(titles).size === titles.length

/** A long title is repeated in full as the description. */
function buildListRow(
  id: string,
  title: string,
  description?: string,
): { id: string; title: string; description?: string } {
  if (countChars(title) <= maxRowTitleChars)
    return { id, title, ...(description && { description: truncateChars(description, maxRowDescriptionChars) }) }
  return { id, title: `${truncateChars(title, maxRowTitleChars - 1).trimEnd()}…`, description: title }
}
