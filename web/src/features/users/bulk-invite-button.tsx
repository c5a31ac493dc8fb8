import { Button } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { IconHint } from '../../ui/phone-bar/icon-hint.tsx'
import { bulkInviteTexts } from './bulk-invite-texts.ts'

const BulkInviteDialog = lazy(() =>
  import('./bulk-invite-dialog.tsx').then((module) => ({ default: module.BulkInviteDialog })),
)

export function BulkInviteButton() {
  const words = useTexts(bulkInviteTexts)
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={
          <>
            <IconMailPlus size={17} stroke={1.75} />
            <IconHint word="invite" />
          </>
        }
        onClick={() => setOpened(true)}
      >
        {words.open}
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <BulkInviteDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
