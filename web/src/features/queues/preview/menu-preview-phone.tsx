import { useEffect, useRef, useState } from 'react'
import { formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { CustomerPhoneMockup, PhoneMockupBubble } from '../../../parts/customer-phone-mockup.tsx'
import { PhoneMockupInput } from '../../../parts/phone-mockup-input.tsx'
import { menuPreviewTexts } from './menu-preview-texts.ts'
import classes from './preview.module.css'
import { fillVariables, type MenuExchange } from './simulate-menu.ts'

type Props = {
  exchanges: MenuExchange[]
  /** Whether the queue has a greeting that customers never receive. */
  isGreetingUnused: boolean
  /** Whether the last answer is the text of the selected option. */
  isLastHighlighted: boolean
  queueName: (id: number | null) => string
  onSend: (text: string) => void
}

export function MenuPreviewPhone({ exchanges, isGreetingUnused, isLastHighlighted, queueName, onSend }: Props) {
  const words = useTexts(menuPreviewTexts)
  const [now] = useState(() => formatTime(new Date()))
  const thread = useStickToEnd(exchanges)
  const lastSaid = exchanges.findLastIndex((one) => one.say.length > 0)
  return (
    <div className={classes.phone}>
      <CustomerPhoneMockup label={words.conversation} threadRef={thread} footer={<PhoneMockupInput onSend={onSend} />}>
        {exchanges.map(({ customer, greeting, say: replies, turn }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows at its end
          <div key={i} className={classes.exchange}>
            <PhoneMockupBubble isOwn text={customer} time={now} />
            {greeting && <PhoneMockupBubble text={fillVariables(greeting, words.sample)} time={now} />}
            {greeting && !turn && <span className={classes.fate}>{words.anybody}</span>}
            {replies.map((text, k) => (
              <PhoneMockupBubble
                // biome-ignore lint/suspicious/noArrayIndexKey: see above
                key={k}
                text={fillVariables(text, words.sample)}
                time={now}
                isHighlighted={
                  isLastHighlighted && i === exchanges.length - 1 && i === lastSaid && k === replies.length - 1
                }
              />
            ))}
            {turn && !turn.held && (
              <span className={classes.fate}>
                {turn.ends
                  ? words.over
                  : queueName(turn.queueId)
                    ? words.person(queueName(turn.queueId))
                    : words.anybody}
              </span>
            )}
          </div>
        ))}
        {lastSaid < 0 && !exchanges[0]?.greeting && (
          <span className={classes.fate}>{isGreetingUnused ? words.noMenuGreetingOff : words.noMenu}</span>
        )}
      </CustomerPhoneMockup>
    </div>
  )
}

/** Keeps the newest message visible. */
function useStickToEnd(exchanges: MenuExchange[]) {
  const box = useRef<HTMLElement>(null)
  const said = JSON.stringify(exchanges)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever what is said changes
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight
  }, [said])
  return box
}
