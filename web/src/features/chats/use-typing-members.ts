import { topics } from '@recado/contract/live'
import { useEffect, useRef, useState } from 'react'
import { useLiveTopic } from '../../lib/live.ts'

/** A member who sends no further typing event within this time has stopped typing. */
const typingTimeoutMs = 6000
export type TypingMembers = Record<number, number[]>

export function useTypingMembers(): TypingMembers {
  const [typing, setTyping] = useState<TypingMembers>({})
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useLiveTopic(topics.chatTyping, ({ chatId, userId, typing: on }) => {
    const key = `${chatId} ${userId}`
    const set = (there: boolean) =>
      setTyping((all) => {
        const others = (all[chatId] ?? []).filter((id) => id !== userId)
        return { ...all, [chatId]: there ? [...others, userId] : others }
      })
    clearTimeout(timers.current.get(key))
    set(on)
    if (on)
      timers.current.set(
        key,
        setTimeout(() => set(false), typingTimeoutMs),
      )
  })
  useEffect(() => {
    const all = timers.current
    return () => all.forEach(clearTimeout)
  }, [])
  return typing
}
