import {
  type LinePasskeyAssertion,
  type LinePasskeyOptions,
  linePasskeyPath,
  linePasskeysApi,
  whatsappPasskeySite,
} from '@recado/contract/health/line-passkeys'
import { type Clock, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { type AttemptLimiter, callerAddress, makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import {
  createPasskeyToken,
  decidePasskey,
  findPasskeyByToken,
  isPasskeyLinkingEnabled,
  type PasskeyRow,
  presentPasskey,
  storePasskeyAssertion,
} from '../../lines/baileys/link/passkey-store.ts'
import { findLine, lockLine } from './find-line.ts'

/** Where a browser with our extension opens the one-time address: in the fragment, which is not sent to WhatsApp. */
const openUrlFor = (address: string): string =>
  `${whatsappPasskeySite.origin}/#recado-passkey=${encodeURIComponent(address)}`

/** Whether a browser on WhatsApp's page signed this very request. WhatsApp itself checks the signature. */
function isAssertionFor({ challenge }: LinePasskeyOptions, { id, rawId, response }: LinePasskeyAssertion): boolean {
  let clientData: unknown
  try {
    clientData = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'))
  } catch {
    return false
  }
  if (typeof clientData !== 'object' || clientData === null) return false
  const { type, challenge: signed, origin } = clientData as Record<string, unknown>
  return id === rawId && type === 'webauthn.get' && signed === challenge && origin === whatsappPasskeySite.origin
}

export const linePasskeyRoutes = (
  clock: Clock,
  attempts: AttemptLimiter = makeAttemptLimiter(clock, { maxAttempts: 30, windowMs: minutes(10) }),
): Route[] => {
  /** Counts every call of an address that is not valid: a token cannot be guessed, but calls cost queries. */
  async function findRequest(scope: Scope, token: string, caller: string): Promise<PasskeyRow> {
    attempts.check(caller)
    const row = (await isPasskeyLinkingEnabled(scope)) ? await findPasskeyByToken(scope, token) : undefined
    if (row) return row
    attempts.count(caller)
    throw new AppError('ERR_PASSKEY_ADDRESS')
  }
  return [
    route(linePasskeysApi.show, async (scope, { params }) => {
      const { id } = await findLine(scope, params.whatsappId)
      return presentPasskey(scope, id)
    }),
    route(linePasskeysApi.createAddress, async (scope, { params }) => {
      const { id } = await lockLine(scope, params.whatsappId)
      const created = (await isPasskeyLinkingEnabled(scope)) ? await createPasskeyToken(scope, id) : null
      if (!created) throw new AppError('ERR_WAPP_NO_PASSKEY')
      const address = `${scope.deps.publicUrl}${linePasskeyPath}${created.token}`
      return { address, openUrl: openUrlFor(address), expiresAt: created.expiresAt }
    }),
    route(linePasskeysApi.decide, async (scope, { params, body }) => {
      const { id } = await lockLine(scope, params.whatsappId)
      if (!(await decidePasskey(scope, id, body.confirmed))) throw new AppError('ERR_WAPP_NO_PASSKEY')
      return presentPasskey(scope, id)
    }),
    route(linePasskeysApi.options, async (scope, { params }, { request }) => {
      const { options } = await findRequest(scope, params.token, callerAddress(request))
      return options
    }),
    route(linePasskeysApi.sign, async (scope, { params, body }, { request }) => {
      const caller = callerAddress(request)
      const row = await findRequest(scope, params.token, caller)
      if (!isAssertionFor(row.options, body)) {
        attempts.count(caller)
        throw new AppError('ERR_PASSKEY')
      }
      if (!(await storePasskeyAssertion(scope, row, params.token, body))) throw new AppError('ERR_PASSKEY_ADDRESS')
      return { message: 'ok' }
    }),
  ]
}
