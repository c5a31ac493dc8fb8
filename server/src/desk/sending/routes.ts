import { sendingApi } from '@recado/contract/doors/sending'
import type { Phones } from '../../directory/contacts/phones.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type Route, route } from '../../kernel/http/http.ts'
import type { AskTemplates } from '../../lines/cloud/templates.ts'
import { callOf } from './calls.ts'
import { makeGathered } from './gathered.ts'
import { lineOf } from './lines.ts'
import { checkNumbers, makeAsking } from './numbers.ts'
import { listMessages, showMessage } from './read.ts'
import { sendFor } from './send.ts'

/** Nobody's transaction waits for WhatsApp. */
const ownTransaction = { transaction: false }

export function sendingRoutes(clock: Clock, phones: Phones, ask: AskTemplates): Route[] {
  const outside = { phones, ask, asking: makeAsking(clock), gathered: makeGathered() }
  return [
    route(
      sendingApi.send,
      async (scope, { body }, { request, uploads }) => {
        const call = await callOf(request.headers['idempotency-key'], body, uploads)
        return sendFor(scope, body, uploads, call, outside)
      },
      ownTransaction,
    ),
    route(sendingApi.show, (scope, { params }) => showMessage(scope, params.id)),
    route(sendingApi.list, (scope, { query }) => listMessages(scope, query)),
    route(
      sendingApi.check,
      async (scope, { body }) => {
        const line = await lineOf(scope, body.whatsappId ?? null)
        return { numbers: await checkNumbers(scope, line, body.numbers, outside) }
      },
      ownTransaction,
    ),
  ]
}
