import { announce, storeOutgoing } from '../../desk/messages/store.ts'
import { momentOf } from '../../desk/moment.ts'
import { deskTexts } from '../../desk/texts.ts'
import { joinOrOpen } from '../../desk/tickets/open.ts'
import { tellChanged } from '../../desk/tickets/tell.ts'
import { step } from '../../desk/tickets/track.ts'
import { presentTicket } from '../../desk/tickets/view.ts'
import { resolveContact } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import { firstQueue, ticketStep } from './message.ts'
import { type Outcome, told } from './steps.ts'

/** A call is a lost one on a desk: it stands in the thread, and where calls are off the caller is told to write. */
export async function call(
  scope: Scope,
  row: LineRow,
  event: Extract<InboundEvent, { kind: 'call' }>,
): Promise<Outcome> {
  const { setting, language } = await momentOf(scope)
  const person = await resolveContact(scope, { identity: event.person, name: event.pushName, whatsappId: row.id })
  const opened = await joinOrOpen(scope, {
    contactId: person.contact.id,
    whatsappId: row.id,
    isGroup: false,
    ...(await firstQueue(scope, row)),
    reuseMinutes: Number(setting('autoReopenTimeout')),
  })
  const { companyId } = scope
  const { id } = await scope.db
    .insertInto('messages')
    .values({
      companyId,
      ticketId: opened.id,
      contactId: person.contact.id,
      whatsappId: row.id,
      wid: `call:${event.id}`,
      fromMe: false,
      body: event.at,
      mediaType: 'call_log',
      createdAt: event.at,
      storedAt: scope.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await scope.db
    .updateTable('tickets')
    .set((eb) => ({ unreadMessages: eb('unreadMessages', '+', 1), fromMe: false, updatedAt: scope.now() }))
    .where('companyId', '=', companyId)
    .where('id', '=', opened.id)
    .execute()
  const ticket = await presentTicket(scope, opened.id)
  if (opened.how !== 'joined') tellChanged(scope, null, ticket)
  await announce(scope, opened.id, [id])
  const off = setting('call') === 'disabled'
  if (off) await storeOutgoing(scope, ticket, [{ body: deskTexts[language].callRefused, bot: 'call' }])
  return {
    ticketId: opened.id,
    steps: [
      step('contact', person.how, { by: person.by, name: person.contact.name }),
      ticketStep(opened),
      step('call', off ? 'calls-are-off' : 'calls-are-on'),
      told(ticket),
    ],
  }
}
