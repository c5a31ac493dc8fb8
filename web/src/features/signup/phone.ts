/** No country's numbers are longer (E.164). */
const longest = 15

const digitsOf = (typed: string) => typed.replace(/\D/g, '').slice(0, longest)

/** Digits, after a plus if one was typed. */
export const phoneDigits = (typed: string): string => (typed.trim().startsWith('+') ? '+' : '') + digitsOf(typed)

/** (99) 99999-9999 as far as it has been typed; a number with its country's code, or a longer one, stays as it is typed. */
export function phoneMask(typed: string): string {
  if (typed.trim().startsWith('+')) return abroad(typed)
  const digits = digitsOf(typed)
  if (digits.length > 11) return digits
  const [area, first, last] = [digits.slice(0, 2), digits.slice(2, 7), digits.slice(7)]
  if (last) return `(${area}) ${first}-${last}`
  if (first) return `(${area}) ${first}`
  return area && `(${area}`
}

/** Every country groups its numbers in its own way: whatever stands between the digits is theirs. */
function abroad(typed: string): string {
  let left = longest
  const kept = [...typed.trimStart().slice(1, 40)].filter((sign) =>
    /\d/.test(sign) ? left-- > 0 : /[ ()-]/.test(sign),
  )
  return `+${kept.join('')}`
}
