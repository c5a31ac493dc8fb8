import { Button } from '@mantine/core'
import { IconMailPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { currentTexts, defineTexts, useTexts } from '../../lib/texts.ts'
import { IconHintText } from '../../ui/phone-bar/icon-hint-text.tsx'
import { bulkInviteTexts } from './bulk-invite-texts.ts'

/** The word below the icon, on a phone. */
const hints = defineTexts({ es: { invite: 'Invitar' }, pt: { invite: 'Convidar' }, en: { invite: 'Invite' } })

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
            <IconHintText>{currentTexts(hints).invite}</IconHintText>
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
