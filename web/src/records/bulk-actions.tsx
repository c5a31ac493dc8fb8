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

/** Texts of bulk actions. Each is a whole sentence, because grammar cannot be composed. */
export type BulkActionWords = { removeAsk: (n: number) => string; removed: (n: number) => string; consequence: string }

type Props<R> = {
  selection: SelectedRows<R>
  words: BulkActionWords
  remove: (row: R) => Promise<unknown>
  onRemoved: (row: R) => void
}

/** The number of selected rows and their actions. */
export function BulkActions<R extends RecordRow>({ selection, words, remove, onRemoved }: Props<R>) {
  const common = useTexts(recordTexts)
  const [busy, setBusy] = useState(false)
  const { rows } = selection
  // Rows are deleted one after another: each is checked separately, and rows before a refusal stay deleted.
  const removeAll = async () => {
    const question = { title: words.removeAsk(rows.length), consequence: words.consequence, verb: common.remove }
    if (!(await openConfirm(question))) return
    setBusy(true)
    let removedCount = 0
    try {
      for (const row of rows) {
        await remove(row)
        onRemoved(row)
        removedCount++
      }
    } catch (error) {
      toast.error(error)
    }
    setBusy(false)
    if (removedCount > 0) toast.ok(words.removed(removedCount))
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
      <Button size="xs" variant="subtle" disabled={busy} onClick={selection.clear}>
        {common.unpick}
      </Button>
    </span>
  )
}
