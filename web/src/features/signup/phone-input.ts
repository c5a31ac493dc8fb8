/** The maximum length of a number in any country (E.164). */
const maxPhoneDigits = 15

const keepDigits = (typed: string) => typed.replace(/\D/g, '').slice(0, maxPhoneDigits)

/** The digits, after a plus if the user typed a plus. */
export const parsePhoneDigits = (typed: string): string => (typed.trim().startsWith('+') ? '+' : '') + keepDigits(typed)

/** Formats (99) 99999-9999 as far as typed. A number with a country code, or a longer number, stays as typed. */
export function formatPhoneInput(typed: string): string {
  if (typed.trim().startsWith('+')) return formatForeignPhone(typed)
  const digits = keepDigits(typed)
  if (digits.length > 11) return digits
  const [area, first, last] = [digits.slice(0, 2), digits.slice(2, 7), digits.slice(7)]
  if (last) return `(${area}) ${first}-${last}`
  if (first) return `(${area}) ${first}`
  return area && `(${area}`
}

/** Countries group numbers differently: characters between the digits stay. */
function formatForeignPhone(typed: string): string {
  let left = maxPhoneDigits
  const kept = [...typed.trimStart().slice(1, 40)].filter((sign) =>
    /\d/.test(sign) ? left-- > 0 : /[ ()-]/.test(sign),
  )
  return `+${kept.join('')}`
}
