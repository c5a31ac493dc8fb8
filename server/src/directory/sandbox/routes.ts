import { randomUUID } from 'node:crypto'
import { lineTraits } from '@recado/contract/line-traits'
import { sandboxApi } from '@recado/contract/sandbox'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/routes.ts'
import { markReadByCustomer } from '../../lines/sandbox/customer-actions.ts'
import {
  cutPhoneConnection,
  loadTestPhone,
  publishPhoneChange,
  setPhoneBehaviour,
  setPhoneLinked,
  signalCustomerTyping,
} from '../../lines/sandbox/test-phone.ts'
import { findLine } from '../connections/find-line.ts'
import type { ConnectionRow } from '../connections/view.ts'
import { addSandboxCustomer, writeAsCustomer } from './customer-writes.ts'
import { listHappenings, listPhoneCustomers, listPhoneMessages, normalizeChatAddress } from './phone-view.ts'

/** The test line of that id; any other line is "not found". */
async function findTestLine(scope: Scope, id: number): Promise<ConnectionRow> {
  const row = await findLine(scope, id)
  if (!lineTraits[row.provider].test) throw new AppError('ERR_NO_WAPP_FOUND')
  return row
}

const okReply = { message: 'ok' }

export const sandboxRoutes = [
  route(sandboxApi.scan, async (scope, { params }) => {
    const row = await findTestLine(scope, params.whatsappId)
    // A hidden QR code cannot be scanned. While the line is opening, its code is about to be shown, so scanning is
    // allowed.
    if (!row.wanted) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    await setPhoneLinked(scope, row.id, true)
    return okReply
  }),
  route(sandboxApi.unlink, async (scope, { params }) => {
    const row = await findTestLine(scope, params.whatsappId)
    await setPhoneLinked(scope, row.id, false)
    return okReply
  }),
  route(sandboxApi.customers, async (scope, { params }) =>
    listPhoneCustomers(scope, (await findTestLine(scope, params.whatsappId)).id),
  ),
  route(
    sandboxApi.addCustomer,
    async (scope, { params, body }) =>
      addSandboxCustomer(scope, (await findTestLine(scope, params.whatsappId)).id, body),
    {
      transaction: false,
    },
  ),
  // A single statement needs no transaction.
  route(
    sandboxApi.send,
    (scope, { params, body }, { uploads }) => writeAsCustomer(scope, params.whatsappId, body, uploads),
    {
      transaction: false,
    },
  ),
  route(sandboxApi.messages, async (scope, { params, query }) => {
    const { id } = await findTestLine(scope, params.whatsappId)
    return listPhoneMessages(scope, id, normalizeChatAddress(query.with), query.pageNumber)
  }),
  route(sandboxApi.read, async (scope, { params, body }) => {
    const { id } = await findTestLine(scope, params.whatsappId)
    const chat = normalizeChatAddress(body.with)
    await markReadByCustomer(scope, id, chat, `read:${randomUUID()}`)
    publishPhoneChange(scope, id, chat)
    return okReply
  }),
  route(sandboxApi.typing, async (scope, { params, body }) => {
    await findTestLine(scope, params.whatsappId)
    await signalCustomerTyping(scope, params.whatsappId, body.from, body.typing)
    return okReply
  }),
  route(
    sandboxApi.behaviour,
    async (scope, { params }) =>
      (await loadTestPhone(scope, (await findTestLine(scope, params.whatsappId)).id)).behaviour,
  ),
  route(sandboxApi.misbehave, async (scope, { params, body }) => {
    const { id } = await findTestLine(scope, params.whatsappId)
    await setPhoneBehaviour(scope, id, body)
    return body
  }),
  route(sandboxApi.drop, async (scope, { params }) => {
    await findTestLine(scope, params.whatsappId)
    await cutPhoneConnection(scope, params.whatsappId)
    return okReply
  }),
  route(sandboxApi.inside, async (scope, { params, query }) =>
    listHappenings(scope, (await findTestLine(scope, params.whatsappId)).id, normalizeChatAddress(query.with)),
  ),
]
