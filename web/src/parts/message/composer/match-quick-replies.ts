import type { QuickMessage } from '@recado/contract/quick-messages'
import { fold } from '@recado/contract/text/fold'

/** Truncates a label to 35 characters (spec 2), by grapheme, so that no emoji is cut. */
export function truncateLabel(text: string, most = 35): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  const chars = [...flat]
  return chars.length > most
    ? `${chars
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
    : flat
}

/** Spec 2: the list opens when the text starts with a slash and has more characters. */
export const parseSlashQuery = (text: string): string | null =>
  text.startsWith('/') && text.length > 1 && !text.includes('\n') ? text.slice(1) : null

/**
 * Shortcuts that start with the query, then shortcuts that contain it, then replies by message text: all words, in
 * any order.
 */
export function searchQuickReplies<R extends Pick<QuickMessage, 'shortcode' | 'message'>>(
  replies: R[],
  query: string,
): R[] {
  const wanted = fold(query.trim())
  const each = wanted.split(/\s+/)
  const rank = ({ shortcode, message }: R) => {
    const code = fold(shortcode.replace(/^\//, ''))
    if (code.startsWith(wanted)) return 0
    if (code.includes(wanted)) return 1
    const said = `${code} ${fold(message)}`
    return each.every((word) => said.includes(word)) ? 2 : 3
  }
  return replies
    .map((reply) => ({ reply, rank: rank(reply) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank || a.reply.shortcode.localeCompare(b.reply.shortcode))
    .map(({ reply }) => reply)
}
