import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { SimulatedLine } from '@recado/contract/flows/simulate-flow'
import { IconAlertTriangle, IconFlag3, type IconNote } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTexts } from '../../../lib/texts.ts'
import { iconOfStep } from '../editor/palette-items.ts'
import type { Sentences } from '../sentence/sentences.ts'
import { describeLine } from './describe-line.ts'
import classes from './test-phone.module.css'
import { testPhoneTexts } from './texts.ts'

type Props = {
  lines: SimulatedLine[]
  document: FlowDocument
  sentences: Sentences
  /** A button beside the heading. */
  children: ReactNode
}

const isWarning = (line: SimulatedLine): boolean =>
  line.kind === 'not-started' ||
  (line.kind === 'act' && line.failed) ||
  (line.kind === 'end' && (line.reason === 'dead-end' || line.reason === 'too-many-steps'))

/** What happens inside the flow while the customer sees the messages. */
export function InsideList({ lines, document, sentences, children }: Props) {
  const words = useTexts(testPhoneTexts)
  const told = lines.flatMap((line) => {
    const text = describeLine(line, { document, sentences, words })
    return text === null ? [] : [{ line, text }]
  })
  const iconOf = (line: SimulatedLine): typeof IconNote => {
    const step = 'stepId' in line ? document.steps.find(({ id }) => id === line.stepId) : undefined
    if (isWarning(line)) return IconAlertTriangle
    return step ? iconOfStep(step) : IconFlag3
  }
  return (
    <section className={classes.inside} aria-label={words.inside}>
      <div className={classes.insideHead}>
        <h3>{words.inside}</h3>
        {children}
      </div>
      {told.length === 0 && <p className={classes.none}>{words.nothingInside}</p>}
      <ol aria-live="polite">
        {told.map(({ line, text }, i) => {
          const Icon = iconOf(line)
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: a conversation only grows at its end
            <li key={i} data-warn={isWarning(line) || undefined}>
              <Icon size={15} stroke={1.75} aria-hidden="true" />
              {text}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
