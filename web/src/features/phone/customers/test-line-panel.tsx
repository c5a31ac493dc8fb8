import { Button, NativeSelect } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { sandboxApi } from '@recado/contract/sandbox'
import { lazy, Suspense } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { LineStatusChip, useLineStatusReason } from '../../../parts/line/line-status-chip.tsx'
import { openConfirm } from '../../../ui/confirm.tsx'
import page from '../phone-page.module.css'
import { texts } from '../texts.ts'
import classes from './customers.module.css'

const FaultInjection = lazy(() =>
  import('./fault-injection.tsx').then((module) => ({ default: module.FaultInjection })),
)

type Props = { line: Connection; lines: Connection[]; onSelectLine: (id: number) => void }

/** The customers' line, its state, and the simulated faults. */
export function TestLinePanel({ line, lines, onSelectLine }: Props) {
  const words = useTexts(texts)
  const reason = useLineStatusReason()(line)
  const unlink = async () => {
    const question = { title: words.unlinkAsk(line.name), consequence: words.unlinkLine, verb: words.unlinkVerb }
    if (!(await openConfirm(question))) return
    await callApi(sandboxApi.unlink, { params: { whatsappId: line.id } }).catch(toast.error)
  }
  return (
    <>
      <div className={page.section}>
        <NativeSelect
          label={words.writesThrough}
          data={lines.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(line.id)}
          onChange={(event) => onSelectLine(Number(event.currentTarget.value))}
        />
        <div className={classes.status}>
          <LineStatusChip status={line.status} />
          {line.status === 'CONNECTED' && (
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              className={classes.unlink ?? ''}
              onClick={() => void unlink()}
            >
              {words.unlink}
            </Button>
          )}
        </div>
        {reason && <p className={classes.reason}>{reason}</p>}
      </div>
      <Suspense fallback={null}>
        <FaultInjection line={line} />
      </Suspense>
    </>
  )
}
