import { useNavigate } from '@tanstack/react-router'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { SheetForm } from '../../ui/sheet.tsx'
import { newTicketTexts } from './texts.ts'

/** Tells the user that no message can be sent without a line, and links to the lines. */
export function NoLineDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useTexts(newTicketTexts)
  const navigate = useNavigate()
  const may = useCan()('connections-page:addConnection')
  const openConnections = () => {
    onClose()
    if (may) void navigate({ to: '/connections' as string, search: { new: true } as never })
  }
  return (
    <SheetForm
      opened={opened}
      onClose={onClose}
      size={440}
      title={words.noLine}
      submitLabel={may ? words.makeLine : words.understood}
      isBusy={false}
      onSubmit={openConnections}
    >
      <p style={{ margin: 0 }}>{may ? words.noLineText : words.askForLine}</p>
    </SheetForm>
  )
}
