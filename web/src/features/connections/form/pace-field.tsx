import { NumberInput, Select } from '@mantine/core'
import { type PaceMode, type Pacing, paceModes } from '@recado/contract/connections'
import type { ReactNode } from 'react'
import { formatDayTime, formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { InlineNotice } from '../../../ui/inline-notice.tsx'
import { FieldError } from '../../../ui/text-field.tsx'
import classes from '../pace.module.css'
import { usePaceText } from '../pace-meter.tsx'
import { paceTexts } from '../pace-texts.ts'

export type PaceValues = { mode: PaceMode; perMinute: number | ''; dailyCap: number | '' }

/** A cautious default for a company's own number. */
const defaultPerMinute = 6

export const toPaceValues = (pacing: Pacing | null | undefined): PaceValues => ({
  mode: pacing?.mode ?? 'auto',
  perMinute: pacing?.own?.perMinute ?? pacing?.perMinute ?? defaultPerMinute,
  dailyCap: pacing?.own?.dailyCap ?? '',
})

/** The two numbers apply only in custom mode. */
export const toPacingBody = ({ mode, perMinute, dailyCap }: PaceValues) =>
  mode === 'own'
    ? { mode, perMinute: Number(perMinute), dailyCap: dailyCap === '' ? null : Number(dailyCap) }
    : { mode }

type Props = {
  values: PaceValues
  /** The line's current pacing state; null for a line that is not linked yet. */
  pacing: Pacing | null
  lockedUntil: string | null
  errors: Record<string, ReactNode>
  onChange: (values: PaceValues) => void
}

/** How fast this line writes to people who did not write first. */
export function PaceField({ values, pacing, lockedUntil, errors, onChange }: Props) {
  const words = useTexts(paceTexts)
  const usedUp = usePaceText(pacing)
  const bound = (name: 'perMinute' | 'dailyCap') => ({
    value: values[name],
    min: 1,
    allowDecimal: false,
    size: 'sm' as const,
    error: errors[`pacing.${name}`] && <FieldError>{errors[`pacing.${name}`]}</FieldError>,
    onChange: (value: string | number) => onChange({ ...values, [name]: value === '' ? '' : Number(value) }),
  })
  return (
    <div className={classes.field}>
      <p className={classes.why}>{words.why}</p>
      {lockedUntil && <InlineNotice kind="warn">{words.lockedHelp(formatDayTime(lockedUntil))}</InlineNotice>}
      <Select
        label={words.mode}
        description={words.modeHelp[values.mode]}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        allowDeselect={false}
        data={paceModes.map((value) => ({ value, label: words.modes[value] }))}
        value={values.mode}
        onChange={(mode) => mode && onChange({ ...values, mode })}
      />
      {values.mode === 'own' && (
        <div className={classes.numbers}>
          <NumberInput label={words.perMinute} {...bound('perMinute')} max={600} />
          <NumberInput
            label={words.dailyCap}
            description={words.dailyCapHelp}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            {...bound('dailyCap')}
            max={100_000}
          />
        </div>
      )}
      {pacing && (
        <p className={classes.why}>
          {words.age(pacing.age)} {pacing.perMinute !== null && words.now(formatNumber(pacing.perMinute))} {usedUp}
        </p>
      )}
    </div>
  )
}
