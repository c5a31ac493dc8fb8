import type { Ability, LineProvider } from './connections.ts'

/** Properties of a kind of line, for code that must not depend on concrete kinds. */
export type LineTraits = {
  /** Free text is allowed within 24 hours after the customer wrote; after that only approved templates. */
  window: boolean
  /** Sends must be slowed down for people who have not written to the line recently. */
  paced: boolean
  /** Maximum number of conversations sent to at the same time. */
  atOnce: number
  /** Connected with a vendor account; otherwise a phone scans a code. */
  account: boolean
  /** An eight-character code can be typed on the phone instead of scanning. */
  typedCode: boolean
  /** The phone must be unlinked when its line is deleted from the desk. */
  leaves: boolean
  /** Older messages are requested once, and the vendor then sends them all; otherwise they are loaded by conversation. */
  pushesHistory: boolean
  /** A line without a real number, for tests, including tests of line failures. */
  test: boolean
  /** The id used to write to people whose number is unknown. */
  hiddenId: 'lid' | 'cloud'
  cannot: readonly Ability[]
}

const phone = { window: false, atOnce: 1, account: false, pushesHistory: false, hiddenId: 'lid' } as const

/** All kinds of line, shared by server and screens. */
export const lineTraits: Record<LineProvider, LineTraits> = {
  // A phone belongs to one person, who writes one message after another.
  beta: { ...phone, paced: true, typedCode: true, leaves: true, test: false, cannot: [] },
  cloud: {
    window: true,
    // The paid vendor applies its own rate limits.
    paced: false,
    // Each call to Meta is a round trip: 20 in parallel reach its limit of 80 a second at a latency of 250 ms.
    atOnce: 20,
    account: true,
    typedCode: false,
    leaves: false,
    pushesHistory: true,
    test: false,
    hiddenId: 'cloud',
    cannot: ['edit', 'revoke', 'groups', 'profilePicture', 'contacts'],
  },
  sandbox: {
    ...phone,
    paced: false,
    typedCode: false,
    leaves: false,
    test: true,
    cannot: ['profilePicture', 'history'],
  },
}

/** The default kind of line. */
export const defaultLineProvider: LineProvider = 'beta'

type BooleanTrait = { [K in keyof LineTraits]: LineTraits[K] extends boolean ? K : never }[keyof LineTraits]

/** The kinds of line with this property. */
export const providersWithTrait = (flag: BooleanTrait): LineProvider[] =>
  (Object.keys(lineTraits) as LineProvider[]).filter((provider) => lineTraits[provider][flag])
