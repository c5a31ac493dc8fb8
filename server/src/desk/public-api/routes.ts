import { apiMessagesApi } from '@recado/contract/api-access/api-messages'
import type { PhoneQueries } from '../../directory/contacts/phone-queries.ts'
import type { AttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import type { LoadTemplates } from '../../lines/cloud/templates.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { resolveLine } from './lines.ts'
import { checkNumbers } from './numbers.ts'
import { findApiMessage, listApiMessages } from './read.ts'
import { sendFromApi } from './send.ts'
import { makeWriteBatcher } from './write-batcher.ts'

/** These routes run without a transaction, because they wait for WhatsApp. */
const ownTransaction = { transaction: false }

export function publicApiRoutes(
  phones: PhoneQueries,
  numberCheckLimit: AttemptLimiter,
  loadTemplates: LoadTemplates,
): Route[] {
  const deps = { phones, loadTemplates, numberCheckLimit, writeBatcher: makeWriteBatcher() }
  return [
    route(
      apiMessagesApi.send,
      async (scope, { body }, { request, uploads }) => {
        const call = await readIdempotencyKey(request.headers['idempotency-key'], body, uploads)
        return sendFromApi(scope, body, uploads, call, deps)
      },
      ownTransaction,
    ),
    route(apiMessagesApi.show, (scope, { params }) => findApiMessage(scope, params.id)),
    route(apiMessagesApi.list, (scope, { query }) => listApiMessages(scope, query)),
    route(
      apiMessagesApi.check,
      async (scope, { body }) => {
        const line = await resolveLine(scope, body.whatsappId ?? null)
        return { numbers: await checkNumbers(scope, line, body.numbers, deps) }
      },
      ownTransaction,
    ),
  ]
}
