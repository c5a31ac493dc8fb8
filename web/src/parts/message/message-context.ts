import type { Message } from '@recado/contract/messages'
import { createContext, useContext, useMemo, useRef } from 'react'

/** The actions of a bubble. The object never changes, so that it causes no re-render of bubbles. */
export type MessageHandlers = {
  reply: (message: Message) => void
  jump: (id: string) => void
  /** Opens a picture or video large. */
  view: (message: Message) => void
  menu: (message: Message, at: HTMLElement, only?: 'react') => void
  /** Sets the reaction to a message; an empty emoji removes it. */
  react: (message: Message, emoji: string) => void
  edit: (message: Message) => void
  retry: (message: Message) => void
  remove: (message: Message) => void
  /** Downloads a failed file again. */
  fetch: (message: Message) => void
  /** Called when the URL of a file has expired. */
  renew: () => void
}
export type MessageContext = {
  handlers: MessageHandlers
  isGroup: boolean
  /** Whether no actions are possible. */
  readOnly: boolean
  canReact: boolean
  /** Whether linked pages are shown with their title: only in conversations with customers. */
  hasLinkPreviews: boolean
  /** The names of the contact and the line. */
  contact: string
  line: string
}

const ReactMessageContext = createContext<MessageContext | null>(null)
export const MessageContextProvider = ReactMessageContext.Provider

export function useMessageContext(): MessageContext {
  const context = useContext(ReactMessageContext)
  if (!context) throw new Error('useScene outside of a thread')
  return context
}

/** A stable object that always calls the current functions. */
export function useStableHandlers(handlers: MessageHandlers): MessageHandlers {
  const latest = useRef(handlers)
  latest.current = handlers
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
