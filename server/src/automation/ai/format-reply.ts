/**
 * The length of a message that reads well on a phone. A very long answer is split into longer messages instead of more
 * messages.
 */
const preferredPartLength = 1500
const maxPartLength = 4000
const maxParts = 10

/** Converts a model's Markdown to WhatsApp formatting, without its reasoning. */
export function formatForWhatsApp(text: string): string {
  return text
    .slice(0, 2 * maxParts * maxPartLength)
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/g, '')
    .replace(/^#{1,6} +(.+)$/gm, (_, title: string) => `*${title.replaceAll('*', '').trim()}*`)
    .replace(/\*\*([^*\n]{1,500})\*\*/g, '*$1*')
    .replace(/\[([^\][\n]{1,300})\]\((https?:\/\/[^)\s]{1,1000})\)/g, (_, name: string, url: string) =>
      name === url ? url : `${name} (${url})`,
    )
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Where to split a text: after a paragraph, else a sentence, else a row, else a word; at the last break that fits. */
const breakPatterns = [/\n\s*\n/g, /[.!?…。！？](?=\s|$)/g, /\n/g, /\s/g]

function lastMatch(text: string, pattern: RegExp): RegExpMatchArray | undefined {
  let last: RegExpMatchArray | undefined
  for (const match of text.matchAll(pattern)) last = match
  return last
}

/** The longest beginning of a text that fits, split at the best break. */
function cutAtBreak(text: string, chars: number): string {
  if (text.length <= chars) return text
  const room = text.slice(0, chars + 1)
  for (const stop of breakPatterns) {
    const last = lastMatch(room, stop)
    const end = last ? (last.index ?? 0) + last[0].trimEnd().length : 0
    // A split far before the limit would make tiny messages.
    if (end > chars / 3) return room.slice(0, end)
  }
  // The text is one very long word: split it at whole characters, never inside an emoji.
  const characters = [...text.slice(0, chars)]
  if (/[\uD800-\uDBFF]$/.test(text.slice(0, chars))) characters.pop()
  return characters.join('')
}

/** Splits a long answer at sentence ends. Text beyond the maximum number of messages is dropped. */
export function splitIntoMessages(text: string): string[] {
  const chars = text.length > (maxParts - 4) * preferredPartLength ? maxPartLength : preferredPartLength
  const parts: string[] = []
  let rest = text.trim()
  while (rest && parts.length < maxParts) {
    const part = cutAtBreak(rest, chars)
    parts.push(part.trim())
    rest = rest.slice(part.length).trim()
  }
  return parts
}

/** Cuts a truncated answer after its last sentence; else after a whole word, with an ellipsis. */
export function trimToSentence(text: string): string {
  for (let at = text.length - 1; at > text.length / 3; at--)
    if (/[.!?…。！？]/.test(text[at] as string) && (at + 1 === text.length || /\s/.test(text[at + 1] as string)))
      return text.slice(0, at + 1)
  const word = text.lastIndexOf(' ')
  return `${(word > 0 ? text.slice(0, word) : text).trimEnd()}…`
}
