import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../lib/texts.ts'
import { toast } from '../lib/toast.ts'
import { openConfirm } from '../ui/confirm.tsx'
import type { RecordRow } from './merge-rows.ts'
import classes from './records.module.css'
import { recordTexts } from './texts.ts'
import type { SelectedRows } from './use-selected-rows.ts'

/** The words of what is done to several at once; grammar cannot be composed. */
export type BulkActionWords = { removeAsk: (n: number) => string; removed: (n: number) => string; consequence: string }

type Props<R> = {
  picked: SelectedRows<R>
  words: BulkActionWords
  remove: (row: R) => Promise<unknown>
  onGone: (row: R) => void
}

/** How many are picked, and what can be done with them. */
export function BulkActions<R extends RecordRow>({ picked, words, remove, onGone }: Props<R>) {
  const common = useTexts(recordTexts)
  const [busy, setBusy] = useState(false)
  const { rows } = picked
  // One after the other: each is checked by itself, and what went before a refusal is gone.
  const removeAll = async () => {
    const question = { title: words.removeAsk(rows.length), consequence: words.consequence, verb: common.remove }
    if (!(await openConfirm(question))) return
    setBusy(true)
    let gone = 0
    try {
      for (const row of rows) {
        await remove(row)
        onGone(row)
        gone++
      }
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
    if (gone > 0) toast.ok(words.removed(gone))
  }
  return (
    <span className={classes.several}>
      <span role="status">{common.picked(rows.length)}</span>
      <Button
        size="xs"
        variant="default"
        className={classes.danger ?? ''}
        loading={busy}
        leftSection={<IconTrash size={15} stroke={1.75} />}
        onClick={() => void removeAll()}
      >
        {common.removePicked}
      </Button>
      <Button size="xs" variant="subtle" disabled={busy} onClick={picked.clear}>
        {common.unpick}
      </Button>
    </span>
  )
}
