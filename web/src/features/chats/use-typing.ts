import { topics } from '@recado/contract/live'
import { useEffect, useRef, useState } from 'react'
import { useLive } from '../../lib/live.ts'

/** Who writes in which chat just now. Who says nothing more for this long has stopped. */
const typingMs = 6000
export type Typing = Record<number, number[]>

export function useTyping(): Typing {
  const [typing, setTyping] = useState<Typing>({})
  const timers = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  useLive(topics.chatTyping, ({ chatId, userId, typing: on }) => {
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
        setTimeout(() => set(false), typingMs),
      )
  })
  useEffect(() => {
    const all = timers.current
    return () => all.forEach(clearTimeout)
  }, [])
  return typing
}
