import { Switch } from '@mantine/core'
import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import { lazy, Suspense } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { userTexts } from '../user-texts.ts'

const HoursField = lazy(() => import('../hours/hours-field.tsx').then((module) => ({ default: module.HoursField })))

type Props = { value: Hours[]; onChange: (week: Hours[]) => void }

/** The weekly plan of a person. Without one they are always on shift. */
export function ShiftsField({ value, onChange }: Props) {
  const words = useTexts(userTexts)
  return (
    <div>
      <Switch
        mb={value.length > 0 ? 10 : 0}
        label={words.shifts}
        description={words.shiftsHelp}
        checked={value.length > 0}
        onChange={(event) => onChange(event.currentTarget.checked ? defaultHours : [])}
      />
      {value.length > 0 && (
        <Suspense fallback={null}>
          <HoursField value={value} onChange={onChange} />
        </Suspense>
      )}
    </div>
  )
}
