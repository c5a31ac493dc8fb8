import { topics } from '@recado/contract/live'
import { useEffect } from 'react'
import { connect, useLive } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { forget } from '../../lib/storage.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { texts } from './texts.ts'

/** Spec, section 9: forced logout delay. */
const leaveAfter = 1000

/** Keeps the socket open and the session true to what the server tells about it. */
export function useLiveSession(): void {
  const { user, adopt, reload } = useSession()
  const userId = user?.id
  useEffect(() => (userId === undefined ? undefined : connect()), [userId])

  useLive(topics.user, (payload) => {
    const { action, user: changed } = payload as { action: string; user?: NonNullable<typeof user> }
    if (action === 'update' && changed?.id === userId && changed?.company) adopt(changed)
  })
  useLive(topics.ownCompany, () => void reload())
  useLive(topics.auth, (payload) => {
    if (payload.user.id === userId) leaveThisComputer()
  })
}

/** Only the session goes. Language, theme and the to-do list belong to the person at this browser, whoever is in. */
function leaveThisComputer(): void {
  const words = textsNow(texts)
  toast.warn(words.elsewhere, words.elsewhereLine, { id: 'elsewhere', stays: true })
  setTimeout(() => {
    forget('token', 'companyId', 'userId', 'companyDueDate', 'cshow')
    location.reload()
  }, leaveAfter)
}
