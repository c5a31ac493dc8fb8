import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { StepNumbers } from '@recado/contract/flows/flows'
import type { CSSProperties } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import classes from './panel.module.css'
import { stepPanelTexts } from './texts.ts'

const colors = {
  answered: 'var(--rc-chart-1)',
  passed: 'var(--rc-chart-1)',
  failed: 'var(--rc-chart-2)',
  left: 'var(--rc-chart-ghost)',
  inside: 'var(--rc-chart-3)',
} as const
type Part = { kind: keyof typeof colors; n: number }

const waitsForCustomer = (step: FlowStep): boolean =>
  step.kind === 'ask' ||
  (step.kind === 'wait' && step.until.kind === 'answer') ||
  (step.kind === 'respond' && step.turns > 1)

/** A run may leave a failed step for another try: only what is known is shown. */
function partsOf(step: FlowStep, { came, answered, left, failed, inside }: StepNumbers): Part[] {
  const passed = Math.max(0, came - left - failed - inside)
  const parts: Part[] = [
    waitsForCustomer(step) ? { kind: 'answered', n: answered } : { kind: 'passed', n: passed },
    { kind: 'failed', n: failed },
    { kind: 'left', n: left },
    { kind: 'inside', n: inside },
  ]
  return parts.filter(({ n, kind }) => n > 0 || kind === 'answered' || kind === 'passed')
}

type Props = { step: FlowStep; numbers: StepNumbers; version: number }

/** What came of a step in the published version. */
export function StepResults({ step, numbers, version }: Props) {
  const words = useTexts(stepPanelTexts)
  const parts = partsOf(step, numbers)
  const colorOf = (kind: Part['kind']) => ({ '--c': colors[kind] }) as CSSProperties
  return (
    <section className={classes.results} aria-label={words.numbers(version)}>
      <h3>
        {words.numbers(version)} · {numbers.came > 0 ? words.came(formatNumber(numbers.came)) : words.nobodyCame}
      </h3>
      {numbers.came > 0 && (
        <>
          <div className={classes.bar} aria-hidden="true">
            {parts
              .filter(({ n }) => n > 0)
              .map(({ kind, n }) => (
                <i key={kind} style={{ ...colorOf(kind), flexGrow: n }} />
              ))}
          </div>
          <dl>
            {parts.map(({ kind, n }) => (
              <ResultLine key={kind} name={words.numberNames[kind]} n={n} color={colorOf(kind)} />
            ))}
          </dl>
        </>
      )}
    </section>
  )
}

const ResultLine = ({ name, n, color }: { name: string; n: number; color: CSSProperties }) => (
  <>
    <dt>
      <i style={color} aria-hidden="true" />
      {name}
    </dt>
    <dd>{formatNumber(n)}</dd>
  </>
)
