import type { Health } from '@recado/contract/machines/integrations'
import { IconAlertCircle, IconCircleCheck, IconClockPause, IconMinus, IconPlayerPause } from '@tabler/icons-react'
import { number } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { troubleIn, troubleTexts } from '../../parts/machines/trouble.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import { callsOf, type State, stateOf } from './health.ts'
import classes from './integrations.module.css'
import { texts } from './texts.ts'

const looks = {
  unused: { kind: 'off', icon: IconMinus },
  answers: { kind: 'ok', icon: IconCircleCheck },
  slow: { kind: 'warn', icon: IconClockPause },
  fails: { kind: 'danger', icon: IconAlertCircle },
  rests: { kind: 'danger', icon: IconPlayerPause },
} as const satisfies Record<State, unknown>

export const tookIn = (ms: number): string =>
  ms < 1000 ? `${number(ms)} ms` : `${number(Math.round(ms / 100) / 10)} s`

/** A word, and under it the reason. */
export function HealthCell({ health }: { health: Health }) {
  const words = useTexts(texts)
  const troubles = useTexts(troubleTexts)
  const state = stateOf(health, Date.now())
  const { kind, icon: Icon } = looks[state]
  const wrong = state === 'fails' || state === 'rests'
  const calls = callsOf(health)
  const line = wrong
    ? words.inRow(health.inRow, troubleIn(troubles, health.reason))
    : words.calls(calls, number(calls), tookIn(health.ms))
  return (
    <span className={classes.health} title={line}>
      <StatusChip kind={kind} icon={<Icon size={14} stroke={2} aria-hidden="true" />}>
        {words.states[state]}
      </StatusChip>
      {state !== 'unused' && <small data-wrong={wrong || undefined}>{line}</small>}
    </span>
  )
}

const tall = 22

/** Calls by the hour, the oldest left; hours with failures in red, hours without calls as a grey tick. */
export function Bars({ health: { calls, failed } }: { health: Health }) {
  const words = useTexts(texts)
  const most = Math.max(1, ...calls)
  const sum = calls.reduce((all, n) => all + n, 0)
  return (
    <span className={classes.bars} role="img" aria-label={words.lastDay(number(sum))}>
      {calls.map((n, hour) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: hours stand in their order
          key={hour}
          data-kind={n === 0 ? 'none' : (failed[hour] ?? 0) > 0 ? 'failed' : undefined}
          style={{ height: n === 0 ? 2 : Math.max(3, Math.round((n / most) * tall)) }}
        />
      ))}
    </span>
  )
}
