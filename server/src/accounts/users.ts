import { can } from '@recado/contract/rules'
import { type Availability, type Invitation, type User, type UserWrite, usersApi } from '@recado/contract/users'
import { canLeadQueues, canSeeAllTickets } from '@recado/contract/visibility'
import { hours, minutes } from '../kernel/clock.ts'
import { hashPassword } from '../kernel/crypto.ts'
import { lockInCompany } from '../kernel/data/advisory-locks.ts'
import { makeRecordReader } from '../kernel/data/records.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError, translateConstraintErrors } from '../kernel/errors.ts'
import { type AttemptLimiter, makeAttemptLimiter } from '../kernel/http/rate-limits.ts'
import { route } from '../kernel/http/routes.ts'
import type { Mailer } from '../kernel/outgoing/mail.ts'
import { shiftColumns } from './agents/shifts.ts'
import { requireSkills, sortSkillIds } from './agents/skills.ts'
import { diffAuditFields, writeAudit, writeAuditChanges } from './api-access/audit.ts'
import type { ConfirmPassword } from './confirm-password.ts'
import { endSessions, type RenewOwnSession } from './end-sessions.ts'
import { hashRandomPassword, inviteUser } from './invitations.ts'
import { requirePlanCapacity } from './plan-limits.ts'
import { assertPasswordAccepted, loadPersonalWords } from './platform/password-rules.ts'
import { loadCompanyTimeZone } from './settings.ts'
import { presentUsers, publishUser, type UserRow } from './user-view.ts'

declare module '../kernel/events.ts' {
  interface Events {
    'user.deleted': { companyId: number; userId: number }
    /** A user may no longer log in. */
    'user.deactivated': { companyId: number; userId: number }
  }
}

declare module '../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** The access rights of a user have changed; the payload is the company id and the user id. */
    session: [whom: string]
  }
}

const conflicts = {
  users_email_key: 'ERR_EMAIL_ALREADY_EXISTS',
  users_companyId_whatsappId_fkey: 'ERR_NO_WAPP_FOUND',
} as const
const store = makeRecordReader('users', usersApi.record, { present: presentUsers })

/** The scope of the user's company: the caller's own company, or any company for the super user. */
export async function scopeOfUserCompany(scope: Scope, userId: number): Promise<Scope> {
  if (!scope.wide) return scope
  const row = await scope.db.selectFrom('users').select('companyId').where('id', '=', userId).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_USER_FOUND')
  return scope.forCompany(row.companyId)
}
/** The scope of the named company for the super user; otherwise the caller's own scope. */
export const scopeOfNamedCompany = (scope: Scope, companyId: number | null | undefined) =>
  scope.wide && companyId ? scope.forCompany(companyId) : scope

async function setQueues(scope: Scope, userId: number, queueIds: number[]): Promise<void> {
  const { companyId } = scope
  await scope.db.deleteFrom('userQueues').where('companyId', '=', companyId).where('userId', '=', userId).execute()
  const rows = [...new Set(queueIds)].map((queueId) => ({ companyId, userId, queueId }))
  if (!rows.length) return
  await translateConstraintErrors({ userQueues_companyId_queueId_fkey: 'ERR_QUEUE_NOT_FOUND' }, () =>
    scope.db.insertInto('userQueues').values(rows).execute(),
  )
}

/** The values of a user that the audit compares before and after a change. */
async function auditSnapshot(
  scope: Scope,
  { id, name, email, profile, allTicket, active, whatsappId, timeZone, passwordHash }: UserRow,
) {
  const queues = await scope.db
    .selectFrom('userQueues as u')
    .innerJoin('queues as q', (join) => join.onRef('q.companyId', '=', 'u.companyId').onRef('q.id', '=', 'u.queueId'))
    .select('q.name')
    .where('u.companyId', '=', scope.companyId)
    .where('u.userId', '=', id)
    .orderBy('q.id')
    .execute()
  return {
    ...{ name, email, profile, allTicket, active, whatsappId, timeZone },
    queues: queues.map((queue) => queue.name),
    password: passwordHash,
  }
}

