import { randomBytes, randomUUID } from 'node:crypto'
import { type Customer, type PhoneWrite, sandboxApi } from '@recado/contract/sandbox'
import type { z } from 'zod'
import { AppError } from '../kernel/errors.ts'
import type { Stored, Upload } from '../kernel/files.ts'
import { route } from '../kernel/http.ts'
import type { Scope } from '../kernel/scope.ts'
import { customerReads, type Deed, perform } from '../lines/sandbox/chat.ts'
import type { Extra } from '../lines/sandbox/events.ts'
import {
  customerTypes,
  cut,
  meetCustomer,
  phoneOf,
  setBehaviour,
  setLinked,
  tellPhone,
} from '../lines/sandbox/phone.ts'
import type { ConnectionRow } from './connection-view.ts'
import { findLine } from './connections.ts'
import { address, customersShown, happeningsOf, messagesShown } from './sandbox-view.ts'

/** The test line of that id; any other line is not there. */
async function testLine(scope: Scope, id: number): Promise<ConnectionRow> {
  const row = await findLine(scope, id)
  if (row.provider !== 'sandbox') throw new AppError('ERR_NO_WAPP_FOUND')
  return row
}

const done = { message: 'ok' }

/** WhatsApp's own look: upper-case and long enough never to meet another. */
const newId = () => `SB${randomBytes(9).toString('hex').toUpperCase()}`

/** What a deed of this kind carries; a deed about another message must say which. */
function extraOf(w: PhoneWrite): Extra {
  const about = w.kind === 'reaction' || w.kind === 'edit' || w.kind === 'delete'
  if (about && !w.targetId) throw new AppError('ERR_VALIDATION', { targetId: 'Required' })
  if (w.kind === 'location' && (w.latitude === undefined || w.longitude === undefined))
    throw new AppError('ERR_VALIDATION', { latitude: 'Required' })
  return {
    ...(about && w.targetId && { targetId: w.targetId }),
    ...(w.kind === 'location' && { latitude: w.latitude ?? 0, longitude: w.longitude ?? 0 }),
    ...(w.kind === 'contact' && { cards: [cardOf(w.contactName || w.body || 'Contacto', w.contactNumber ?? '')] }),
    ...(w.lid && { lid: w.lid, ...(w.onlyLid && { onlyLid: true }) }),
    ...(w.group && { group: true }),
  }
}

function cardOf(name: string, number: string): { name: string; vcard: string } {
  const digits = number.replace(/\D/g, '')
  const plain = name.replace(/[\r\n;]/g, ' ')
  return { name, vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${plain}\nTEL;type=CELL;waid=${digits}:+${digits}\nEND:VCARD` }
}

/** By what the file really is. */
const mediaKind = (type: string) => /^(image|audio|video)\//.exec(type)?.[1] ?? 'application'

async function write(scope: Scope, whatsappId: number, w: PhoneWrite, uploads: Upload[]): Promise<{ id: string }> {
  const id = w.id ?? newId()
  const group = w.group ? address(w.group) : null
  const deed: Omit<Deed, 'id' | 'media' | 'kind' | 'body'> = {
    chat: group ?? w.from,
    from: w.from,
    name: w.name || null,
    group,
    fromCustomer: !w.fromMe,
    extra: extraOf(w),
    quotedId: w.quotedId ?? null,
    at: w.at ? new Date(w.at) : scope.now(),
  }
  if (!uploads.length) await act(scope, whatsappId, { ...deed, id, kind: w.kind, body: w.body, media: null })
  for (const [n, upload] of uploads.entries()) {
    const kind = w.kind === 'sticker' ? 'sticker' : mediaKind(upload.type)
    await withFile(scope, upload, (media) =>
      act(scope, whatsappId, { ...deed, id: n ? `${id}-${n}` : id, kind, body: n ? '' : w.body, media }),
    )
  }
  tellPhone(scope, whatsappId, deed.chat)
  return { id }
}

async function act(scope: Scope, whatsappId: number, deed: Deed): Promise<boolean> {
  const { found, fresh } = await perform(scope, whatsappId, deed)
  if (!found) throw new AppError('ERR_NO_WAPP_FOUND')
  return fresh
}

/** The file stays if the deed was new. */
async function withFile(scope: Scope, upload: Upload, store: (media: Stored) => Promise<boolean>): Promise<void> {
  const { files } = scope.means
  const media = await files.keep(scope.companyId, upload)
  const fresh = await store(media).catch(async (error) => {
    await files.remove(scope.companyId, [media.mediaPath])
    throw error
  })
  if (!fresh) await files.remove(scope.companyId, [media.mediaPath])
}

type NewCustomer = z.output<typeof sandboxApi.addCustomer.body>

async function addCustomer(scope: Scope, whatsappId: number, given: NewCustomer): Promise<Customer> {
  const { id } = await testLine(scope, whatsappId)
  const number = given.number ?? madeUp(given.isGroup)
  const [known] = await customersShown(scope, id, number)
  await meetCustomer(scope, id, {
    number,
    ...(given.name && { name: given.name }),
    ...(given.isGroup && { members: given.members }),
  })
  // A person who changes their name tells the people they talk to.
  if (known && !known.isGroup && given.name && known.name !== given.name) {
    const nothing = {
      name: null,
      group: null,
      fromCustomer: true,
      extra: {},
      media: null,
      quotedId: null,
      at: scope.now(),
    }
    await act(scope, id, { ...nothing, id: newId(), chat: number, from: number, kind: 'profile', body: given.name })
  }
  tellPhone(scope, id, number)
  return (await customersShown(scope, id, number))[0] as Customer
}

/** A number of a country that does not exist, or a group as WhatsApp numbers them. */
const madeUp = (isGroup: boolean) =>
  `${isGroup ? '120363' : '999'}${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`

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
  route(sandboxApi.addCustomer, (scope, { params, body }) => addCustomer(scope, params.whatsappId, body), {
    transaction: false,
  }),
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
