import type { IntegrationHealth } from '@recado/contract/integrations/integrations'
import { IconAlertCircle, IconCircleCheck, IconClockPause, IconMinus, IconPlayerPause } from '@tabler/icons-react'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { callFailureTexts, describeCallFailure } from '../../parts/integrations/call-failures.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import { countCalls, type IntegrationState, integrationState } from './integration-health.ts'
import classes from './integrations.module.css'
import { texts } from './texts.ts'

const stateStyles = {
  unused: { kind: 'off', icon: IconMinus },
  answers: { kind: 'ok', icon: IconCircleCheck },
  slow: { kind: 'warn', icon: IconClockPause },
  fails: { kind: 'danger', icon: IconAlertCircle },
  rests: { kind: 'danger', icon: IconPlayerPause },
} as const satisfies Record<IntegrationState, unknown>

export const formatCallDuration = (ms: number): string =>
  ms < 1000 ? `${formatNumber(ms)} ms` : `${formatNumber(Math.round(ms / 100) / 10)} s`

/** The state, with the reason below it. */
export function IntegrationHealthCell({ health }: { health: IntegrationHealth }) {
  const words = useTexts(texts)
  const troubles = useTexts(callFailureTexts)
  const state = integrationState(health, Date.now())
  const { kind, icon: Icon } = stateStyles[state]
  const wrong = state === 'fails' || state === 'rests'
  const calls = countCalls(health)
  const line = wrong
    ? words.inRow(health.inRow, describeCallFailure(troubles, health.reason))
    : words.calls(calls, formatNumber(calls), formatCallDuration(health.ms))
  return (
    <span className={classes.health} title={line}>
      <StatusChip kind={kind} icon={<Icon size={14} stroke={2} aria-hidden="true" />}>
        {words.states[state]}
      </StatusChip>
      {state !== 'unused' && <small data-wrong={wrong || undefined}>{line}</small>}
    </span>
  )
}

const barHeight = 22

/** Calls per hour, oldest left; hours with failures in red, hours without calls as a grey tick. */
export function CallsPerHourBars({ health: { calls, failed } }: { health: IntegrationHealth }) {
  const words = useTexts(texts)
  const maxCalls = Math.max(1, ...calls)
  const sum = calls.reduce((all, n) => all + n, 0)
  return (
    <span className={classes.bars} role="img" aria-label={words.lastDay(formatNumber(sum))}>
      {calls.map((n, hour) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: hours stand in their order
          key={hour}
          data-kind={n === 0 ? 'none' : (failed[hour] ?? 0) > 0 ? 'failed' : undefined}
          style={{ height: n === 0 ? 2 : Math.max(3, Math.round((n / maxCalls) * barHeight)) }}
        />
      ))}
    </span>
  )
}
