import type { SimulatedLine } from '@recado/contract/flows/simulate-flow'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { formatTime } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { CustomerPhoneMockup, PhoneMockupBubble } from '../../../parts/customer-phone-mockup.tsx'
import classes from './test-phone.module.css'
import { type TestPhoneWords, testPhoneTexts } from './texts.ts'

type SaidLine = Extract<SimulatedLine, { kind: 'said' }>
type Props = {
  lines: SimulatedLine[]
  /** Null: the options cannot be pressed. */
  onPress: ((option: SaidLine['options'][number]) => void) | null
  /** At the end of the conversation. */
  children?: ReactNode
  footer?: ReactNode
}

/** A played conversation on the customer's phone. */
export function ConversationView({ lines, onPress, children, footer }: Props) {
  const words = useTexts(testPhoneTexts)
  const [now] = useState(() => formatTime(new Date()))
  const thread = useRef<HTMLElement>(null)
  const lastSaid = lines.findLastIndex(({ kind }) => kind === 'said')
  const text = JSON.stringify(lines)
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever what is said changes, its end is shown
  useEffect(() => {
    if (thread.current) thread.current.scrollTop = thread.current.scrollHeight
  }, [text])
  return (
    <CustomerPhoneMockup label={words.conversation} threadRef={thread} footer={footer}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows at its end
        <Line key={i} line={line} time={now} isLastSaid={i === lastSaid} onPress={i === lastSaid ? onPress : null} />
      ))}
      {lastSaid < 0 && <p className={classes.pill}>{words.noSteps}</p>}
      {children}
    </CustomerPhoneMockup>
  )
}

type LineProps = { line: SimulatedLine; time: string; isLastSaid: boolean; onPress: Props['onPress'] }
function Line({ line, time, isLastSaid, onPress }: LineProps) {
  const words = useTexts(testPhoneTexts)
  if (line.kind === 'customer') return <PhoneMockupBubble isOwn text={textOfCustomer(line, words)} time={time} />
  if (line.kind === 'time') return <p className={classes.pill}>{words.timePassed}</p>
  if (line.kind === 'end') return <p className={classes.pill}>{words.ends[line.reason]}</p>
  if (line.kind !== 'said') return null
  return (
    <>
      <PhoneMockupBubble text={textOfSaid(line, words)} time={time} isHighlighted={isLastSaid} />
      {line.options.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a flex container everywhere
        <div className={classes.options} role="group" aria-label={words.options}>
          {line.options.map((option, n) => (
            <button key={option.id} type="button" disabled={!onPress} onClick={() => onPress?.(option)}>
              <b>{n + 1}</b> {option.title}
            </button>
          ))}
        </div>
      )}
    </>
  )
}

const textOfCustomer = ({ text, file, isPlace }: Extract<SimulatedLine, { kind: 'customer' }>, words: TestPhoneWords) =>
  [file && words.sentFiles[file], isPlace && words.sentPlace, text].filter(Boolean).join('\n')

const textOfSaid = ({ text, fileId, template }: SaidLine, words: TestPhoneWords): string =>
  [fileId !== null && words.aFile, template !== null && words.template(template), text].filter(Boolean).join('\n') ||
  '…'
