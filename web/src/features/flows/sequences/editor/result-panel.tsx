import { Switch } from '@mantine/core'
import type { Reply } from '@recado/contract/endpoint'
import type { FlowLimits } from '@recado/contract/flows/flow-document'
import type { Flow, flowsApi } from '@recado/contract/flows/flows'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import { LimitsBlock } from '../../rules/editor/limits-block.tsx'
import panelClasses from '../../rules/panel/panel.module.css'
import { formatShare } from '../../runs/format-share.ts'
import { sumOfLine } from '../../runs/step-results.ts'
import classes from './sequence.module.css'
import { sequenceTexts } from './texts.ts'

type Numbers = Reply<typeof flowsApi.numbers> | undefined

/** How many of those inside answered, also at the foot of a narrow screen. */
export function ResultNumber({ flow, numbers }: { flow: Pick<Flow, 'version' | 'published'>; numbers: Numbers }) {
  const words = useTexts(sequenceTexts)
  const { version, published } = flow
  if (!version || !published) return <p className={classes.unpublished}>{words.unpublished}</p>
  const { began, answered } = sumOfLine(published, numbers?.steps ?? [])
  if (began === 0) return <p className={classes.unpublished}>{words.notBegan}</p>
  return (
    <p className={panelClasses.number}>
      <b>{formatShare(answered, began)}</b>
      <span>
        <strong>{words.answeredShare}</strong>
        <small>{words.ofBegan(formatNumber(answered), formatNumber(began), version.number)}</small>
      </span>
    </p>
  )
}

type Props = {
  flow: Flow
  numbers: Numbers
  limits: FlowLimits
  onLimits: (limits: FlowLimits) => void
}

/** What came of the published version, what ends the sequence, and its limits. */
export function ResultPanel({ flow, numbers, limits, onLimits }: Props) {
  const words = useTexts(sequenceTexts)
  const steps = numbers?.steps ?? []
  const sum = (what: 'answered' | 'left') => (numbers ? steps.reduce((n, one) => n + one[what], 0) : null)
  return (
    <>
      <div className={classes.result}>
        <ResultNumber flow={flow} numbers={numbers} />
      </div>
      <section className={classes.section} aria-labelledby="sequence-ends">
        <h2 id="sequence-ends">{words.ends}</h2>
        <ul className={classes.ends}>
          <End title={words.byAnswer} line={words.byAnswerLine} n={sum('answered')}>
            <Locked />
          </End>
          <End title={words.byOptOut} line={words.byOptOutLine} n={numbers?.optedOut ?? null}>
            <Locked />
          </End>
          <End
            title={words.byPerson}
            line={limits.goesOnWithPerson ? words.byPersonOff : words.byPersonLine}
            n={sum('left')}
          >
            <Switch
              aria-label={words.byPerson}
              checked={!limits.goesOnWithPerson}
              onChange={(event) => onLimits({ ...limits, goesOnWithPerson: !event.currentTarget.checked })}
            />
          </End>
        </ul>
      </section>
      <div className={classes.limits}>
        <LimitsBlock limits={limits} pattern={words.limitSentence} onChange={onLimits} />
      </div>
    </>
  )
}

type EndProps = { title: string; line: string; n: number | null; children: ReactNode }
const End = ({ title, line, n, children }: EndProps) => (
  <li>
    <span className={classes.endWords}>
      <b>{title}</b>
      <small>{line}</small>
    </span>
    {n !== null && n > 0 && <span className={classes.endCount}>{formatNumber(n)}</span>}
    {children}
  </li>
)

function Locked() {
  const words = useTexts(sequenceTexts)
  return (
    <span className={classes.locked} title={words.always}>
      <IconLock size={16} stroke={1.75} aria-hidden="true" />
      <span className="rc-sr">{words.always}</span>
    </span>
  )
}
