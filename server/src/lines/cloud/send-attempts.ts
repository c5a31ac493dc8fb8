import type { Scope } from '../../kernel/data/scope.ts'

const ownSends = (scope: Scope, whatsappId: number) =>
  scope.db
    .selectFrom('cloudSends')
    .select(['wamid', 'askedAt'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)

/** The recorded attempt to send this message, with Meta's answer, if there was one. */
export const findSendAttempt = (scope: Scope, whatsappId: number, wid: string) =>
  ownSends(scope, whatsappId).where('wid', '=', wid).executeTakeFirst()

/** Records that Meta is about to be asked to send a message. False: another process has just recorded it. */
export async function recordSendAttempt(scope: Scope, whatsappId: number, wid: string): Promise<boolean> {
  const row = await scope.db
    .insertInto('cloudSends')
    .values({ companyId: scope.companyId, whatsappId, wid, wamid: null, askedAt: scope.now() })
    .onConflict((at) => at.doNothing())
    .returning('wid')
    .executeTakeFirst()
  return row !== undefined
}

export async function recordSendResult(
  scope: Scope,
  whatsappId: number,
  wid: string,
  wamid: string | null,
): Promise<void> {
  await scope.db
    .updateTable('cloudSends')
    .set({ wamid: wamid ?? `unnamed:${wid}` })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('wid', '=', wid)
    .execute()
}

/** Deletes the record of an attempt that Meta did not accept, so that the message may be sent again. */
export async function deleteSendAttempt(scope: Scope, whatsappId: number, wid: string): Promise<void> {
  await scope.db
    .deleteFrom('cloudSends')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('wid', '=', wid)
    .where('wamid', 'is', null)
    .execute()
}

/**
 * Finds Meta's id of a message: for our messages the id in Meta's response, for a customer's message the id it arrived
 * with.
 */
export async function findWamid(scope: Scope, whatsappId: number, wid: string): Promise<string | null> {
  if (wid.startsWith('wamid.')) return wid
  return (await ownSends(scope, whatsappId).where('wid', '=', wid).executeTakeFirst())?.wamid ?? null
}
