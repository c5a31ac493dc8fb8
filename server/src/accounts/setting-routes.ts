import { topics } from '@recado/contract/live'
import { isMaskedSecret, isSettingKey, settingsApi } from '@recado/contract/settings'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'
import { route, SerializedReply } from '../kernel/http/routes.ts'
import { diffAuditFields, writeAuditChanges } from './api-access/audit.ts'
import { publishCompanies } from './company-view.ts'
import { endSessions, publishSessionEnded } from './end-sessions.ts'
import { deletePushSubscriptions } from './push-subscriptions.ts'
import { findSessionsOverLimit, parseSessionLimit } from './session-limit.ts'
import { isSecretSetting, loadSettings, readSettingValue, writeSetting } from './settings.ts'
import type { SecondStep } from './two-factor/second-step.ts'

/**
 * The public settings that ticketz' client reads before the login and that we have; for all others it uses its own
 * defaults.
 */
const publicSettings = new Map([['allowSignup', 'enabled']])

/** An admin who requires the second step must have set up their own; other users set it up at their next login. */
async function requireSecondStepOfAll(scope: Scope, secondStep: SecondStep): Promise<void> {
  if (!(await secondStep.hasSecondStep(scope, scope.actor.id))) throw new AppError('ERR_TWO_FACTOR_OWN')
  const usersWithoutStep = await scope.db
    .selectFrom('users as u')
    .leftJoin('secondFactors as f', (join) => join.onRef('f.userId', '=', 'u.id').on('f.confirmedAt', 'is not', null))
    .select('u.id')
    .where('u.companyId', '=', scope.companyId)
    .where('f.userId', 'is', null)
    .where('u.id', '<>', scope.actor.id)
    .execute()
  await endSessions(
    scope,
    usersWithoutStep.map((user) => user.id),
    'two-factor-asked',
  )
}

/**
 * When the setting has become stricter, ends the sessions that it no longer allows, except the session that changed it.
 */
async function applySessionLimit(scope: Scope, value: string): Promise<void> {
  const sessions = await scope.db
    .selectFrom('sessions')
    .select(['id', 'userId', 'device', 'openedAt'])
    .where('companyId', '=', scope.companyId)
    .orderBy('openedAt', 'desc')
    .execute()
  const ownSessionId = scope.actor.sessionId
  for (const [userId, all] of Map.groupBy(sessions, (session) => session.userId)) {
    const keptFirst = all.sort((a, b) => Number(b.id === ownSessionId) - Number(a.id === ownSessionId))
    for (const sessionId of findSessionsOverLimit(keptFirst, parseSessionLimit(value)))
      await endSession(scope, { userId, sessionId })
  }
}

async function endSession(scope: Scope, { userId, sessionId }: { userId: number; sessionId: string }): Promise<void> {
  await scope.db.deleteFrom('sessions').where('companyId', '=', scope.companyId).where('id', '=', sessionId).execute()
  await deletePushSubscriptions(scope, { sessionId })
  publishSessionEnded(scope, userId, sessionId, 'opened-elsewhere')
}

export const settingRoutes = (secondStep: SecondStep) => [
  route(settingsApi.show, async (scope, { params: { key } }) => {
    const settings = (await loadSettings(scope, [scope.companyId])).get(scope.companyId)
    return settings?.find((setting) => setting.key === key) ?? { key, value: '' }
  }),
  route(
    settingsApi.showPublic,
    (_scope, { params: { key } }) => new SerializedReply<string>(JSON.stringify(publicSettings.get(key) ?? '')),
  ),
  route(settingsApi.list, async (scope) => (await loadSettings(scope, [scope.companyId])).get(scope.companyId) ?? []),
  route(settingsApi.update, async (scope, { params, body }) => {
    if (!isSettingKey(params.key)) throw new AppError('ERR_NO_SETTING_FOUND')
    if (params.key === 'campaignsEnabled' && body.value === 'true' && !scope.plan.useCampaigns)
      throw new AppError('ERR_PLAN_FEATURE')
    // The event for the super user's company list contains the settings, and a company's expiry depends on its
    // time zone. The row is locked, so that two parallel changes of different settings do not publish old values.
    const companyQuery = scope.db.selectFrom('companies').selectAll().where('id', '=', scope.companyId)
    const companies = await companyQuery.forNoKeyUpdate().execute()
    const before = readSettingValue((await loadSettings(scope, [scope.companyId])).get(scope.companyId), params.key)
    const setting = await writeSetting(scope, params.key, body.value)
    if (params.key === 'twoFactor' && setting.value === 'enabled') await requireSecondStepOfAll(scope, secondStep)
    if (params.key === 'sessionsPerUser') await applySessionLimit(scope, setting.value)
    // Masked secrets all look alike, so comparing them would show no change.
    const changes = isSecretSetting(params.key)
      ? isMaskedSecret(body.value) || !(before || body.value)
        ? []
        : [{ field: 'value', from: '', to: '' }]
      : diffAuditFields({ value: before }, { value: setting.value })
    // The onboarding guide closes itself when its steps are done: this is not an action of the user, so it is not
    // audited.
    if (params.key !== 'firstSteps')
      await writeAuditChanges(scope, 'setting.changed', scope.companyId, params.key, changes)
    await publishCompanies(scope, companies)
    return setting
  }),
  route(settingsApi.holidays, async (scope) => {
    const companyQuery = scope.db.selectFrom('companies').select('holidays').where('id', '=', scope.companyId)
    return (await companyQuery.executeTakeFirstOrThrow()).holidays
  }),
  route(settingsApi.setHolidays, async (scope, { body }) => {
    // Keeps each holiday once, in calendar order.
    const days = new Map(body.holidays.map((h) => [h.day, h]))
    const holidays = [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
    const companyQuery = scope.db.selectFrom('companies').select('holidays').where('id', '=', scope.companyId)
    const before = await companyQuery.forNoKeyUpdate().executeTakeFirstOrThrow()
    await scope.db
      .updateTable('companies')
      .set({ holidays: JSON.stringify(holidays) })
      .where('id', '=', scope.companyId)
      .execute()
    const describeHolidays = (all: typeof holidays) => ({ holidays: all.map(({ day, name }) => `${day} ${name}`) })
    await writeAuditChanges(
      scope,
      'setting.changed',
      scope.companyId,
      'holidays',
      diffAuditFields(describeHolidays(before.holidays), describeHolidays(holidays)),
    )
    scope.live(topics.holidays, { action: 'update', holidays })
    return holidays
  }),
]
