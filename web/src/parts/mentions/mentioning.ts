import { fold } from '@recado/contract/words/fold'

export type Named = { id: number; name: string }

/** Names are shorter; what stands further back is no name that is being typed. */
const far = 60
const typed = /(?<![\p{L}\p{N}])@([^\s@]{0,40}(?: [^\s@]{1,40})?)$/u

/** What is being typed after an `@`, from there to the cursor. */
export function askedAt(text: string, caret: number): { from: number; query: string } | null {
  const before = text.slice(Math.max(0, caret - far), caret)
  const query = typed.exec(before)?.[1]
  return query === undefined ? null : { from: caret - query.length - 1, query }
}

/** Whose name, or a word of it, begins so. */
export function peopleFor(people: Named[], query: string): Named[] {
  const wanted = fold(query)
  return people.filter(({ name }) => {
    const folded = fold(name)
    return folded.startsWith(wanted) || folded.includes(` ${wanted}`)
  })
}

type Part = string | { named: Named }

/** A text with the names it calls somebody by. Of two that begin alike the longer is meant. */
export function namedIn(text: string, people: Named[]): Part[] {
  const known = people.filter(({ name }) => name !== '').toSorted((a, b) => b.name.length - a.name.length)
  const parts: Part[] = []
  let at = 0
  for (let i = text.indexOf('@'); i >= 0; i = text.indexOf('@', i + 1)) {
    const named = isLetter(text[i - 1]) ? undefined : known.find(({ name }) => isThere(text, i + 1, name))
    if (!named || i < at) continue
    if (i > at) parts.push(text.slice(at, i))
    parts.push({ named })
    at = i + 1 + named.name.length
  }
  if (at < text.length) parts.push(text.slice(at))
  return parts
}

const isThere = (text: string, at: number, name: string) =>
  text.startsWith(name, at) && !isLetter(text[at + name.length])
const isLetter = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{N}]/u.test(sign)

/** Whom a note is going to tell. */
export const mentionedIn = (text: string, people: Named[]): number[] => [
  ...new Set(namedIn(text, people).flatMap((part) => (typeof part === 'string' ? [] : [part.named.id]))),
]
