/** Trailing punctuation does not belong to the URL before it. */
const trailingPunctuation = new Set(".,;:!?)]}'*_~")

/** A URL in a text, up to a length that real ones rarely exceed. */
const linkPattern = /\b(?:https?:\/\/|www\.)[^\s<>"]{1,2000}/

/** The link at the beginning of a text without spaces: its address with the protocol, and the part that is the link. */
export function trimLink(whole: string): { link: string; text: string } | null {
  let end = whole.length
  while (trailingPunctuation.has(whole[end - 1] ?? '')) end--
  const text = whole.slice(0, end)
  const link = text.startsWith('www.') ? `https://${text}` : text
  return URL.canParse(link) ? { link, text } : null
}

/** The first link to a web page in a text, with its protocol. */
export function findFirstLink(text: string): string | null {
  const whole = linkPattern.exec(text)?.[0]
  return whole ? (trimLink(whole)?.link ?? null) : null
}
