import { type ConversationExportFormat, exportsApi } from '@recado/contract/api-access/export-and-erasure'
import type { Ticket } from '@recado/contract/tickets'
import { callApiForFile } from '../../../lib/api.ts'
import { downloadFile } from '../../../lib/download.ts'
import { currentTexts } from '../../../lib/texts.ts'
import { toast } from '../../../lib/toast.ts'
import { ticketDialogTexts } from './texts.ts'

const exportFileTypes: Record<ConversationExportFormat, { extension: string; type: string }> = {
  pdf: { extension: 'pdf', type: 'application/pdf' },
  html: { extension: 'html', type: 'text/html;charset=utf-8' },
  text: { extension: 'txt', type: 'text/plain;charset=utf-8' },
}

/** Exports in the background, also while another ticket is open. */
export async function exportConversation(ticket: Ticket, format: ConversationExportFormat): Promise<void> {
  const words = currentTexts(ticketDialogTexts)
  const id = `export-${ticket.id}`
  toast.info(words.exporting, ticket.contact.name, { id, isPersistent: true })
  try {
    const { file } = await callApiForFile(exportsApi.conversation, {
      params: { ticketId: ticket.id },
      query: { format },
    })
    const { extension, type } = exportFileTypes[format]
    downloadFile(`${ticket.contact.name} ${ticket.number}.${extension}`, file, type)
    toast.hide(id)
  } catch (error) {
    toast.hide(id)
    toast.error(error, words.notExported)
  }
}
