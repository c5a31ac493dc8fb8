import { NativeSelect } from '@mantine/core'
import { useTexts } from '../../lib/texts.ts'
import classes from './sheet.module.css'
import { type Target, targets } from './targets.ts'
import { importTexts } from './texts.ts'

type Props = { name: string; target: Target | null; onChange: (target: Target | null) => void }

/** A column of a sheet, and what we take it for. */
export function ColumnHead({ name, target, onChange }: Props) {
  const words = useTexts(importTexts)
  return (
    <th scope="col" data-used={target !== null || undefined}>
      <span className={classes.columnName} title={name}>
        {name}
      </span>
      <NativeSelect
        size="xs"
        aria-label={words.columnOf(name)}
        value={target ?? ''}
        onChange={(event) => onChange((event.currentTarget.value || null) as Target | null)}
        data={[{ value: '', label: words.ignore }, ...targets.map((value) => ({ value, label: words.field[value] }))]}
      />
    </th>
  )
}