/**
 * Puts these users into a queue and takes others out. Admins and deactivated users stay in it: forms do not show them.
 * Returns the users whose queues changed; the caller publishes them.
 */
export async function setQueueMembers(scope: Scope, queueId: number, userIds: number[]): Promise<number[]> {
  const { companyId } = scope
  const users = await scope.db
    .selectFrom('users')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const members = await scope.db
    .selectFrom('userQueues')
    .select('userId')
    .where('companyId', '=', companyId)
    .where('queueId', '=', queueId)
    .execute()
  const before = new Set(members.map((member) => member.userId))
  const after = new Set(userIds)
  if (userIds.some((id) => !users.some((user) => user.id === id))) throw new AppError('ERR_NO_USER_FOUND')
  const mayLeave = (user: UserRow) => user.active && !canSeeAllTickets(user)
  const changed = users.filter((user) =>
    after.has(user.id) ? !before.has(user.id) : before.has(user.id) && mayLeave(user),
  )
  for (const user of changed) {
    assertCanChangeUser(scope, user)
    const snapshotBefore = await auditSnapshot(scope, user)
    const link = { companyId, userId: user.id, queueId }
    if (after.has(user.id)) await scope.db.insertInto('userQueues').values(link).execute()
    else
      await scope.db
        .deleteFrom('userQueues')
        .where((eb) => eb.and(link))
        .execute()
    const changes = diffAuditFields(snapshotBefore, await auditSnapshot(scope, user), ['password', 'whatsappId'])
    await writeAuditChanges(scope, 'user.changed', user.id, user.name, changes)
    await scope.signal('session', `${companyId} ${user.id}`)
  }
  return changed.map((user) => user.id)
}

/** Sets the own capacities of members of a queue. Returns whom it changed; the caller publishes them. */
export async function setCapacities(
  scope: Scope,
  queueId: number,
  capacities: { userId: number; capacity?: number | null | undefined }[],
): Promise<number[]> {
  const wanted = new Map(capacities.map(({ userId, capacity }) => [userId, capacity ?? null]))
  if (!wanted.size) return []
  const members = await scope.db
    .selectFrom('users as u')
    .innerJoin('userQueues as m', (join) =>
      join.onRef('m.companyId', '=', 'u.companyId').onRef('m.userId', '=', 'u.id'),
    )
    .selectAll('u')
    .where('u.companyId', '=', scope.companyId)
    .where('m.queueId', '=', queueId)
    .where('u.id', 'in', [...wanted.keys()])
    .orderBy('u.id')
    .forNoKeyUpdate('u')
    .execute()
  if (members.length < wanted.size) throw new AppError('ERR_NO_USER_FOUND')
  const changed = members.filter(({ id, capacity }) => capacity !== wanted.get(id))
  for (const member of changed) {
    assertCanChangeUser(scope, member)
    await scope.db
      .updateTable('users')
      .set({ capacity: wanted.get(member.id) ?? null })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', member.id)
      .execute()
  }
  return changed.map(({ id }) => id)
}

/** A company must keep at least one admin, and the platform at least one super user. */
async function assertAdminRemains(scope: Scope, before: UserRow, after: UserRow | null): Promise<void> {
  const isLost = (is: (user: UserRow) => boolean) => before.active && is(before) && !(after?.active && is(after))
  const requiredRoles = [
    ...(isLost((u) => can(u, 'users-page:manage')) ? [{ profile: 'admin' as const }] : []),
    ...(isLost((u) => u.super) ? [{ super: true }] : []),
  ]
  if (!requiredRoles.length) return
  // A lock serializes changes: two parallel changes must not both remove the last admin.
  await lockInCompany(scope, 'users')
  for (const like of requiredRoles) {
    const remaining = await scope.db
      .selectFrom('users')
      .select('id')
      .where('companyId', '=', scope.companyId)
      .where('active', '=', true)
      .where((eb) => eb.and(like))
      .limit(1)
      .executeTakeFirst()
    if (!remaining) throw new AppError('ERR_LAST_ADMIN')
  }
}

