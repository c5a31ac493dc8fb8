import { useTexts } from '../../../lib/texts.ts'
import { Sheet } from '../../../ui/sheet.tsx'
import { useDelayedOpen } from '../../../ui/use-delayed-open.ts'
import { DeliveryPane } from './delivery-pane.tsx'
import { webhookTexts } from './texts.ts'

type Props = { hook: number; id: string; onClose: () => void }

/** Shows a delivery where there is no room beside the log. */
export function DeliverySheet({ hook, id, onClose }: Props) {
  const words = useTexts(webhookTexts)
  const opened = useDelayedOpen(true)
  return (
    <Sheet opened={opened} onClose={onClose} title={words.delivery} size={560}>
      <DeliveryPane hook={hook} id={id} />
    </Sheet>
  )
}
