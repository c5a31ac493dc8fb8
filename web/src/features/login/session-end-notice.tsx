import type { StoredSessionEndReason } from '../../lib/session-end-reason.ts'
import { useTexts } from '../../lib/texts.ts'
import { sessionEndTexts } from '../../parts/session-end-texts.ts'
import { InlineNotice } from '../../ui/inline-notice.tsx'

/** Why the session before this login ended. */
export function SessionEndNotice({ reason }: { reason: StoredSessionEndReason }) {
  const words = useTexts(sessionEndTexts)
  return <InlineNotice kind="info">{words[reason]}.</InlineNotice>
}
