import { type WebVersionState, webVersionApi } from '@recado/contract/health/web-version'
import { mailUser } from '../../accounts/mail-user.ts'
import type { Config } from '../../kernel/config.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { type Route, route } from '../../kernel/http/routes.ts'
import type { JobHandlers } from '../../kernel/jobs.ts'
import type { Log } from '../../kernel/log.ts'
import {
  builtInWebVersion,
  chooseWebVersion,
  formatWebVersion,
  parseWebVersion,
  type WebVersionRow,
  type WebVersions,
} from '../../lines/baileys/link/web-version.ts'
import { reconnectLine } from './routes.ts'

const presentVersions = ({ lookedUpAt: _, ...row }: WebVersionRow): WebVersionState => ({
  ...row,
  inUse: formatWebVersion(chooseWebVersion(row as WebVersionRow)),
  builtIn: formatWebVersion(builtInWebVersion),
})

/** Lines that WhatsApp refused retry only from time to time: with another version they connect at once. */
async function reconnectOutdatedLines(scope: Scope): Promise<void> {
  const lines = await scope.db
    .selectFrom('whatsapps')
    .select(['id', 'companyId'])
    .where('reason', '=', 'outdated')
    .where('wanted', '=', true)
    .orderBy('id')
    .execute()
  for (const { id, companyId } of lines) await reconnectLine(scope.forCompany(companyId), id)
}

/** The super user's choice of the version with which linked lines present themselves. */
export const webVersionRoutes = (
  versions: WebVersions,
  { whatsappUrl }: Pick<Config, 'whatsappUrl'>,
  log: Log,
): Route[] => [
  route(webVersionApi.show, async () => presentVersions(await versions.load())),
  route(webVersionApi.pin, async (scope, { body: { pinned } }) => {
    await versions.pin(scope, pinned)
    await reconnectOutdatedLines(scope)
    return presentVersions(await versions.load(scope))
  }),
  route(webVersionApi.test, async (_scope, { body }) => {
    const row = body.version ? await versions.load() : await versions.lookUpNow()
    const version = parseWebVersion(body.version ?? row.found) ?? chooseWebVersion(row)
    const { tryWebVersion } = await import('../../lines/baileys/link/try-version.ts')
    const result = whatsappUrl ? await tryWebVersion(whatsappUrl, version, log) : 'unreachable'
    return { version: formatWebVersion(version), result, state: presentVersions(row) }
  }),
]

/** Tells every super user what to do when WhatsApp refuses the version of the installation. */
export const webVersionJobs = (deps: Deps): Pick<JobHandlers, 'web-version:refused'> => ({
  'web-version:refused': ({ version }) =>
    new Scope(deps, { companyId: 0, wide: true }).transaction(async (scope) => {
      const people = await scope.db.selectFrom('users').selectAll().where('super', '=', true).execute()
      for (const person of people)
        await mailUser(scope.forCompany(person.companyId), person, ({ versionRefused: words }) => ({
          subject: words.subject,
          text: words.text(person.name, version, `${deps.publicUrl}/settings`),
        }))
    }),
})
