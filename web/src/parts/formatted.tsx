/** WhatsApp's own marks for bold; the rest of its marks stay as typed. */
export function Formatted({ text }: { text: string }) {
  const parts = text.split(/\*([^*\n]+)\*/)
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
  return parts.map((part, i) => (i % 2 === 1 ? <b key={i}>{part}</b> : part))
}
