import type { ChatId } from '../../lines/line.ts'

type Known = { number: string; isGroup: boolean; identities: { kind: string; value: string }[] }

/** Where to write to somebody: the group, the number, or, while that is unknown, the hidden id. */
export function chatOf(contact: Known): ChatId {
  const value = (kind: string) => contact.identities.find((i) => i.kind === kind)?.value
  if (contact.isGroup) return `${value('group') ?? contact.number}@g.us`
  if (contact.number) return `${contact.number}@s.whatsapp.net`
  return `${value('lid') ?? value('cloud') ?? ''}@lid`
}
