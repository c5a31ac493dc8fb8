import type { SandboxCustomer, SandboxPhoneMessage } from '@recado/contract/sandbox'
import { type UIEvent, useEffect, useLayoutEffect, useRef } from 'react'
import { formatDay } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from '../handset.module.css'
import { texts } from '../texts.ts'
import type { usePhoneMessages } from '../use-sandbox.ts'
import type { ComposerSubject } from './composer-subject.ts'
import bubbles from './phone-message-bubble.module.css'
import { PhoneMessageBubble } from './phone-message-bubble.tsx'
import type { PendingPhoneMessage, PhoneAction } from './use-send-as-customer.ts'

type Props = {
  messages: ReturnType<typeof usePhoneMessages>
  pending: PendingPhoneMessage[]
  person: SandboxCustomer
  /** The owner of the phone: in a group, one of its members. */
  ownNumber: string
  nameOf: (number: string) => string
  write: (action: PhoneAction) => void
  retry: (id: string) => void
  onSelectSubject: (about: ComposerSubject) => void
  label: string
}

export function PhoneThread({
  messages,
  pending,
  person,
  ownNumber,
  nameOf,
  write,
  retry,
  onSelectSubject,
  label,
}: Props) {
  const words = useTexts(texts)
  const stored = messages.messages
  const known = new Set(stored.map((one) => one.id))
  const allMessages: PendingPhoneMessage[] = [...stored, ...pending.filter((one) => !known.has(one.id))]
  const box = usePhoneScroll(allMessages)
  const loadOlder = () => {
    if (messages.hasNextPage && !messages.isFetchingNextPage) void messages.fetchNextPage()
  }
  /** Loads older messages within 50 px of the top (spec, section 9). */
  const onScroll = (event: UIEvent<HTMLElement>) => {
    if (event.currentTarget.scrollTop < 50) loadOlder()
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={box} className={classes.thread} tabIndex={0} aria-label={label} onScroll={onScroll}>
      <div className={classes.rows} role="log">
        {messages.isSuccess && allMessages.length === 0 && <p className={classes.empty}>{words.firstMessage}</p>}
        {messages.hasNextPage && (
          <button type="button" className={classes.older} onClick={loadOlder}>
            {words.older}
          </button>
        )}
        {allMessages.map((message, i) => (
          <MessageRow key={message.id} message={message} previous={allMessages[i - 1]}>
            <PhoneMessageBubble
              message={message}
              isSameSender={isSameTurn(allMessages[i - 1], message)}
              quotedMessage={message.quotedId ? allMessages.find((one) => one.id === message.quotedId) : undefined}
              {...{ person, ownNumber: ownNumber, nameOf, write, onSelectSubject: onSelectSubject }}
              onRetry={() => retry(message.id)}
            />
          </MessageRow>
        ))}
        {person.typing && (
          <div className={bubbles.typing} aria-hidden="true">
            <i />
            <i />
            <i />
          </div>
        )}
      </div>
    </section>
  )
}

/** Whether two messages have the same sender and the same day. */
const isSameTurn = (before: SandboxPhoneMessage | undefined, message: SandboxPhoneMessage) =>
  before !== undefined &&
  before.fromCustomer === message.fromCustomer &&
  before.author === message.author &&
  formatDay(before.at) === formatDay(message.at)

type RowProps = { message: SandboxPhoneMessage; previous: SandboxPhoneMessage | undefined; children: React.ReactNode }
/** A message, with the date above the first message of a day. */
function MessageRow({ message, previous: before, children }: RowProps) {
  const words = useTexts(texts)
  const date = formatDay(message.at)
  if (before && formatDay(before.at) === date) return children
  const named: Record<string, string> = {
    [formatDay(new Date(Date.now() - 86_400_000))]: words.yesterday,
    [formatDay(new Date())]: words.today,
  }
  return (
    <>
      <div className={classes.day}>{named[date] ?? date}</div>
      {children}
    </>
  )
}

/**
 * Keeps the scroll position: a view at the end stays at the end; otherwise it does not move while older messages are
 * inserted above.
 */
function usePhoneScroll(allMessages: SandboxPhoneMessage[]) {
  const box = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  const before = useRef({ first: '', last: '', height: 0 })
  const [first, last] = [allMessages[0]?.id ?? '', allMessages.at(-1)?.id ?? '']
  useLayoutEffect(() => {
    const { current: element } = box
    if (!element) return
    const was = before.current
    const olderCame = was.first !== first && was.last === last && last !== ''
    if (olderCame) element.scrollTop += element.scrollHeight - was.height
    else element.scrollTop = element.scrollHeight
    before.current = { first, last, height: element.scrollHeight }
  }, [first, last])
  useEffect(() => {
    const { current: element } = box
    if (!element?.firstElementChild) return
    const onScroll = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 60
    }
    // The height changes later: images get their height late, and the typing indicator comes and goes.
    const watch = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight
      before.current.height = element.scrollHeight
    })
    watch.observe(element.firstElementChild)
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      watch.disconnect()
      element.removeEventListener('scroll', onScroll)
    }
  }, [])
  return box
}
