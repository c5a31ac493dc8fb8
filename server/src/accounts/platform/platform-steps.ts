import { settingsApi } from '@recado/contract/settings'
import type { Config } from '../../kernel/config.ts'
import { route } from '../../kernel/http/routes.ts'
import type { Mailer } from '../../kernel/outgoing/mail.ts'

/** The first steps of the super user, each read from the server's real state. */
export const platformStepRoutes = ({ publicUrl }: Pick<Config, 'publicUrl'>, delivery: Mailer['delivery']) => [
  route(settingsApi.platformSteps, async (scope) => {
    const initial = await scope.db
      .selectFrom('users')
      .select('id')
      .where('id', '=', scope.actor.id)
      .where('hasInitialPassword', '=', true)
      .executeTakeFirst()
    const company = await scope.db.selectFrom('companies').select('id').where('platform', '=', false).executeTakeFirst()
    return {
      passwordChanged: initial === undefined,
      company: company !== undefined,
      publicUrl: publicUrl !== undefined,
      mail: delivery === 'mail',
    }
  }),
]
