import { UserWrite } from '@recado/contract/users'
import { findFieldProblems } from '../../records/field-problems.ts'

export type Invitee = { name: string; email: string }
/** An entry that is not invited, as typed, and why: it is not an address, or there are too many. */
export type RejectedEntry = { typed: string; reason: 'unreadable' | 'repeated' | 'tooMany' }

const emailSchema = UserWrite.pick({ email: true })

const addressPattern = /[^\s<>,;"]{1,64}@[^\s<>,;"]{1,189}/
/** The maximum number of people that the server invites within an hour. */
export const maxInvitees = 60

/**
 * Parses one person per row of text, as people paste them from a mail or a sheet: `Ana Torres <ana@x.com>`, `Ana
 * Torres, ana@x.com` or the address alone, whose first part then is the name. Addresses alone may also be separated by
 * commas.
 */
export function parseInvitees(text: string): { invitees: Invitee[]; rejected: RejectedEntry[] } {
  const invitees = new Map<string, Invitee>()
  const rejected: RejectedEntry[] = []
  const lines = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .flatMap((line) => {
      const addresses = line.match(new RegExp(addressPattern, 'g')) ?? []
      return addresses.length > 1 ? line.split(/[,;]/) : [line]
    })
  for (const line of lines.map((one) => one.trim()).filter(Boolean)) {
    const email = addressPattern.exec(line)?.[0].toLowerCase()
    if (!email || findFieldProblems(emailSchema, { email }).email) rejected.push({ typed: line, reason: 'unreadable' })
    else if (invitees.has(email)) rejected.push({ typed: email, reason: 'repeated' })
    else if (invitees.size >= maxInvitees) rejected.push({ typed: email, reason: 'tooMany' })
    else invitees.set(email, { name: readName(line) ?? nameOfAddress(email), email })
  }
  // An address that is repeated several times is named once.
  const unique = new Map(rejected.map((entry) => [`${entry.reason} ${entry.typed}`, entry]))
  return { invitees: [...invitees.values()], rejected: [...unique.values()] }
}

/** What is written beside the address, if it can be a name. */
function readName(line: string): string | null {
  const name = line
    .replace(addressPattern, '')
    .replace(/[<>,;"\t]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return name.length >= 2 ? name.slice(0, 50) : null
}

/** The name for an address: `ana.torres@x.com` becomes Ana Torres, until she changes it. */
function nameOfAddress(email: string): string {
  const words = (email.split('@')[0] ?? '').split(/[._+-]+/).filter(Boolean)
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ')
  return (name.length >= 2 ? name : email).slice(0, 50)
}
