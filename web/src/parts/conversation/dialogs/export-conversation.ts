import { type PaperFormat, papersApi } from '@recado/contract/doors/moving'
import type { Ticket } from '@recado/contract/tickets'
import { callFile } from '../../../lib/api.ts'
import { download } from '../../../lib/download.ts'
import { textsNow } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { dialogTexts } from './texts.ts'

const files: Record<PaperFormat, { ending: string; type: string }> = {
  pdf: { ending: 'pdf', type: 'application/pdf' },
  html: { ending: 'html', type: 'text/html;charset=utf-8' },
  text: { ending: 'txt', type: 'text/plain;charset=utf-8' },
}

/** Nobody waits for it: it goes on while another ticket is open. */
export async function exportConversation(ticket: Ticket, format: PaperFormat): Promise<void> {
  const words = textsNow(dialogTexts)
  const id = `export-${ticket.id}`
  toast.info(words.exporting, ticket.contact.name, { id, stays: true })
  try {
    const { file } = await callFile(papersApi.conversation, { params: { ticketId: ticket.id }, query: { format } })
    const { ending, type } = files[format]
    download(`${ticket.contact.name} ${ticket.number}.${ending}`, file, type)
    toast.hide(id)
  } catch (error) {
    toast.hide(id)
    toast.error(error, words.notExported)
  }
}
