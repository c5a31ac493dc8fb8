const senderColors = ['#0f7f94', '#b4552d', '#6b7a1f', '#8a4b8f', '#2f6db5', '#b03a5b', '#3f8a57', '#8b6b1d']

/** The colour of a sender's name in a group; a name always has the same colour. */
export function senderColor(name: string): string {
  let sum = 7
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9973
  return senderColors[sum % senderColors.length] as string
}
