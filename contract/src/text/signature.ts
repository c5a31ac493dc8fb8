/** The customer sees the agent's name in bold above an agent's text (wire, section 4.2). Forms end lines with CRLF. */
export function parseSignature(body: string): { name: string; text: string } {
  const match = /^\*([^*\n]{1,80}):\*\r?\n/.exec(body)
  return match ? { name: match[1] ?? '', text: body.slice(match[0].length) } : { name: '', text: body }
}

export const addSignature = (text: string, name: string | null): string => (name ? `*${name}:*\n${text}` : text)
