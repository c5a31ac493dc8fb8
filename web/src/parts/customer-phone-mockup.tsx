import { IconBuildingStore, IconChevronLeft } from '@tabler/icons-react'
import type { ReactNode, Ref } from 'react'
import { useSession } from '../lib/session.tsx'
import { defineTexts, useTexts } from '../lib/texts.ts'
import classes from './customer-phone-mockup.module.css'
import { RichText } from './message/body/rich-text-view.tsx'
import { PhoneFrame } from './phone-frame.tsx'

const texts = defineTexts({ es: { online: 'en línea' }, pt: { online: 'on-line' }, en: { online: 'online' } })

type Props = { label: string; threadRef?: Ref<HTMLElement>; footer?: ReactNode; children: ReactNode }

/** The customer's phone screen: the company on top, the messages, and the input. */
export function CustomerPhoneMockup({ label, threadRef, footer, children }: Props) {
  const words = useTexts(texts)
  const company = useSession().user?.company.name ?? ''
  return (
    <PhoneFrame>
      <div className={classes.who}>
        <IconChevronLeft size={20} stroke={1.75} aria-hidden="true" />
        <span className={classes.shop} aria-hidden="true">
          <IconBuildingStore size={18} stroke={1.75} />
        </span>
        <div className={classes.names}>
          <b>{company}</b>
          <small>{words.online}</small>
        </div>
      </div>
      <section
        ref={threadRef}
        className={classes.thread}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        aria-live="polite"
      >
        {children}
      </section>
      {footer}
    </PhoneFrame>
  )
}

type BubbleProps = { text: string; time: string; isOwn?: boolean; isHighlighted?: boolean }
export function PhoneMockupBubble({ text, time: at, isOwn, isHighlighted }: BubbleProps) {
  return (
    <div className={classes.bubble} data-mine={isOwn || undefined} data-ringed={isHighlighted || undefined}>
      <RichText text={text} />
      <time>{at}</time>
    </div>
  )
}
