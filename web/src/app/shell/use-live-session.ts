import { type SessionEndReason, topics } from '@recado/contract/live'
import { usersApi } from '@recado/contract/users'
import { useEffect, useEffectEvent, useRef } from 'react'
import { connectSocket, useLiveTopic, useRecordNews, useResync } from '../../lib/live.ts'
import { useSession } from '../../lib/session.tsx'
import { storeSessionEndReason } from '../../lib/session-end-reason.ts'
import { removeStored } from '../../lib/storage.ts'
import { currentTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { sessionEndTexts } from '../../parts/session-end-texts.ts'
import { texts } from './texts.ts'

/** Spec, section 9: forced logout delay. */
const logoutDelayMs = 1000
/**
 * How long to wait after a logout event: the tab that logged out also gets it, shortly before it shows the login page
 * by itself.
 */
const ownLogoutGraceMs = 400

/** Keeps the socket open and applies the server's events about the session. */
export function useLiveSession(): void {
  const { user, since, applyUser, reload } = useSession()
  const userId = user?.id
  const open = useEffectEvent(() => connectSocket(since))
  useEffect(() => (userId === undefined ? undefined : open()), [userId])
  const loggedOut = useRef<() => void>(undefined)
  useEffect(() => () => loggedOut.current?.(), [])

  useRecordNews(usersApi.topic, (news) => {
    if (news.action === 'update' && news.row.id === userId) applyUser(news.row)
  })
  useLiveTopic(topics.ownCompany, () => void reload())
  // Changes of the user and of the company's settings may have been missed during the gap.
  useResync(() => void reload())
  useLiveTopic(topics.auth, (payload) => {
    if (payload.user.id !== userId) return
    const stay = endSessionHere(payload.reason)
    if (payload.reason === 'logged-out') loggedOut.current = stay
  })
}

/** Ends only the session in this browser. Language, theme and the to-do list belong to the browser and stay. */
function endSessionHere(why: SessionEndReason): () => void {
  const words = currentTexts(texts)
  const tell = () => {
    storeSessionEndReason(why)
    toast.warn(currentTexts(sessionEndTexts)[why], words.endedLine, { id: 'ended', isPersistent: true })
  }
  const told = setTimeout(tell, why === 'logged-out' ? ownLogoutGraceMs : 0)
  const left = setTimeout(() => {
    removeStored('token', 'companyId', 'userId', 'companyDueDate', 'cshow')
    location.reload()
  }, logoutDelayMs)
  return () => {
    clearTimeout(told)
    clearTimeout(left)
  }
}
