import type { SignupNumber } from '@recado/contract/health/line-signup'
import type { MetaApp } from '../../kernel/config.ts'
import type { Deps } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { type GraphClient, GraphRefusedError, type GraphTimings, makeGraphClient } from './graph-client.ts'
import { asJsonObject, asJsonObjects, asText } from './untyped-json.ts'

/** A number that a token may use, with the account that it belongs to. */
export type GrantedNumber = SignupNumber & { businessAccountId: string }

/** Bounds what one permission can make us request: a business has a few accounts with a few numbers. */
const maxAccounts = 10
const maxNumbersPerAccount = 100

/** The screen to which Meta's dialog returns. It must be one of the app's valid redirect addresses at Meta. */
export const signupReturnPath = '/connections'

export type EmbeddedSignup = ReturnType<typeof makeEmbeddedSignup>

/** Meta's Embedded Signup with the operator's app. Tokens stay on the server. */
export function makeEmbeddedSignup(deps: Deps, app: MetaApp, graphUrl: string, pace: GraphTimings, log: Log) {
  // Meta's dialogs are on another host than its API; the API of a test has both.
  const dialogUrl = `${graphUrl.replace('://graph.facebook.com/', '://www.facebook.com/')}/dialog/oauth`
  const returnUrl = () => deps.publicUrl + signupReturnPath
  // Meta's words may repeat what was sent, so only its numbers are logged.
  const logRefusal = (error: unknown, step: string) =>
    log.warn(
      error instanceof GraphRefusedError
        ? { step, status: error.status, code: error.fault.code, subcode: error.fault.subcode }
        : { step },
      'Meta did not answer a signup as expected',
    )

  async function read<T>(step: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      logRefusal(error, step)
      throw new AppError('ERR_SIGNUP_META')
    }
  }

  /** The accounts that the person shared with the app. */
  async function listAccounts(token: string): Promise<string[]> {
    const graph = makeGraphClient(graphUrl, `${app.id}|${app.secret}`, pace)
    const query = new URLSearchParams({ input_token: token })
    const { data } = asJsonObject(await read('debug_token', () => graph.get(`debug_token?${query}`)))
    const { granular_scopes: scopes } = asJsonObject(data)
    const ids = asJsonObjects(scopes)
      .filter(({ scope }) => scope === 'whatsapp_business_management')
      .flatMap(({ target_ids: targets }) => (Array.isArray(targets) ? targets.map(asText) : []))
      .filter((id) => /^\d{1,40}$/.test(id))
    return [...new Set(ids)].slice(0, maxAccounts)
  }

  async function listNumbersOf(graph: GraphClient, businessAccountId: string): Promise<GrantedNumber[]> {
    const request = (fields: string) =>
      graph.get(`${businessAccountId}/phone_numbers?fields=${fields}&limit=${maxNumbersPerAccount}`)
    const fields = 'id,display_phone_number,verified_name'
    const reply = await read('phone_numbers', () =>
      request(`${fields},is_on_biz_app`).catch((error) => {
        // A version of the API that does not know the field refuses the whole request.
        if (error instanceof GraphRefusedError && error.fault.code === 100) return request(fields)
        throw error
      }),
    )
    return asJsonObjects(asJsonObject(reply).data)
      .slice(0, maxNumbersPerAccount)
      .flatMap(({ id, display_phone_number: number, verified_name: name, is_on_biz_app: onPhone }) =>
        /^\d{1,40}$/.test(asText(id))
          ? {
              phoneNumberId: asText(id),
              businessAccountId,
              number: asText(number).slice(0, 40),
              name: asText(name).slice(0, 200),
              onPhone: typeof onPhone === 'boolean' ? onPhone : null,
            }
          : [],
      )
  }

  return {
    /** The address of Meta's dialog, for a number that stays in the WhatsApp Business app. */
    dialogAddress(state: string): string {
      const query = new URLSearchParams({
        client_id: app.id,
        config_id: app.configId,
        redirect_uri: returnUrl(),
        response_type: 'code',
        override_default_response_type: 'true',
        state,
        extras: JSON.stringify({
          setup: {},
          featureType: 'whatsapp_business_app_onboarding',
          sessionInfoVersion: '3',
        }),
      })
      return `${dialogUrl}?${query}`
    },
    /** Exchanges the code for a token, with a single call: Meta accepts a code once. */
    async exchangeCode(code: string): Promise<string> {
      const graph = makeGraphClient(graphUrl, '', pace)
      const query = new URLSearchParams({
        client_id: app.id,
        client_secret: app.secret,
        redirect_uri: returnUrl(),
        code,
      })
      const reply = await graph.getOnce(`oauth/access_token?${query}`).catch((error) => {
        logRefusal(error, 'access_token')
        throw new AppError('ERR_SIGNUP_CODE')
      })
      const token = asText(asJsonObject(reply).access_token)
      if (!token || token.length > 1024) throw new AppError('ERR_SIGNUP_CODE')
      return token
    },
    /** Every number of the accounts that the token may use. */
    async listNumbers(token: string): Promise<GrantedNumber[]> {
      const accounts = await listAccounts(token)
      if (!accounts.length) throw new AppError('ERR_SIGNUP_NO_ACCOUNT')
      const graph = makeGraphClient(graphUrl, token, pace)
      const numbers: GrantedNumber[] = []
      for (const id of accounts) numbers.push(...(await listNumbersOf(graph, id)))
      if (!numbers.length) throw new AppError('ERR_SIGNUP_NO_NUMBER')
      return numbers
    },
  }
}
