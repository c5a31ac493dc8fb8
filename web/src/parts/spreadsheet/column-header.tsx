import { NativeSelect } from '@mantine/core'
import { useTexts } from '../../lib/texts.ts'
import { type ColumnTarget, columnTargets } from './column-targets.ts'
import classes from './spreadsheet.module.css'
import { importTexts } from './texts.ts'

type Props = { name: string; target: ColumnTarget | null; onChange: (target: ColumnTarget | null) => void }

/** A column of a sheet with its assigned field. */
export function ColumnHeader({ name, target, onChange }: Props) {
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
        onChange={(event) => onChange((event.currentTarget.value || null) as ColumnTarget | null)}
        data={[
          { value: '', label: words.ignore },
          ...columnTargets.map((value) => ({ value, label: words.field[value] })),
        ]}
      />
    </th>
  )
}
