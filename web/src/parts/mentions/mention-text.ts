import { fold } from '@recado/contract/text/fold'

/** `byNote`: the person does not see the ticket, and the mention lets them read it. */
export type MentionPerson = { id: number; name: string; byNote?: boolean }

/** Maximum length of a mention query. Names are shorter, so an @ further back is not being completed. */
const maxMentionLength = 60
const mentionPattern = /(?<![\p{L}\p{N}])@([^\s@]{0,40}(?: [^\s@]{1,40})?)$/u

/** The text between an `@` and the cursor. */
export function findMentionQuery(text: string, caret: number): { from: number; query: string } | null {
  const before = text.slice(Math.max(0, caret - maxMentionLength), caret)
  const query = mentionPattern.exec(before)?.[1]
  return query === undefined ? null : { from: caret - query.length - 1, query }
}

/** People whose name, or a word of it, starts with the query. */
export function filterPeople(people: MentionPerson[], query: string): MentionPerson[] {
  const wanted = fold(query)
  return people.filter(({ name }) => {
    const folded = fold(name)
    return folded.startsWith(wanted) || folded.includes(` ${wanted}`)
  })
}

type TextPart = string | { person: MentionPerson }

/** Splits a text into parts at mentioned names. Of two names with the same beginning the longer name is used. */
export function splitMentions(text: string, people: MentionPerson[]): TextPart[] {
  const known = people.filter(({ name }) => name !== '').toSorted((a, b) => b.name.length - a.name.length)
  const parts: TextPart[] = []
  let at = 0
  for (let i = text.indexOf('@'); i >= 0; i = text.indexOf('@', i + 1)) {
    const named = isLetter(text[i - 1]) ? undefined : known.find(({ name }) => isNameAt(text, i + 1, name))
    if (!named || i < at) continue
    if (i > at) parts.push(text.slice(at, i))
    parts.push({ person: named })
    at = i + 1 + named.name.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

const isNameAt = (text: string, at: number, name: string) =>
  text.startsWith(name, at) && !isLetter(text[at + name.length])
const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/** The users a note will notify. */
export const findMentionedIds = (text: string, people: MentionPerson[]): number[] => [
  ...new Set(splitMentions(text, people).flatMap((part) => (typeof part === 'string' ? [] : [part.person.id]))),
]
