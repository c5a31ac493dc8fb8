import { randomBytes } from 'node:crypto'
import {
  type NewPasskeyCredential,
  type Passkey,
  type PasskeyAssertion,
  type PasskeyCreationOptions,
  passkeysApi,
} from '@recado/contract/passwords/passkeys'
import type { Selectable } from 'kysely'
import { type Clock, minutes } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError, translateConstraintErrors } from '../../kernel/errors.ts'
import { callerAddress, makeAttemptLimiter } from '../../kernel/http/rate-limits.ts'
import { route } from '../../kernel/http/routes.ts'
import { writeAudit } from '../api-access/audit.ts'
import type { ConfirmPassword } from '../confirm-password.ts'
import type { RenewOwnSession } from '../end-sessions.ts'
import { publishUser, type UserRow } from '../user-view.ts'
import {
  coseAlgorithms,
  PasskeyRefusedError,
  relyingPartyFor,
  verifyAssertion,
  verifyRegistration,
} from './webauthn.ts'

const challengeTtlMs = minutes(2)
/** A maximum that no user reaches in practice. */
const maxPasskeysPerUser = 20

type Row = Selectable<DB['passkeys']>
export type Passkeys = ReturnType<typeof makePasskeys>

const presentPasskey = ({ id, name, createdAt, lastUsedAt }: Row): Passkey => ({ id, name, createdAt, lastUsedAt })

/**
 * Passkeys. The server creates each challenge, for a user (`register 7 0`) or for the login, with the time and a
 * signature, so that any process can verify it. A passkey accepts no challenge twice, and none older than the last
 * challenge it signed (`signedFor`).
 */
