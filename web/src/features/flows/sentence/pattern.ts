/**
 * Sentences with slots: `[pasan] {minutes} sin respuesta`. What stands in brackets says what kind of sentence it is. The
 * same pattern is drawn as tokens and read out as text.
 */
export type PatternPart = { kind: 'head' | 'text' | 'slot'; text: string }

export const parsePattern = (pattern: string): PatternPart[] =>
  [...pattern.matchAll(/\[([^\]]{1,100})\]|\{(\w{1,40})\}|([^[{]{1,300})/g)].flatMap(
    ([, head, slot, text]): PatternPart[] => {
      if (head !== undefined) return [{ kind: 'head', text: head }]
      if (slot !== undefined) return [{ kind: 'slot', text: slot }]
      return text?.trim() ? [{ kind: 'text', text: text.trim() }] : []
    },
  )

/** What a slot says; a default one is not read out. */
export type SlotText = { text: string; isDefault?: boolean }
export type SlotTexts = Record<string, SlotText>

export function fillPattern(pattern: string, slots: SlotTexts): string {
  const filled = parsePattern(pattern).map(({ kind, text }) => {
    if (kind !== 'slot') return text
    const slot = slots[text]
    return slot && !slot.isDefault ? slot.text : ''
  })
  return filled
    .filter((text) => text !== '')
    .join(' ')
    .replace(/ (?=[,.:;])/g, '')
}

/** `a, b o c`. */
export function joinWith(items: string[], word: string): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} ${word} ${last}`
}
