/** Digits only, at most eleven (spec, section 5). */
export const phoneDigits = (typed: string): string => typed.replace(/\D/g, '').slice(0, 11)

/** (99) 99999-9999, as far as it has been typed. */
export function phoneMask(typed: string): string {
  const digits = phoneDigits(typed)
  const [area, first, last] = [digits.slice(0, 2), digits.slice(2, 7), digits.slice(7)]
  if (last) return `(${area}) ${first}-${last}`
  if (first) return `(${area}) ${first}`
  return area && `(${area}`
}
