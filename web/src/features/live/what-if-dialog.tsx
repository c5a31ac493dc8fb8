import { Modal, NativeSelect, Stack } from '@mantine/core'
import type { Queue } from '@recado/contract/queues'
import { useState } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { WhatIfPanel } from '../../parts/routing/what-if-panel.tsx'
import { whatIfTexts } from '../../parts/routing/what-if-texts.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'

/** The last month of one of these queues, replayed with a person more. */
export function WhatIfDialog({ queues, onClose }: { queues: Queue[]; onClose: () => void }) {
  const words = useTexts(whatIfTexts)
  const phone = useIsPhone()
  const [chosenId, setChosenId] = useState(queues[0]?.id)
  const queue = queues.find(({ id }) => id === chosenId)
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={phone}
      title={words.title}
      closeButtonProps={{ 'aria-label': words.close }}
    >
      <Stack gap="md" p={20}>
        <NativeSelect
          label={words.queue}
          value={String(chosenId ?? '')}
          onChange={(event) => setChosenId(Number(event.currentTarget.value))}
          data={queues.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        {queue && <WhatIfPanel key={queue.id} queueId={queue.id} routing={queue.routing} capacity={queue.capacity} />}
      </Stack>
    </Modal>
  )
}
