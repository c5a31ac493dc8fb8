import type { Ability, LineProvider } from './connections.ts'

/** What a kind of line is like, for whoever works with lines without knowing which kinds there are. */
export type LineTraits = {
  /** Freely written to within 24 hours after the customer wrote; after that only by texts that were approved before. */
  window: boolean
  /** It must not hurry with people who did not write to it lately. */
  paced: boolean
  /** So many conversations may be sent to at once. */
  atOnce: number
  /** It is made by an account with the vendor; without one, a phone scans a code. */
  account: boolean
  /** Eight characters can be typed on the phone instead of scanning. */
  typedCode: boolean
  /** Somebody has to be told when the desk leaves it. */
  leaves: boolean
  /** Nobody's number: for trying, also what we do when a line misbehaves. */
  test: boolean
  /** By which of their ids somebody is written to whose number is unknown. */
  hiddenId: 'lid' | 'cloud'
  cannot: readonly Ability[]
}

const phone = { window: false, atOnce: 1, account: false, hiddenId: 'lid' } as const

/** Each kind of line, here once: server and screens read the same. */
export const lineTraits: Record<LineProvider, LineTraits> = {
  // A phone is one person, who writes one message after the other.
  beta: { ...phone, paced: true, typedCode: true, leaves: true, test: false, cannot: [] },
  cloud: {
    window: true,
    // A vendor that is paid counts by itself.
    paced: false,
    // Meta answers after a way there and back: enough for its own limit (80 a second) a quarter of a second away.
    atOnce: 20,
    account: true,
    typedCode: false,
    leaves: false,
    test: false,
    hiddenId: 'cloud',
    cannot: ['edit', 'revoke', 'groups', 'profilePicture', 'contacts', 'history'],
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

/** What a line is where nobody said. */
export const defaultLineProvider: LineProvider = 'beta'

type BooleanTrait = { [K in keyof LineTraits]: LineTraits[K] extends boolean ? K : never }[keyof LineTraits]

/** The kinds of line that are like this. */
export const providersWithTrait = (flag: BooleanTrait): LineProvider[] =>
  (Object.keys(lineTraits) as LineProvider[]).filter((provider) => lineTraits[provider][flag])
