import { Button, Group, Progress } from '@mantine/core'
import type { ListImport } from '@recado/contract/campaigns/contact-lists'
import { useState } from 'react'
import { formatNumber } from '../../../../lib/format.ts'
import { useTexts } from '../../../../lib/texts.ts'
import classes from '../../../../parts/spreadsheet/spreadsheet.module.css'
import { importTexts } from '../../../../parts/spreadsheet/texts.ts'
import { texts } from '../texts.ts'

type Props = { listImport: ListImport; onStop: () => Promise<void>; onClose: () => void }

export function ListImportRunningStep({ listImport, onStop, onClose }: Props) {
  const words = useTexts(texts)
  const common = useTexts(importTexts)
  const [stopping, setStopping] = useState(false)
  const { total, done, created } = listImport
  const stop = async () => {
    setStopping(true)
    await onStop()
    setStopping(false)
  }
  return (
    <div className={classes.waiting}>
      <Progress
        value={total > 0 ? (done / total) * 100 : 0}
        aria-label={words.importing(formatNumber(done), formatNumber(total))}
      />
      <p role="status">
        {common.sending(formatNumber(done), formatNumber(total))} · {words.entered(created, formatNumber(created))}
      </p>
      <p>{words.goesOn}</p>
      <Group gap="sm">
        <Button variant="default" onClick={() => void stop()} disabled={stopping}>
          {stopping ? common.stopping : common.stop}
        </Button>
        <Button onClick={onClose} data-autofocus>
          {words.leaveRunning}
        </Button>
      </Group>
    </div>
  )
}
