import { type EndReason, topics } from '@recado/contract/live'
import { usersApi } from '@recado/contract/users'
import { useEffect, useEffectEvent, useRef } from 'react'
import { connect, useLive, useNews } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { noteEnd } from '../../lib/session-end.ts'
import { forget } from '../../lib/storage.ts'
import { textsNow } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { endedTexts } from '../../parts/ended-texts.ts'
import { texts } from './texts.ts'

/** Spec, section 9: forced logout delay. */
const leaveAfter = 1000
/** Who logs out hears of it too, in this very tab, a moment before the tab is at the door by itself. */
const ownLogout = 400

/** Keeps the socket open and the session true to what the server tells about it. */
export function useLiveSession(): void {
  const { user, since, adopt, reload } = useSession()
  const userId = user?.id
  const open = useEffectEvent(() => connect(since))
  useEffect(() => (userId === undefined ? undefined : open()), [userId])
  const loggedOut = useRef<() => void>(undefined)
  useEffect(() => () => loggedOut.current?.(), [])

  useNews(usersApi.topic, (news) => {
    if (news.action === 'update' && news.row.id === userId) adopt(news.row)
  })
  useLive(topics.ownCompany, () => void reload())
  useLive(topics.auth, (payload) => {
    if (payload.user.id !== userId) return
    const stay = leaveThisComputer(payload.reason)
    if (payload.reason === 'logged-out') loggedOut.current = stay
  })
}

/** Only the session goes. Language, theme and the to-do list belong to the person at this browser, whoever is in. */
function leaveThisComputer(why: EndReason): () => void {
  const words = textsNow(texts)
  const tell = () => {
    noteEnd(why)
    toast.warn(textsNow(endedTexts)[why], words.endedLine, { id: 'ended', stays: true })
  }
  const told = setTimeout(tell, why === 'logged-out' ? ownLogout : 0)
  const left = setTimeout(() => {
    forget('token', 'companyId', 'userId', 'companyDueDate', 'cshow')
    location.reload()
  }, leaveAfter)
  return () => {
    clearTimeout(told)
    clearTimeout(left)
  }
}
