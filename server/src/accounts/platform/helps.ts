import { type Help, helpsApi } from '@recado/contract/helps'
import { topics } from '@recado/contract/live'
import { records } from '../../kernel/data/records.ts'
import { resource, route } from '../../kernel/http/http.ts'

/** Videos of the platform, for everybody; the super user keeps them. */
const helps = records<Help>('helps', {
  topic: topics.help,
  missing: 'ERR_NO_HELP_FOUND',
  search: ['title'],
  platform: true,
})

export const helpRoutes = [
  ...resource(helpsApi as never, 'records', helps),
  route(helpsApi.all, (scope) => helps.all(scope)),
]
