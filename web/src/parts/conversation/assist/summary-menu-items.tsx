import { Menu } from '@mantine/core'
import { assistApi } from '@recado/contract/ai/assist'
import type { Ticket } from '@recado/contract/tickets'
import { IconChecklist, IconNotes } from '@tabler/icons-react'
import { callApi } from '../../../lib/api.ts'
import { currentTexts, useTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { useTicketActions } from '../../ticket/ticket-actions.ts'
import { texts } from './texts.ts'
import { useAssistState } from './use-assist-state.ts'

/** Items of the ticket's menu that add a summary as a note. */
export function SummaryMenuItems({ ticket }: { ticket: Ticket }) {
  const words = useTexts(texts)
  const actions = useTicketActions()
  const { on: isEnabled } = useAssistState(ticket.id, ticket.contactId)
  const icon = { size: 18, stroke: 1.75 }
  if (!isEnabled) return null
  return (
    <>
      <Menu.Item leftSection={<IconNotes {...icon} />} onClick={() => void summarizeTicket(ticket, 'transfer')}>
        {words.summariseToNote}
      </Menu.Item>
      {ticket.status === 'open' && (
        <Menu.Item
          leftSection={<IconChecklist {...icon} />}
          onClick={async () => {
            if (await actions.resolve(ticket)) void summarizeTicket(ticket, 'end')
          }}
        >
          {words.resolveAndSum}
        </Menu.Item>
      )}
    </>
  )
}

/** Summarizes in the background, also while another ticket is open, until it is done or cancelled. */
async function summarizeTicket(ticket: Ticket, why: 'transfer' | 'end'): Promise<void> {
  const words = currentTexts(texts)
  const abort = new AbortController()
  const id = `sum-${ticket.id}`
  const cancel = { label: words.cancel, run: () => abort.abort() }
  toast.info(words.summarising, ticket.contact.name, { id, isPersistent: true, action: cancel })
  const body = { why, keep: true }
  try {
    await callApi(assistApi.summarise, { params: { ticketId: ticket.id }, body }, { signal: abort.signal })
    toast.ok(words.summed, ticket.contact.name, { id })
  } catch (error) {
    toast.hide(id)
    toast.error(error, words.notSummed)
  }
}
