import type { Message } from '@recado/contract/messages'
import { createContext, useContext, useMemo, useRef } from 'react'

/** What a bubble can do. The object never changes, so bubbles are drawn again only for their own sake. */
export type MessageHandlers = {
  reply: (message: Message) => void
  jump: (id: string) => void
  /** Opens a picture or a video large. */
  view: (message: Message) => void
  menu: (message: Message, at: HTMLElement, only?: 'react') => void
  /** Empty takes it back. */
  react: (message: Message, emoji: string) => void
  edit: (message: Message) => void
  retry: (message: Message) => void
  remove: (message: Message) => void
  /** Asks once more for a file that did not come. */
  fetch: (message: Message) => void
  /** The address of a file has run out. */
  renew: () => void
}
export type MessageContext = {
  hands: MessageHandlers
  isGroup: boolean
  /** Nothing can be done here but look. */
  readOnly: boolean
  mayReact: boolean
  /** What the contact and the line are called. */
  contact: string
  line: string
}

const ReactMessageContext = createContext<MessageContext | null>(null)
export const MessageContextProvider = ReactMessageContext.Provider

export function useMessageContext(): MessageContext {
  const scene = useContext(ReactMessageContext)
  if (!scene) throw new Error('useScene outside of a thread')
  return scene
}

/** The same hands for ever, whatever they do today. */
export function useStableHandlers(now: MessageHandlers): MessageHandlers {
  const latest = useRef(now)
  latest.current = now
  return useMemo(
    () => ({
      reply: (message) => latest.current.reply(message),
      jump: (id) => latest.current.jump(id),
      view: (message) => latest.current.view(message),
      menu: (message, at, only) => latest.current.menu(message, at, only),
      react: (message, emoji) => latest.current.react(message, emoji),
      edit: (message) => latest.current.edit(message),
      retry: (message) => latest.current.retry(message),
      remove: (message) => latest.current.remove(message),
      fetch: (message) => latest.current.fetch(message),
      renew: () => latest.current.renew(),
    }),
    [],
  )
}