/** Only a super user may change a super user. */
export function assertCanChangeUser(scope: Scope, target: UserRow): void {
  if (target.super && !scope.actor.super) throw new AppError('ERR_NO_PERMISSION')
}

/** Limits guesses of a user's password with a stolen session, and probing for existing accounts. */
type UserLimits = {
  confirmPassword: ConfirmPassword
  takenEmails: AttemptLimiter
  invitations: AttemptLimiter
  repeatedInvitations: AttemptLimiter
}

/** Invitations are mails from our server with text that users write: the limit prevents their use as spam. */
function checkInvitationLimits(limits: UserLimits, { companyId }: Scope, email: string): void {
  const recipientKey = `${companyId} ${email}`
  limits.invitations.check(String(companyId))
  limits.repeatedInvitations.check(recipientKey)
  limits.invitations.count(String(companyId))
  limits.repeatedInvitations.count(recipientKey)
}

/** The error "address taken" reveals an account: the limit prevents probing a whole list. */
async function withEmailLimit<T>(scope: Scope, limits: UserLimits, isNew: boolean, work: () => Promise<T>): Promise<T> {
  const key = String(scope.actor.id)
  if (isNew) limits.takenEmails.check(key)
  return translateConstraintErrors(conflicts, work).catch((error) => {
    if (error instanceof AppError && error.code === 'ERR_EMAIL_ALREADY_EXISTS') limits.takenEmails.count(key)
    throw error
  })
}

/** Older clients send back the zone they received; for users without their own zone, that is the company's. */
async function normalizeTimeZone(scope: Scope, timeZone: UserWrite['timeZone']): Promise<string | null | undefined> {
  if (timeZone === undefined) return undefined
  return timeZone && timeZone !== (await loadCompanyTimeZone(scope)) ? timeZone : null
}

