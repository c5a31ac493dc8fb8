import type { PhoneMessage } from '@recado/contract/sandbox'

/** What the composer is about to do with another message. */
export type About = { what: 'reply' | 'edit'; message: PhoneMessage } | null
