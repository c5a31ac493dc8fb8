import type { ContactDetail, ContactUpdate, ContactWrite } from '@recado/contract/contacts'
import { can } from '@recado/contract/rules'
import { sql } from 'kysely'
import { writeContactAudit } from '../../accounts/api-access/audit.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { fileNameInUrl, scheduleFileRemoval } from '../../kernel/files/media.ts'
import { eraseContactEvents } from '../webhooks/webhook-events.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import {
  addContact,
  attachIdentityKeys,
  type ContactRow,
  findContact,
  findContactsByKeys,
  presentContactDetail,
  publishContactDeleted,
  updateContactRow,
  waitForContactTurn,
} from './contact-store.ts'
import { chooseFullerNumber, type IdentityKey, normalizePhoneNumber, phoneKey } from './identity.ts'
import type { PhoneQueries } from './phone-queries.ts'

const toPhoneKey = (number: string): IdentityKey => ({ kind: 'phone', value: phoneKey(number) })

/** Manages its own transaction: none is open while waiting for a provider. */
export async function createContact(scope: Scope, body: ContactWrite, phones: PhoneQueries): Promise<ContactDetail> {
  const { name, email, extraInfo, disableBot = false, language = null, ownerId = null } = body
  const number = await checkNumber(scope, body.number, phones)
  return scope.transaction(async (s) => {
    await waitForContactTurn(s)
    await assertNumberFree(s, number)
    const person = { name, number, email, disableBot, language, ownerId, whatsappId: null }
    return presentContactDetail(s, await addContact(s, person, [toPhoneKey(number)], extraInfo))
  })
}

export async function updateContact(
  scope: Scope,
  id: number,
  body: ContactUpdate,
  phones: PhoneQueries,
  desk: ContactDeskActions,
): Promise<ContactDetail> {
  const number = await resolveNewNumber(scope, await findContact(scope, id, false), body.number, phones)
  return scope.transaction(async (s) => {
    await waitForContactTurn(s)
    const before = await findContact(s, id, false)
    const { name, email, disableBot, extraInfo, language, ownerId } = body
    if (phoneKey(number) !== phoneKey(before.number)) {
      await assertCanRenumber(s, before, body.confirmNumber, desk)
      await changeNumber(s, before, number)
      await desk.onNumberChanged(s, id, before.number, number)
      await writeContactAudit(s, 'contact.renumbered', { id, name, number }, [
        { field: 'number', from: before.number, to: number },
      ])
    }
    const values = {
      ...{ name, email, number },
      ...(disableBot !== undefined && { disableBot }),
      ...(language !== undefined && { language }),
      ...(ownerId !== undefined && { ownerId }),
    }
    return presentContactDetail(s, await updateContactRow(s, id, values, extraInfo))
  })
}

/** Deletes a contact with all its data; the desk publishes this to the users who see its tickets. */
export async function removeContact(scope: Scope, id: number, desk: ContactDeskActions): Promise<void> {
  await waitForContactTurn(scope)
  await findContact(scope, id, false)
  const { companyId, db } = scope
  const tickets = await db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', companyId)
    .where('contactId', '=', id)
    .execute()
  await desk.onDeleting(
    scope,
    id,
    tickets.map((t) => t.id),
  )
  const files = await db
    .selectFrom('messages')
    .select(['mediaPath', sql<string | null>`"sendAs" #>> '{voice,path}'`.as('voicePath')])
    .where('companyId', '=', companyId)
    .where('contactId', '=', id)
    .where('mediaPath', 'is not', null)
    .execute()
  await scheduleFileRemoval(scope, [
    ...files.flatMap((f) => [f.mediaPath, f.voicePath]),
    ...(await listPictureFiles(scope, id)),
  ])
  await eraseContactEvents(scope, id)
  await db.deleteFrom('contacts').where('companyId', '=', companyId).where('id', '=', id).execute()
  publishContactDeleted(scope, id)
}

