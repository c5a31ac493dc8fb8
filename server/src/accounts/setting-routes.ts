import { topics } from '@recado/contract/live'
import { isSettingKey, settingsApi } from '@recado/contract/settings'
import { AppError } from '../kernel/errors.ts'
import { route } from '../kernel/http/http.ts'
import { tellCompanies } from './company-view.ts'
import { settingsOf, writeSetting } from './settings.ts'

export const settingRoutes = [
  route(settingsApi.list, async (scope) => (await settingsOf(scope, [scope.companyId])).get(scope.companyId) ?? []),
  route(settingsApi.update, async (scope, { params, body }) => {
    if (!isSettingKey(params.key)) throw new AppError('ERR_NO_SETTING_FOUND')
    if (params.key === 'campaignsEnabled' && body.value === 'true' && !scope.plan.useCampaigns)
      throw new AppError('ERR_PLAN_FEATURE')
    // The super user's list shows settings, and the moment a company expires follows its time zone. Held, so that two
    // who change different settings do not each tell of the other's old one.
    const own = scope.db.selectFrom('companies').selectAll().where('id', '=', scope.companyId)
    const companies = await own.forNoKeyUpdate().execute()
    const setting = await writeSetting(scope, params.key, body.value)
    await tellCompanies(scope, companies)
    return setting
  }),
  route(settingsApi.holidays, async (scope) => {
    const own = scope.db.selectFrom('companies').select('holidays').where('id', '=', scope.companyId)
    return (await own.executeTakeFirstOrThrow()).holidays
  }),
  route(settingsApi.setHolidays, async (scope, { body }) => {
    // Each day once, in the order of the calendar.
    const days = new Map(body.holidays.map((h) => [h.day, h]))
    const holidays = [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
    await scope.db
      .updateTable('companies')
      .set({ holidays: JSON.stringify(holidays) })
      .where('id', '=', scope.companyId)
      .execute()
    scope.live(topics.holidays, { action: 'update', holidays })
    return holidays
  }),
]
