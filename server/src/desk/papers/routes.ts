import { Readable } from 'node:stream'
import { type PaperFormat, papersApi } from '@recado/contract/doors/moving'
import { writeDown } from '../../accounts/doors/audit.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { makeTurns } from '../../kernel/files/apart.ts'
import { route } from '../../kernel/http/http.ts'
import { type Conversation, conversationOf } from './conversation.ts'
import { htmlOf } from './html.ts'
import { pdfOf } from './pdf.ts'
import { textOf } from './text.ts'

type Written = {
  ending: string
  type: string
  write: (scope: Scope, conversation: Conversation) => AsyncGenerator<string | Uint8Array>
}
const formats: Record<PaperFormat, Written> = {
  pdf: { ending: 'pdf', type: 'application/pdf', write: pdfOf },
  html: { ending: 'html', type: 'text/html; charset=utf-8', write: htmlOf },
  text: { ending: 'txt', type: 'text/plain; charset=utf-8', write: (_, conversation) => textOf(conversation) },
}

/** More than a company saves at once; who takes their time reading keeps their colleagues waiting, and nobody else. */
const turns = makeTurns({ atOnce: 2, waiting: 10 })

export const paperRoutes = [
  route(papersApi.conversation, async (scope, { params, query }) => {
    const { ending, type, write } = formats[query.format]
    const conversation = await conversationOf(scope, params.ticketId, query.format)
    await writeDown(scope, 'export.conversation', params.ticketId, String(conversation.number))
    const done = await turns(scope.companyId)
    const content = Readable.from(write(scope, conversation), { objectMode: false, highWaterMark: 1 << 16 })
    // Also where nobody has read any of it.
    content.once('close', done)
    return { name: `${conversation.fileName}.${ending}`, type, content }
  }),
]
