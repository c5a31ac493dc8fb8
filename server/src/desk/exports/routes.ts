import { Readable } from 'node:stream'
import { type ConversationExportFormat, exportsApi } from '@recado/contract/api-access/export-and-erasure'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { makeCompanySlots } from '../../kernel/files/in-worker.ts'
import { route } from '../../kernel/http/routes.ts'
import { type ExportedConversation, loadConversation } from './conversation.ts'
import { renderHtml } from './html.ts'
import { renderPdf } from './pdf.ts'
import { renderText } from './text.ts'

type ExportFormat = {
  extension: string
  type: string
  write: (scope: Scope, conversation: ExportedConversation) => AsyncGenerator<string | Uint8Array>
}
const formats: Record<ConversationExportFormat, ExportFormat> = {
  pdf: { extension: 'pdf', type: 'application/pdf', write: renderPdf },
  html: { extension: 'html', type: 'text/html; charset=utf-8', write: renderHtml },
  text: { extension: 'txt', type: 'text/plain; charset=utf-8', write: (_, conversation) => renderText(conversation) },
}

/** Limits the exports of a company at the same time; a slow reader blocks only colleagues of the same company. */
const exportTurns = makeCompanySlots({ maxRunning: 2, maxWaiting: 10 })

export const exportRoutes = [
  route(exportsApi.conversation, async (scope, { params, query }) => {
    const { extension: ending, type, write } = formats[query.format]
    const conversation = await loadConversation(scope, params.ticketId, query.format)
    await writeAudit(scope, 'export.conversation', params.ticketId, String(conversation.number))
    const done = await exportTurns(scope.companyId)
    const content = Readable.from(write(scope, conversation), { objectMode: false, highWaterMark: 1 << 16 })
    // 'close' is emitted even if the client has read nothing.
    content.once('close', done)
    return { name: `${conversation.fileName}.${ending}`, type, content }
  }),
]
