import { Button } from '@mantine/core'
import type { Connection } from '@recado/contract/connections'
import { lineTraits } from '@recado/contract/line-traits'
import { IconDeviceMobileMessage, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { usePrepareTestLine } from '../../parts/line/test-line.ts'
import { useLines } from '../../parts/line/use-lines.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import classes from './phone-page.module.css'
import { PhoneWorkbench } from './phone-workbench.tsx'
import { texts } from './texts.ts'
import { usePhoneAddress } from './use-phone-address.ts'

/** A customer's phone in the browser, beside the journal of the server's steps. */
export function PhonePage() {
  const words = useTexts(texts)
  const { data, isError, error, refetch } = useLines()
  const [address, setAddress] = usePhoneAddress()
  const lines = data?.filter((line) => lineTraits[line.provider].test) ?? []
  const [kept, setKept] = useState<number>()
  const line = lines.find((one) => one.id === (address.line ?? kept)) ?? pickDefaultLine(lines)
  // The preferred line changes with the states of the lines, but the open line stays open.
  if (line && line.id !== kept) setKept(line.id)
  if (line) return <PhoneWorkbench key={line.id} line={line} lines={lines} address={address} setAddress={setAddress} />
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <PageHeader title={words.title} line={words.line} />
      </div>
      {isError && <ErrorState title={words.failed} error={error} onRetry={() => void refetch()} />}
      {data && <NoTestLine onCreated={(made) => setAddress({ line: made.id }, true)} />}
    </div>
  )
}

/** The default line: a connected line, otherwise the first. */
const pickDefaultLine = (lines: Connection[]) => lines.find((line) => line.status === 'CONNECTED') ?? lines[0]

/** Shown without a test line: one button creates the line, links this phone to it, and lets customers write. */
function NoTestLine({ onCreated }: { onCreated: (line: Connection) => void }) {
  const words = useTexts(texts)
  const can = useCan()
  const makeLine = usePrepareTestLine()
  const [busy, setBusy] = useState(false)
  const make = async () => {
    setBusy(true)
    try {
      onCreated(await makeLine([]))
    } catch (error) {
      toast.error(error)
      setBusy(false)
    }
  }
  return (
    <EmptyState icon={<IconDeviceMobileMessage size={26} stroke={1.6} />} title={words.noLine} line={words.noLineText}>
      {can('connections-page:addConnection') && (
        <Button leftSection={<IconPlus size={17} stroke={2} />} loading={busy} onClick={() => void make()}>
          {words.makeLine}
        </Button>
      )}
    </EmptyState>
  )
}