export function makePasskeys(clock: Clock) {
  /** Attempt limits per caller. */
  const failedLogins = makeAttemptLimiter(clock, { maxAttempts: 20, windowMs: minutes(15) })
  const challengeRequests = makeAttemptLimiter(clock, { maxAttempts: 300, windowMs: minutes(15) })

  const encodeText = (text: string) => Buffer.from(text).toString('base64url')
  const decodeText = (text: string) => Buffer.from(text, 'base64url').toString('utf8')
  function challenge(scope: Scope, purpose: string): string {
    const payload = `${scope.now().getTime()}.${randomBytes(16).toString('base64url')}`
    return encodeText(`${payload}.${scope.deps.vault.sign('passkey', `${purpose} ${payload}`)}`)
  }
  /** Returns the creation time; refuses a challenge that is not ours, is expired or was made for another purpose. */
  function verifyChallenge(scope: Scope, signedChallenge: string, purpose: string): number {
    const [at = '', nonce = '', sign = ''] = signedChallenge.split('.')
    const payload = `${at}.${nonce}`
    const remainingMs = Number(at) + challengeTtlMs - scope.now().getTime()
    if (
      !scope.deps.vault.verify('passkey', `${purpose} ${payload}`, sign) ||
      !(remainingMs > 0 && remainingMs <= challengeTtlMs)
    )
      throw new PasskeyRefusedError('challenge')
    return Number(at)
  }
  const relyingParty = (scope: Scope) => relyingPartyFor(scope.deps.publicUrl)
  /** The reason is only logged; the caller gets a general error. */
  function rethrowAsAppError(error: unknown): never {
    if (error instanceof PasskeyRefusedError) throw new AppError('ERR_PASSKEY')
    throw error
  }

  const userPasskeys = (scope: Scope, userId: number) =>
    scope.db.selectFrom('passkeys').selectAll().where('companyId', '=', scope.companyId).where('userId', '=', userId)
  async function find(scope: Scope, id: number): Promise<Row> {
    const row = await userPasskeys(scope, scope.actor.id).where('id', '=', id).executeTakeFirst()
    if (!row) throw new AppError('ERR_NOT_FOUND')
    return row
  }

  /**
   * An offer is valid for one registration: every registration and every other credential change increases the credential
   * version. A registration locks the user row, so two in parallel cannot both match the version of the offer.
   */
  const registrationOf = ({ id, credentialVersion }: UserRow) => `register ${id} ${credentialVersion}`

  async function creationOptions(scope: Scope, user: UserRow): Promise<PasskeyCreationOptions> {
    const known = await userPasskeys(scope, user.id).execute()
    if (known.length >= maxPasskeysPerUser) throw new AppError('ERR_PASSKEY')
    return {
      challenge: challenge(scope, registrationOf(user)),
      rp: { id: relyingParty(scope).id, name: 'Recado' },
      // The authenticator stores this id; the numbers do not identify the user to others.
      user: { id: encodeText(`${scope.companyId}.${user.id}`), name: user.email, displayName: user.name },
      algorithms: coseAlgorithms,
      known: known.map(({ credentialId }) => credentialId),
      timeout: challengeTtlMs,
    }
  }

  async function add(scope: Scope, user: UserRow, name: string, credential: NewPasskeyCredential): Promise<Passkey> {
    let counter = 0
    let signedFor = 0
    try {
      const read = await verifyRegistration(credential, relyingParty(scope))
      counter = read.counter
      signedFor = verifyChallenge(scope, read.challenge, registrationOf(user))
    } catch (error) {
      rethrowAsAppError(error)
    }
    if ((await userPasskeys(scope, user.id).execute()).length >= maxPasskeysPerUser) throw new AppError('ERR_PASSKEY')
    const { companyId } = scope
    const { id: credentialId, publicKey, algorithm } = credential
    const row = await translateConstraintErrors({ passkeys_credential_key: 'ERR_PASSKEY' }, () =>
      scope.db
        .insertInto('passkeys')
        .values({
          ...{ companyId, userId: user.id, name, credentialId, publicKey, algorithm, counter, signedFor },
          createdAt: scope.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow(),
    )
    await writeAudit(scope, 'passkey.added', user.id, name)
    return presentPasskey(row)
  }

  return {
    creationOptions: creationOptions,
    add,
    find,
    list: async (scope: Scope) =>
      (await userPasskeys(scope, scope.actor.id).orderBy('id').execute()).map(presentPasskey),
    hasPasskey: async (scope: Scope, userId: number): Promise<boolean> =>
      (await userPasskeys(scope, userId).limit(1).executeTakeFirst()) !== undefined,

    loginChallenge(scope: Scope, caller: string) {
      challengeRequests.check(caller)
      challengeRequests.count(caller)
      return { challenge: challenge(scope, 'login'), rpId: relyingParty(scope).id, timeout: challengeTtlMs }
    },

    /** Returns the owner of a valid passkey signature. Uses a wide scope, because the user is not known yet. */
    async verifyLogin(scope: Scope, credential: PasskeyAssertion, caller: string): Promise<Row> {
      failedLogins.check(caller)
      failedLogins.count(caller)
      const [, companyId = 0, userId = 0] = (
        /^(\d{1,9})\.(\d{1,9})$/.exec(decodeText(credential.userHandle)) ?? []
      ).map(Number)
      const row = await userPasskeys(scope.forCompany(companyId), userId)
        .where('credentialId', '=', credential.id)
        .executeTakeFirst()
      try {
        if (!row) throw new PasskeyRefusedError('unknown')
        const { challenge: signedChallenge, counter } = await verifyAssertion(credential, row, relyingParty(scope))
        const at = verifyChallenge(scope, signedChallenge, 'login')
        const updated = await scope.db
          .updateTable('passkeys')
          .set({ counter, signedFor: at, lastUsedAt: scope.now() })
          .where('companyId', '=', row.companyId)
          .where('id', '=', row.id)
          .where('signedFor', '<', at)
          .returning('id')
          .executeTakeFirst()
        if (!updated) throw new PasskeyRefusedError('used')
      } catch (error) {
        rethrowAsAppError(error)
      }
      failedLogins.reset(caller)
      return row as Row
    },

    async rename(scope: Scope, id: number, name: string): Promise<Passkey> {
      await find(scope, id)
      const row = await scope.db
        .updateTable('passkeys')
        .set({ name })
        .where('companyId', '=', scope.companyId)
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirstOrThrow()
      return presentPasskey(row)
    },

    async remove(scope: Scope, { id, userId, name }: Row): Promise<void> {
      await scope.db.deleteFrom('passkeys').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
      await writeAudit(scope, 'passkey.removed', userId, name)
    },

    /** Removes all passkeys of a user who lost their devices. */
    async removeAll(scope: Scope, userId: number): Promise<void> {
      const gone = await scope.db
        .deleteFrom('passkeys')
        .where('companyId', '=', scope.companyId)
        .where('userId', '=', userId)
        .returning('name')
        .execute()
      for (const { name } of gone) await writeAudit(scope, 'passkey.removed', userId, name)
    },
  }
}

export function passkeyRoutes(passkeys: Passkeys, confirmPassword: ConfirmPassword, renewOwnSession: RenewOwnSession) {
  async function lockOwnUser(scope: Scope): Promise<UserRow> {
    const row = await scope.db
      .selectFrom('users')
      .selectAll()
      .where('companyId', '=', scope.companyId)
      .where('id', '=', scope.actor.id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row) throw new AppError('ERR_NO_USER_FOUND')
    return row
  }
  return [
    route(passkeysApi.list, async (scope) => ({ passkeys: await passkeys.list(scope) })),
    route(passkeysApi.offer, async (scope, { body }) => {
      const user = await lockOwnUser(scope)
      await confirmPassword(user, body.currentPassword)
      return passkeys.creationOptions(scope, user)
    }),
    route(passkeysApi.add, async (scope, { body }, { reply }) => {
      const user = await lockOwnUser(scope)
      const added = await passkeys.add(scope, user, body.name, body.credential)
      await renewOwnSession(scope, reply)
      await publishUser(scope, 'update', user)
      return added
    }),
    route(passkeysApi.rename, (scope, { params, body }) => passkeys.rename(scope, params.id, body.name)),
    route(passkeysApi.remove, async (scope, { params, body }, { reply }) => {
      const row = await passkeys.find(scope, params.id)
      const user = await lockOwnUser(scope)
      await confirmPassword(user, body.currentPassword)
      await passkeys.remove(scope, row)
      await renewOwnSession(scope, reply)
      await publishUser(scope, 'update', user)
      return { message: 'removed' }
    }),
    route(passkeysApi.challenge, (scope, _input, { request }) =>
      passkeys.loginChallenge(scope, callerAddress(request)),
    ),
  ]
}