/** A user created without a password is invited to choose one. */
async function createUser(callerScope: Scope, limits: UserLimits, body: UserWrite, delivery: Mailer['delivery']) {
  const scope = scopeOfNamedCompany(callerScope, body.companyId)
  const invited = !body.password
  if (body.password)
    await assertPasswordAccepted(scope, 'password', body.password, {
      personalWords: await loadPersonalWords(scope, body),
    })
  else checkInvitationLimits(limits, scope, body.email)
  await requirePlanCapacity(scope, 'users')
  const { name, email, profile, allTicket, active, whatsappId } = body
  await requireSkills(scope, body.skillIds)
  const timeZone = (await normalizeTimeZone(scope, body.timeZone)) ?? null
  const passwordHash = body.password ? await hashPassword(body.password) : await hashRandomPassword()
  const row = await withEmailLimit(scope, limits, true, async () =>
    scope.db
      .insertInto('users')
      .values({
        companyId: scope.companyId,
        name,
        email,
        profile,
        allTicket,
        active,
        whatsappId,
        capacity: body.capacity ?? null,
        skillIds: sortSkillIds(body.skillIds ?? []),
        shifts: JSON.stringify(body.shifts ?? []),
        ...(await shiftColumns(scope, body.shifts ?? [], timeZone)),
        passwordHash,
        invited,
        language: null,
        timeZone,
      })
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  await setQueues(scope, row.id, body.queueIds ?? [])
  await writeAudit(scope, 'user.created', row.id, row.name)
  await publishUser(scope, 'create', row)
  const user = await store.presentRow(scope, row)
  return invited ? { ...user, invitation: await inviteUser(scope, row, delivery) } : user
}

/** Sends a new invitation for a lost or expired link. Users who have a password use the password reset. */
async function inviteAgain(
  callerScope: Scope,
  limits: UserLimits,
  id: number,
  delivery: Mailer['delivery'],
): Promise<Invitation> {
  const scope = await scopeOfUserCompany(callerScope, id)
  const user = await store.lockRow(scope, id)
  assertCanChangeUser(scope, user)
  if (!user.invited) throw new AppError('ERR_INVITATION_INVALID')
  checkInvitationLimits(limits, scope, user.email)
  return inviteUser(scope, user, delivery)
}

async function updateUser(
  callerScope: Scope,
  limits: UserLimits,
  id: number,
  body: UserWrite,
  renewOwnSession: (scope: Scope) => Promise<void>,
): Promise<User> {
  const scope = await scopeOfUserCompany(callerScope, id)
  const before = await store.lockRow(scope, id)
  const snapshotBefore = await auditSnapshot(scope, before)
  const self = id === scope.actor.id
  const admin = can(scope.actor, 'users-page:manage')
  if (!self && !admin) throw new AppError('ERR_NO_PERMISSION')
  assertCanChangeUser(scope, before)
  const isEmailChanged = body.email !== before.email.toLowerCase()
  if (self && (body.password || isEmailChanged)) await limits.confirmPassword(before, body.currentPassword)
  if (body.password)
    await assertPasswordAccepted(scope, 'password', body.password, {
      personalWords: await loadPersonalWords(scope, body),
    })
  const { profile, allTicket, whatsappId } = body
  const timeZone = await normalizeTimeZone(scope, body.timeZone)
  if (admin) await requireSkills(scope, body.skillIds)
  const shifts = (admin && body.shifts) || before.shifts
  const row = await withEmailLimit(scope, limits, isEmailChanged, async () =>
    scope.db
      .updateTable('users')
      .set({
        name: body.name,
        email: body.email,
        ...(body.password && {
          passwordHash: await hashPassword(body.password),
          invited: false,
          hasInitialPassword: false,
        }),
        ...(timeZone !== undefined && { timeZone }),
        // These are preferences of the user, which an admin cannot change.
        ...(self && body.weeklyMail !== undefined && { weeklyMail: body.weeklyMail }),
        ...(self && body.hidesGuide !== undefined && { hidesGuide: body.hidesGuide }),
        ...(self && body.undoSeconds !== undefined && { undoSeconds: body.undoSeconds }),
        ...(admin && { profile, allTicket, active: body.active, ...(whatsappId !== undefined && { whatsappId }) }),
        ...(admin && body.capacity !== undefined && { capacity: body.capacity }),
        ...(admin && body.skillIds && { skillIds: sortSkillIds(body.skillIds) }),
        shifts: JSON.stringify(shifts),
        ...(await shiftColumns(scope, shifts, timeZone === undefined ? before.timeZone : timeZone)),
      })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(),
  )
  if (admin && body.queueIds) await setQueues(scope, id, body.queueIds)
  await assertAdminRemains(scope, before, row)
  // Removes pending links: they were sent to the old address or for the old password.
  if (body.password || isEmailChanged) {
    const userFilter = { userId: id, companyId: scope.companyId }
    await scope.db
      .deleteFrom('passwordResets')
      .where((eb) => eb.and(userFilter))
      .execute()
    await scope.db
      .deleteFrom('invitations')
      .where((eb) => eb.and(userFilter))
      .execute()
  }
  // Users who changed their own credentials stay logged in, in the browser they used.
  if (!row.active) await endSessions(scope, [id], 'account-closed')
  else if (self && (body.password || isEmailChanged)) await renewOwnSession(scope)
  else if (body.password || isEmailChanged)
    await endSessions(scope, [id], body.password ? 'password-changed' : 'sign-in-changed')
  const changes = diffAuditFields(snapshotBefore, await auditSnapshot(scope, row), ['password', 'whatsappId'])
  await writeAuditChanges(scope, 'user.changed', id, row.name, changes)
  await publishUser(scope, 'update', row)
  // Open sockets are updated to what the new queues and profile allow.
  await scope.signal('session', `${scope.companyId} ${id}`)
  if (before.active && !row.active) await scope.emit('user.deactivated', { companyId: scope.companyId, userId: id })
  return store.presentRow(scope, row)
}

type AvailabilityChange = { availability: Availability; reason: string }
/** Supervisors may set it for others, for example for somebody who left without saying so. */
async function setAvailability(scope: Scope, id: number, { availability, reason }: AvailabilityChange): Promise<User> {
  const before = await store.lockRow(scope, id)
  if (id !== scope.actor.id && !canLeadQueues(scope.actor)) throw new AppError('ERR_NO_PERMISSION')
  const savedReason = availability === 'available' ? '' : reason
  const isSame = before.availability === availability && before.availabilityReason === savedReason
  const row = await scope.db
    .updateTable('users')
    .set({
      availability,
      availabilityReason: savedReason,
      availabilityCause: 'person',
      missedOffers: 0,
      ...(!isSame && { availabilitySince: scope.now() }),
    })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishUser(scope, 'update', row)
  return store.presentRow(scope, row)
}

async function removeUser(callerScope: Scope, id: number): Promise<void> {
  const scope = await scopeOfUserCompany(callerScope, id)
  const before = await store.lockRow(scope, id)
  assertCanChangeUser(scope, before)
  await endSessions(scope, [id], 'account-closed')
  await writeAudit(scope, 'user.deleted', id, before.name)
  await scope.db.deleteFrom('users').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  scope.publish(usersApi.topic, { action: 'delete', id })
  await assertAdminRemains(scope, before, null)
  await scope.emit('user.deleted', { companyId: scope.companyId, userId: id })
}

export const userRoutes = (
  clock: Scope['deps']['clock'],
  delivery: Mailer['delivery'],
  confirmPassword: ConfirmPassword,
  renewOwnSession: RenewOwnSession,
  limits: UserLimits = {
    confirmPassword: confirmPassword,
    takenEmails: makeAttemptLimiter(clock, { maxAttempts: 10, windowMs: minutes(15) }),
    // More invitations than a company needs in an hour; the second limit is more than one user loses in an hour.
    invitations: makeAttemptLimiter(clock, { maxAttempts: 60, windowMs: hours(1) }),
    repeatedInvitations: makeAttemptLimiter(clock, { maxAttempts: 5, windowMs: hours(1) }),
  },
) => [
  route(usersApi.list, async (scope, { query }) => {
    const { rows, count, hasMore } = await store.page(scope, query)
    return { users: rows, count, hasMore }
  }),
  route(usersApi.everyone, async (scope, { query }) => {
    const rows = await store.listAll(scopeOfNamedCompany(scope, query.companyId))
    return rows.sort((a, b) => a.id - b.id)
  }),
  route(usersApi.show, async (scope, { params }) => store.find(await scopeOfUserCompany(scope, params.id), params.id)),
  route(usersApi.create, (scope, { body }) => createUser(scope, limits, body, delivery)),
  route(usersApi.invite, (scope, { params }) => inviteAgain(scope, limits, params.id, delivery)),
  route(usersApi.update, (scope, { params, body }, { reply }) =>
    updateUser(scope, limits, params.id, body, (tx) => renewOwnSession(tx, reply)),
  ),
  route(usersApi.remove, async (scope, { params }) => {
    await removeUser(scope, params.id)
    return { message: 'deleted' }
  }),
  route(usersApi.setAvailability, (scope, { params, body }) => setAvailability(scope, params.id, body)),
  route(usersApi.setLanguage, async (scope, { params }) => {
    if (scope.person) {
      const row = await scope.db
        .updateTable('users')
        .set({ language: params.lang })
        .where('id', '=', scope.person.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await publishUser(scope, 'update', row)
    }
    return { message: params.lang }
  }),
]