/** The contact's picture, and the pictures of contacts merged into it, which are deleted with it. */
async function listPictureFiles(scope: Scope, id: number): Promise<(string | null)[]> {
  const { rows } = await sql<{ profilePicUrl: string | null }>`
    with recursive gone as (
      select c.id, c."profilePicUrl" from contacts c where c."companyId" = ${scope.companyId} and c.id = ${id}
      union
      select c.id, c."profilePicUrl" from contacts c join gone on c."mergedInto" = gone.id
      where c."companyId" = ${scope.companyId}
    )
    select "profilePicUrl" from gone`.execute(scope.db)
  return rows.map((row) => fileNameInUrl(row.profilePicUrl))
}

/** Checks on the line whether the number exists. If no line can check it, the typed number is accepted. */
async function checkNumber(scope: Scope, typed: string, phones: PhoneQueries): Promise<string> {
  const number = normalizePhoneNumber(typed)
  if (!number) throw new AppError('ERR_VALIDATION', { number: 'Invalid' })
  const said = await lookUpWhatsAppNumber(phones, scope, number)
  if (said === null) throw new AppError('ERR_WAPP_INVALID_CONTACT')
  return said ?? number
}

/** The number as WhatsApp has it; null: not on WhatsApp; undefined: no line could check it. */
export async function lookUpWhatsAppNumber(
  phones: PhoneQueries,
  scope: Scope,
  number: string,
  whatsappId?: number,
): Promise<string | null | undefined> {
  const said = await phones.checkNumber(scope, number, whatsappId)
  if (!said) return said
  const theirs = normalizePhoneNumber(said)
  return phoneKey(theirs) === phoneKey(number) ? chooseFullerNumber(theirs, number) : theirs
}

/** A group's number is its id and does not change; an empty number means unchanged. */
async function resolveNewNumber(
  scope: Scope,
  before: ContactRow,
  typed: string,
  phones: PhoneQueries,
): Promise<string> {
  if (before.isGroup || !typed) return before.number
  const number = normalizePhoneNumber(typed)
  return number && phoneKey(number) === phoneKey(before.number) ? number : checkNumber(scope, number, phones)
}

/** The agent's next answer goes to the new number, so a user must not be able to redirect it to their own phone. */
async function assertCanRenumber(
  scope: Scope,
  { id }: ContactRow,
  isConfirmed: boolean,
  desk: ContactDeskActions,
): Promise<void> {
  const { actor } = scope
  if (actor.key || !can(actor, 'contacts-page:changeNumber')) await assertSeesConversations(scope, [id], desk)
  if (!isConfirmed && (await desk.hasActiveTicket(scope, id))) throw new AppError('ERR_CONTACT_NUMBER_CONFIRM')
}

/** Throws unless the user sees all conversations of a contact, because changing the contact affects them. */
export async function assertSeesConversations(
  scope: Scope,
  contactIds: number[],
  desk: ContactDeskActions,
): Promise<void> {
  // Automatic changes are made by no user, so there is nothing to check.
  if (!scope.person || (await desk.canSeeConversations(scope, contactIds))) return
  throw new AppError(scope.person.key ? 'ERR_API_KEY_SCOPE' : 'ERR_CONTACT_CONVERSATIONS')
}

async function changeNumber(scope: Scope, before: ContactRow, number: string): Promise<void> {
  await assertNumberFree(scope, number, before.id)
  await scope.db
    .deleteFrom('contactIdentities')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', before.id)
    .where('kind', '=', 'phone')
    .where('value', '=', phoneKey(before.number))
    .execute()
  await attachIdentityKeys(scope, before.id, [toPhoneKey(number)])
}

async function assertNumberFree(scope: Scope, number: string, ownId?: number): Promise<void> {
  const [other] = (await findContactsByKeys(scope, [toPhoneKey(number)], false)).values()
  if (other && other.id !== ownId) throw new AppError('ERR_DUPLICATED_CONTACT')
}
