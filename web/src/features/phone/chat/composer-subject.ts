import type { SandboxPhoneMessage } from '@recado/contract/sandbox'

/** Whether the composer replies to a message or edits it. */
export type ComposerSubject = { action: 'reply' | 'edit'; message: SandboxPhoneMessage } | null
