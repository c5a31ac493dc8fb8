/**
 * Characters that are invisible, or that change the direction of the text around them: with them two names can look
 * the same, or a name can look like another one. Controls, soft hyphen, fillers, zero-width and bidirectional marks,
 * variation selectors, tags.
 */
const hidden = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800\uFFF9-\uFFFB]/u
const pictograph = /\p{Extended_Pictographic}/u
const afterPictograph = /[\uFE0F\p{Emoji_Modifier}]/u
/** Scripts whose spelling needs joiners between letters: Arabic and related scripts, and the scripts of South Asia. */
const scriptsWithJoiners =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}]/u

const zeroWidthNonJoiner = '\u200C'
const zeroWidthJoiner = '\u200D'
const blackFlag = '\u{1F3F4}'
/** Maximum tag characters after a black flag, which make it a region's flag: untrusted input may have thousands. */
const maxFlagTags = 8
const tag = /[\u{E0020}-\u{E007F}]/u

/** Whether this hidden character is part of a valid sequence: a family emoji, a Persian word, the flag of Wales. */
function isPartOfSequence(chars: string[], at: number): boolean {
  const sign = chars[at] ?? ''
  const after = chars[at + 1] ?? ''
  let back = at - 1
  if (sign === '\uFE0F' || sign === '\uFE0E') return /\p{Emoji}/u.test(chars[back] ?? '')
  if (tag.test(sign)) {
    while (at - back <= maxFlagTags && tag.test(chars[back] ?? '')) back--
    return chars[back] === blackFlag
  }
  if (sign !== zeroWidthJoiner && sign !== zeroWidthNonJoiner) return false
  if (scriptsWithJoiners.test(chars[back] ?? '') && scriptsWithJoiners.test(after)) return true
  while (at - back <= 2 && afterPictograph.test(chars[back] ?? '')) back--
  return sign === zeroWidthJoiner && pictograph.test(chars[back] ?? '') && pictograph.test(after)
}

/** The text without invisible characters. The visible text is unchanged. */
export function removeHiddenCharacters(text: string): string {
  if (!hidden.test(text)) return text
  const chars = [...text]
  return chars.filter((sign, at) => !hidden.test(sign) || isPartOfSequence(chars, at)).join('')
}

export const hasHiddenCharacters = (text: string): boolean => removeHiddenCharacters(text) !== text
