import type { SandboxPhoneMessage } from '@recado/contract/sandbox'

/** What the composer does with another message. */
export type ComposerSubject = { action: 'reply' | 'edit'; message: SandboxPhoneMessage } | null
