import type { OutboundMessage } from '../line.ts'

type Choices = NonNullable<OutboundMessage['choices']>

/** Meta's limits. Beyond them the menu goes out as text, where the customer types the number. */
const mostButtons = 3
const mostRows = 10
const buttonTitle = 20
const rowTitle = 24
const rowDescription = 72
const buttonsBody = 1024
const listBody = 4096

const length = (text: string) => [...text].length
const cut = (text: string, most: number) => [...text].slice(0, most).join('')

/**
 * A menu as buttons, or as a list that opens. Its options carry the number that a customer would have typed. Null: it
 * does not fit, or two of its options would look the same.
 */
export function interactiveOf({ text, button, options }: Choices): object | null {
  const body = text.trim()
  if (!body || !options.length || new Set(options.map((o) => o.key)).size < options.length) return null
  const titles = options.map((o) => o.title.trim())
  if (titles.some((title) => !title)) return null
  const short = titles.every((title) => length(title) <= buttonTitle)
  if (options.length <= mostButtons && short && distinct(titles) && length(body) <= buttonsBody) {
    const buttons = options.map((o, n) => ({ type: 'reply', reply: { id: o.key, title: titles[n] } }))
    return { type: 'button', body: { text: body }, action: { buttons } }
  }
  if (options.length > mostRows || length(body) > listBody) return null
  if (titles.some((title) => length(title) > rowDescription)) return null
  const rows = options.map((o, n) => rowOf(o.key, titles[n] as string))
  if (!distinct(rows.map((row) => row.title))) return null
  const label = cut(button.trim() || '☰', buttonTitle)
  return { type: 'list', body: { text: body }, action: { button: label, sections: [{ rows }] } }
}

const distinct = (titles: string[]): boolean => new Set(titles).size === titles.length

/** A long title stands whole in the line below it. */
function rowOf(id: string, title: string): { id: string; title: string; description?: string } {
  if (length(title) <= rowTitle) return { id, title }
  return { id, title: `${cut(title, rowTitle - 1).trimEnd()}…`, description: title }
}
