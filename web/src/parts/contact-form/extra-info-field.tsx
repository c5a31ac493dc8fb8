import { ActionIcon, Button, Input, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { type ReactNode, useRef } from 'react'
import { useTexts } from '../../lib/texts.ts'
import classes from './contact-form.module.css'
import { contactFormTexts } from './texts.ts'

/** One detail of a contact. `key` stays the same when the row moves; `id` comes with the first save. */
export type ExtraInfoRow = { key: string; id?: number; name: string; value: string }

let newRowCount = 0
const createExtraInfoRow = (): ExtraInfoRow => ({ key: `new-${++newRowCount}`, name: '', value: '' })

type Props = {
  rows: ExtraInfoRow[]
  onChange: (rows: ExtraInfoRow[]) => void
  errorAt: (index: number) => ReactNode
}

/** Any number of pairs of name and value. */
export function ExtraInfoField({ rows, onChange, errorAt }: Props) {
  const words = useTexts(contactFormTexts)
  const list = useRef<HTMLUListElement>(null)
  const change = (index: number, part: Partial<ExtraInfoRow>) =>
    onChange(rows.map((row, i) => (i === index ? { ...row, ...part } : row)))
  const add = () => {
    onChange([...rows, createExtraInfoRow()])
    requestAnimationFrame(() => list.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus())
  }
  return (
    <div className={classes.extra}>
      <div className={classes.head}>
        <Input.Label labelElement="div">{words.extra}</Input.Label>
        <Button size="xs" variant="default" leftSection={<IconPlus size={15} stroke={2} />} onClick={add}>
          {words.addExtra}
        </Button>
      </div>
      {rows.length === 0 && <p className={classes.none}>{words.noExtra}</p>}
      <ul className={classes.rows} ref={list}>
        {rows.map((row, i) => (
          <li key={row.key} className={classes.row}>
            <TextInput
              aria-label={words.extraName(i + 1)}
              placeholder={words.extraNameHint}
              maxLength={100}
              value={row.name}
              error={errorAt(i)}
              onChange={(event) => change(i, { name: event.currentTarget.value })}
            />
            <TextInput
              aria-label={words.extraValue(i + 1)}
              placeholder={words.extraValueHint}
              maxLength={1000}
              value={row.value}
              onChange={(event) => change(i, { value: event.currentTarget.value })}
            />
            <RemoveButton name={row.name || words.anExtra(i + 1)} onClick={() => onChange(rows.toSpliced(i, 1))} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function RemoveButton({ name, onClick }: { name: string; onClick: () => void }) {
  const words = useTexts(contactFormTexts)
  return (
    <Tooltip label={words.removeExtra(name)}>
      <ActionIcon size={34} aria-label={words.removeExtra(name)} onClick={onClick}>
        <IconTrash size={17} stroke={1.75} />
      </ActionIcon>
    </Tooltip>
  )
}
