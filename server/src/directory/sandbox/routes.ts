import { randomUUID } from 'node:crypto'
import { sandboxApi } from '@recado/contract/sandbox'
import { traits } from '@recado/contract/traits'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { route } from '../../kernel/http/http.ts'
import { customerReads } from '../../lines/sandbox/deeds.ts'
import { customerTypes, cut, phoneOf, setBehaviour, setLinked, tellPhone } from '../../lines/sandbox/phone.ts'
import { findLine } from '../connections/connections.ts'
import type { ConnectionRow } from '../connections/view.ts'
import { address, customersShown, happeningsOf, messagesShown } from './view.ts'
import { addCustomer, write } from './writes.ts'

/** The test line of that id; any other line is not there. */
async function testLine(scope: Scope, id: number): Promise<ConnectionRow> {
  const row = await findLine(scope, id)
  if (!traits[row.provider].test) throw new AppError('ERR_NO_WAPP_FOUND')
  return row
}

const done = { message: 'ok' }

export const sandboxRoutes = [
  route(sandboxApi.scan, async (scope, { params }) => {
    const row = await testLine(scope, params.whatsappId)
    // Nobody can scan a code that is not shown; while the line opens, it is about to be.
    if (!row.wanted) throw new AppError('ERR_WAPP_NOT_INITIALIZED')
    await setLinked(scope, row.id, true)
    return done
  }),
  route(sandboxApi.unlink, async (scope, { params }) => {
    const row = await testLine(scope, params.whatsappId)
    await setLinked(scope, row.id, false)
    return done
  }),
  route(sandboxApi.customers, async (scope, { params }) =>
    customersShown(scope, (await testLine(scope, params.whatsappId)).id),
  ),
  route(
    sandboxApi.addCustomer,
    async (scope, { params, body }) => addCustomer(scope, (await testLine(scope, params.whatsappId)).id, body),
    {
      transaction: false,
    },
  ),
  // One statement by itself: a transaction around it would only cost time.
  route(sandboxApi.send, (scope, { params, body }, { uploads }) => write(scope, params.whatsappId, body, uploads), {
    transaction: false,
  }),
  route(sandboxApi.messages, async (scope, { params, query }) => {
    const { id } = await testLine(scope, params.whatsappId)
    return messagesShown(scope, id, address(query.with), query.pageNumber)
  }),
  route(sandboxApi.read, async (scope, { params, body }) => {
    const { id } = await testLine(scope, params.whatsappId)
    const chat = address(body.with)
    await customerReads(scope, id, chat, `read:${randomUUID()}`)
    tellPhone(scope, id, chat)
    return done
  }),
  route(sandboxApi.typing, async (scope, { params, body }) => {
    await testLine(scope, params.whatsappId)
    await customerTypes(scope, params.whatsappId, body.from, body.typing)
    return done
  }),
  route(
    sandboxApi.behaviour,
    async (scope, { params }) => (await phoneOf(scope, (await testLine(scope, params.whatsappId)).id)).behaviour,
  ),
  route(sandboxApi.misbehave, async (scope, { params, body }) => {
    const { id } = await testLine(scope, params.whatsappId)
    await setBehaviour(scope, id, body)
    return body
  }),
  route(sandboxApi.drop, async (scope, { params }) => {
    await testLine(scope, params.whatsappId)
    await cut(scope, params.whatsappId)
    return done
  }),
  route(sandboxApi.inside, async (scope, { params, query }) =>
    happeningsOf(scope, (await testLine(scope, params.whatsappId)).id, address(query.with)),
  ),
]
