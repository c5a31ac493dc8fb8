import { randomBytes } from 'node:crypto'
import type { SandboxCustomer, SandboxPhoneWrite, sandboxApi } from '@recado/contract/sandbox'
import { formatVCard } from '@recado/contract/text/location-and-card'
import type { z } from 'zod'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { MediaColumns, Upload } from '../../kernel/files/files.ts'
import { removeFiles, storeFile } from '../../kernel/files/media.ts'
import { checkStorageQuota } from '../../kernel/files/storage-usage.ts'
import { type CustomerAction, performCustomerAction } from '../../lines/sandbox/customer-actions.ts'
import type { SandboxExtra } from '../../lines/sandbox/events.ts'
import { publishPhoneChange, upsertCustomer } from '../../lines/sandbox/test-phone.ts'
import { listPhoneCustomers, normalizeChatAddress } from './phone-view.ts'

const makeCard = (name: string, number: string) => ({ name, vcard: formatVCard(name, number) })

/** An id in the format of WhatsApp: upper case, and long enough to be unique. */
const newMessageId = () => `SB${randomBytes(9).toString('hex').toUpperCase()}`

/** The extra content of an action. An action about another message must name that message. */
function buildExtra(w: SandboxPhoneWrite): SandboxExtra {
  const about = w.kind === 'reaction' || w.kind === 'edit' || w.kind === 'delete'
  if (about && !w.targetId) throw new AppError('ERR_VALIDATION', { targetId: 'Required' })
  if (w.kind === 'location' && (w.latitude === undefined || w.longitude === undefined))
    throw new AppError('ERR_VALIDATION', { latitude: 'Required' })
  return {
    ...(about && w.targetId && { targetId: w.targetId }),
    ...(w.kind === 'location' && { latitude: w.latitude ?? 0, longitude: w.longitude ?? 0 }),
    ...(w.kind === 'contact' && { cards: [makeCard(w.contactName || w.body || 'Contacto', w.contactNumber ?? '')] }),
    ...(w.lid && { lid: w.lid, ...(w.onlyLid && { onlyLid: true }) }),
    ...(w.group && { group: true }),
  }
}

/** The kind of media, by the detected type of the file. */
const mediaKind = (type: string) => /^(image|audio|video)\//.exec(type)?.[1] ?? 'application'

export async function writeAsCustomer(
  scope: Scope,
  whatsappId: number,
  w: SandboxPhoneWrite,
  uploads: Upload[],
): Promise<{ id: string }> {
  const id = w.id ?? newMessageId()
  const group = w.group ? normalizeChatAddress(w.group) : null
  const action: Omit<CustomerAction, 'id' | 'media' | 'kind' | 'body'> = {
    chat: group ?? w.from,
    from: w.from,
    name: w.name || null,
    group,
    fromCustomer: !w.fromMe,
    extra: buildExtra(w),
    quotedId: w.quotedId ?? null,
    at: w.at ? new Date(w.at) : scope.now(),
  }
  if (!uploads.length)
    await performOrRefuse(scope, whatsappId, { ...action, id, kind: w.kind, body: w.body, media: null })
  for (const [n, upload] of uploads.entries()) {
    const kind = w.kind === 'sticker' ? 'sticker' : mediaKind(upload.type)
    await storeFileFor(scope, upload, (media) =>
      performOrRefuse(scope, whatsappId, { ...action, id: n ? `${id}-${n}` : id, kind, body: n ? '' : w.body, media }),
    )
  }
  publishPhoneChange(scope, whatsappId, action.chat)
  return { id }
}

async function performOrRefuse(scope: Scope, whatsappId: number, action: CustomerAction): Promise<boolean> {
  const { isLineFound: found, isNew: fresh } = await performCustomerAction(scope, whatsappId, action)
  if (!found) throw new AppError('ERR_NO_WAPP_FOUND')
  return fresh
}

/** Stores the file. It is deleted again if the action turns out to be a duplicate. */
async function storeFileFor(
  scope: Scope,
  upload: Upload,
  store: (media: MediaColumns) => Promise<boolean>,
): Promise<void> {
  // A user of the company plays the customer here, so the company's quota applies.
  await checkStorageQuota(scope, upload.size)
  const media = await storeFile(scope, upload)
  const fresh = await store(media).catch(async (error) => {
    await removeFiles(scope, [media.mediaPath])
    throw error
  })
  if (!fresh) await removeFiles(scope, [media.mediaPath])
}

type NewCustomer = z.output<typeof sandboxApi.addCustomer.body>

export async function addSandboxCustomer(scope: Scope, id: number, customer: NewCustomer): Promise<SandboxCustomer> {
  const number = customer.number ?? makeUpNumber(customer.isGroup)
  const [known] = await listPhoneCustomers(scope, id, number)
  await upsertCustomer(scope, id, {
    number,
    ...(customer.name && { name: customer.name }),
    ...(customer.isGroup && { members: customer.members }),
  })
  // When a customer changes their name, WhatsApp sends it to the people they talk to.
  if (known && !known.isGroup && customer.name && known.name !== customer.name) {
    const nothing = {
      name: null,
      group: null,
      fromCustomer: true,
      extra: {},
      media: null,
      quotedId: null,
      at: scope.now(),
    }
    await performOrRefuse(scope, id, {
      ...nothing,
      id: newMessageId(),
      chat: number,
      from: number,
      kind: 'profile',
      body: customer.name,
    })
  }
  publishPhoneChange(scope, id, number)
  return (await listPhoneCustomers(scope, id, number))[0] as SandboxCustomer
}

/** A made-up number with a country code that does not exist, or a group id in the format that WhatsApp assigns. */
const makeUpNumber = (isGroup: boolean) =>
  `${isGroup ? '120363' : '999'}${String(Math.floor(Math.random() * 1e10)).padStart(10, '0')}`
