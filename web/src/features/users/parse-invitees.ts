export type Invitee = { name: string; email: string }

const addressPattern = /[^\s<>,;"]{1,64}@[^\s<>,;"]{1,189}/
/** The maximum number of people that the server invites within an hour. */
export const maxInvitees = 60

/**
 * Parses one person per row of text, as people paste them from a mail or a sheet: `Ana Torres <ana@x.com>`, `Ana
 * Torres, ana@x.com` or the address alone, whose first part then is the name. Addresses alone may also be separated by
 * commas.
 */
export function parseInvitees(text: string): { invitees: Invitee[]; unreadable: string[] } {
  const invitees = new Map<string, Invitee>()
  const unreadable: string[] = []
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .flatMap((line) => {
      const addresses = line.match(new RegExp(addressPattern, 'g')) ?? []
      return addresses.length > 1 ? line.split(/[,;]/) : [line]
    })
  for (const line of lines.map((one) => one.trim()).filter(Boolean)) {
    const [email] = addressPattern.exec(line) ?? []
    if (!email) {
      unreadable.push(line)
      continue
    }
    const typedName = line
      .replace(email, '')
      .replace(/[<>,;"\t]/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    const name = (typedName.length >= 2 ? typedName : nameOfAddress(email)).slice(0, 50)
    if (!invitees.has(email.toLowerCase())) invitees.set(email.toLowerCase(), { name, email: email.toLowerCase() })
  }
  return { invitees: [...invitees.values()].slice(0, maxInvitees), unreadable }
}

/** The name for an address: `ana.torres@x.com` becomes Ana Torres, until she changes it. */
function nameOfAddress(email: string): string {
  const words = (email.split('@')[0] ?? '').split(/[._+-]+/).filter(Boolean)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return name.length >= 2 ? name : email
}
